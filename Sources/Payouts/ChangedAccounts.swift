import Failures
import Ledger
import Money
import Text

/// The payments of a payout that go to another bank account than the last payment of their account and currency.
struct ChangedAccounts {
  private(set) var found = FirstTen()
  private let last: LastPayments

  init(_ last: LastPayments) { self.last = last }

  /// Takes a payment. Call in ascending order of account and currency.
  mutating func check(_ bank: BankAccountDigest, _ account: Span<UInt8>, _ currency: Currency) throws(Failure) {
    guard case .known(let before) = try last.destination(account, currency), before != bank else { return }
    found.add("\(MessageText.identifier([UInt8](account))), \(currency.code)")
  }
}
