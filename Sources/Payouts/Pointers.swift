import ExactArithmetic
import Failures
import Ledger
import Money

// Pointers for calls of the ledger, until their callers have spans.
extension PaymentReference {
  package init?(_ text: UnsafeBufferPointer<UInt8>) { self.init(text.span) }
}

extension AccountEntries {
  func append(_ account: [UInt8], _ currency: Currency, _ amount: ExactDecimal, note: [UInt8] = []) throws(Failure) {
    try append(account.span, currency, amount, note: note)
  }

  func append(
    _ account: UnsafeBufferPointer<UInt8>, _ currency: Currency, _ amount: ExactDecimal, note: [UInt8] = []
  ) throws(Failure) { try append(account.span, currency, amount, note: note) }
}

extension Payees {
  func find(_ account: [UInt8], _ currency: Currency) -> Int? {
    account.withUnsafeBufferPointer { find($0, currency) }
  }
}

extension Brake {
  func stop(
    _ account: [UInt8], _ currency: Currency, bank: BankAccountDigest?, retry: PaymentReference?
  ) throws(Failure) -> Stop? {
    try account.withUnsafeBufferPointer { account throws(Failure) in
      try stop(account, currency, bank: bank, retry: retry)
    }
  }
}

extension BalanceRows {
  func compare(_ account: [UInt8], _ currency: Currency) -> Int {
    account.withUnsafeBufferPointer { compare($0, currency) }
  }
}
