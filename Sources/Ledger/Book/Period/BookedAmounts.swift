import ExactArithmetic
import Money

/// The entries of a list of a run or payout, one by one in the order of account and currency.
public final class BookedAmounts {
  private let stream: AccountStream
  private let kind: AccountList.Kind

  init(_ stream: AccountStream, _ kind: AccountList.Kind) { (self.stream, self.kind) = (stream, kind) }

  /// The account of the current entry; valid until the next one.
  public var account: UnsafeBufferPointer<UInt8> { stream.account }
  /// The currency of the amount.
  public var currency: Currency { stream.currency }
  /// What it added to the balance; negative if it took something.
  public var amount: ExactDecimal { kind == .payments ? -stream.amount : stream.amount }

  /// Goes to the next entry; false after the last.
  public func next() throws(LedgerFailure) -> Bool { try LedgerFailure.telling { try stream.next() } }

  /// What identifies the current entry.
  public func note() throws(LedgerFailure) -> PeriodReading.Change.Note {
    try PeriodReading.Change.Note(stream, kind)
  }
}
