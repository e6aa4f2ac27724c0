import Failures
import Ledger
import Money
import Text

/// Which balances wait because the payee's bank account is refused: a payment to it came back, and the bank would refuse
/// the next one too (`payouts.md`).
final class Brake {
  /// The balances that wait, each with what `hold` must be to pay it to the same bank account.
  private(set) var stopped = FirstTen()
  /// Those whose `hold` names another reference.
  private(set) var wrongRetries = FirstTen()
  /// The bank accounts that are refused in this payout.
  private let refused: Refusals
  /// Those that are refused after it.
  private(set) var left: Refusals

  /// - Parameters:
  ///   - refused: those refused before the payout.
  ///   - returns: what the payout books.
  init(_ refused: Refusals, _ returns: [BookedChange<ReturnNote>], _ lookup: PayoutLookup) throws(Failure) {
    var refused = refused
    try refused.add(returns, lookup)
    (self.refused, left) = (refused, refused)
  }

  /// Whether a balance waits.
  ///
  /// - Parameters:
  ///   - bank: the payee's bank account.
  ///   - retry: the last return of this bank account, if it is to be paid all the same.
  func stops(
    _ account: Span<UInt8>, _ currency: Currency, bank: BankAccountDigest?, retry: PaymentReference?
  ) -> Bool {
    if refused.isEmpty { return false }
    guard let last = refused.refusal(of: bank, account, currency)?.reference, last != retry else { return false }
    let holder = "\(MessageText.identifier([UInt8](account))), \(currency.code)"
    stopped.add("\(holder), retry \(last.text)")
    if let retry { wrongRetries.add("\(holder), retry \(retry.text) instead of retry \(last.text)") }
    return true
  }

  /// Takes a payment of this payout.
  func end(by bank: BankAccountDigest, _ account: Span<UInt8>, _ currency: Currency) {
    if !refused.isEmpty { left.end(by: bank, account, currency) }
  }
}
