import ExactArithmetic
import Failures
import Ledger
import Money

/// The payments of payouts in which the money of an account left (`contents.md`).
public struct MoneyWay: Sendable {
  /// Why it still waits.
  public enum Wait: String, Sendable {
    /// The run counts zero for good.
    case notCounted = "NOT_COUNTED"
    /// The rows of the run add up to zero, or the balance after the last payout is zero.
    case zero = "ZERO"
    /// No payout is after the run.
    case noPayout = "NO_PAYOUT"
    /// The last payout carried the balance.
    case carried = "CARRIED"
  }

  /// The account, in lower case.
  public let account: [UInt8]
  public let currency: Currency
  /// The payments in order; each but perhaps the last came back.
  public private(set) var references: [PaymentReference] = []
  /// What the last payment left of the balance; nil if it came back, or there is none.
  public private(set) var carried: ExactDecimal?
  /// Why it still waits; nil if it was paid.
  public private(set) var wait: Wait?

  /// - Parameters:
  ///   - entry: the place of the entry in which it came.
  init(_ account: [UInt8], _ book: AccountBook, from entry: Int) {
    (self.account, currency) = (account, book.currency)
    var at = entry
    while let paid = book.entries[at...].firstIndex(where: { $0.transfer != nil }) {
      let reference = book.entries[paid].transfer!
      references.append(reference)
      guard let back = book.entries[paid...].firstIndex(where: { $0.isReturn(of: reference) }) else {
        carried = book.entries[paid].balance
        return
      }
      at = back
    }
    wait = book.balanceAfterLastPayout.isZero ? .zero : .carried
  }

  init(_ account: [UInt8], _ currency: Currency, waits wait: Wait) {
    (self.account, self.currency, self.wait) = (account, currency, wait)
  }
}

extension AccountBook.Entry {
  /// Whether it is the return of a payment.
  fileprivate func isReturn(of reference: PaymentReference) -> Bool {
    if case .returned(let note) = note { note.reference == reference } else { false }
  }
}

extension LedgerSearch {
  /// The way of what a run gave an account, or took from it.
  ///
  /// - Parameter account: in lower case.
  public func way(of account: [UInt8], _ currency: Currency, from run: Int) throws(Failure) -> MoneyWay {
    let (entry, payouts) = (history.runs.first { $0.number == run }, history.payouts)
    guard entry?.balanceCount != nil, payouts.first?.firstRun ?? 0 <= run else {
      return MoneyWay(account, currency, waits: .notCounted)
    }
    let book = try books(of: account).first { $0.currency == currency }
    guard let book, let start = book.entries.firstIndex(where: { $0.id == .run(run) }) else {
      return MoneyWay(account, currency, waits: .zero)
    }
    if payouts.last?.bookedRun ?? 0 < run { return MoneyWay(account, currency, waits: .noPayout) }
    return MoneyWay(account, book, from: start)
  }
}

extension PaidOut {
  /// The way of its money from its return on; nil if it did not come back.
  public var wayOfReturn: MoneyWay? {
    book.entries.firstIndex { $0.isReturn(of: reference) }.map { MoneyWay(payment.account, book, from: $0) }
  }
}
