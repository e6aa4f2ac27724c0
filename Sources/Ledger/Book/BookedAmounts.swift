import ExactArithmetic
import Failures
import Money
import SQLite

/// The entries of a list of a run or payout, one by one in the order of account and currency.
public final class BookedAmounts {
  private let database: Database
  private let stream: AccountStream

  init(_ database: Database, _ list: AccountList, count: Int) throws {
    self.database = database
    stream = try AccountStream(database, list, count: count)
  }

  /// The account of the current entry; valid until the next one.
  public var account: [UInt8] { stream.account }
  /// The currency of the amount.
  public var currency: Currency { stream.currency }
  /// What it added to the balance; negative if it took something.
  public var amount: ExactDecimal { stream.change }

  /// Goes to the next entry; false after the last.
  public func next() throws(Failure) -> Bool { try database.telling { try stream.next() } }

  /// What identifies the current entry.
  public func note() throws(Failure) -> BookReading.Change.Note {
    try database.telling { try BookReading.Change.Note(stream) }
  }
}
