import BatchFile
import ExactArithmetic
import Glibc
import Money
import Reports
import Settlement

/// One receiver's figures on the way into the account totals: coefficients at the currency's exponent.
public struct AccountPosting {
  /// The hash of `account,currency`.
  var hash: UInt64
  /// Where `account,currency` stands in the settlement text.
  var offset: Int
  var length: Int
  var gross: UInt64
  var passedOn: UInt64
  var fee: UInt64

  /// The figures of the receiver whose `account,currency` is the `length` bytes at `offset` of a text.
  ///
  /// - Parameter hash: what the account totals give for these bytes.
  public init(hash: UInt64, offset: Int, length: Int, gross: UInt64, passedOn: UInt64, fee: UInt64) {
    self.hash = hash
    self.offset = offset
    self.length = length
    self.gross = gross
    self.passedOn = passedOn
    self.fee = fee
  }
}

/// What an account got in a currency, or in one payment.
struct AccountSums {
  var gross: ExactDecimal
  var passedOn: ExactDecimal
  var fee: ExactDecimal
}

/// What each receiver account got in each currency (`receivers.csv`), shared by all workers.
///
/// Sums commute, so workers post whole chunks in any order; each of the sixteen shards has a lock of its own. An entry
/// takes its text, 48 bytes and its part of the slots.
///
/// Accounts are as they are reported, in lower case, and valid: nothing else sorts as the report does.
public final class AccountTotals: @unchecked Sendable {
  /// The number of shards.
  public static let shardCount = 16
  let hash = KeyedHash()
  private let shards: [AccountShard]

  /// No account has got anything.
  public init() {
    shards = (0..<Self.shardCount).map { _ in AccountShard() }
  }

  /// The hash of `account,currency`, of `count` bytes.
  public func hash(_ account: UnsafePointer<UInt8>, count: Int) -> UInt64 { hash.shortHash(account, count: count) }

  /// The shard of a hash.
  @inlinable
  public static func shard(of hash: UInt64) -> Int { Int(hash >> 60) }

  /// Adds postings of one shard; their texts stand in `text`.
  public func post(_ postings: [AccountPosting], shard: Int, text: UnsafePointer<UInt8>) {
    shards[shard].post(postings, text: text)
  }

  /// Adds the figures of one receiver, or takes them out again; of any size.
  func post(
    _ receiver: UnsafePointer<ReceiverFigures>, account: UnsafePointer<UInt8>, count: Int, sign: CurrencyTotals.Sign
  ) {
    post(
      gross: receiver.pointee.gross, passedOn: receiver.pointee.passedOn, fee: receiver.pointee.fee, account: account,
      count: count, sign: sign)
  }

  /// Adds the figures of one receiver of a payment, or takes them out again; of any size.
  ///
  /// - Parameter account: account, comma and currency, of `count` bytes.
  public func post(
    gross: ExactDecimal, passedOn: ExactDecimal, fee: ExactDecimal, account: UnsafePointer<UInt8>, count: Int,
    sign: CurrencyTotals.Sign = .adding
  ) {
    let hash = hash.shortHash(account, count: count)
    shards[Self.shard(of: hash)].post(
      AccountSums(gross: gross, passedOn: passedOn, fee: fee), account: account, count: count, hash: hash, sign: sign)
  }

  /// The number of accounts and currencies with a payment.
  public var count: Int { shards.reduce(0) { $0 + $1.paidCount } }

  /// Writes the rows of `receivers.csv` in order: by account, then currency.
  ///
  /// - Parameter take: called with one text after the other; together they are all rows.
  public func write<Failure: Error>(
    threads: Int, _ take: (UnsafePointer<UInt8>, _ count: Int) throws(Failure) -> Void
  ) throws(Failure) {
    let entries = shards.map(\.entriesInPlace)
    let rows = AccountOrder(entries).rows(threads: threads)
    let texts = (0..<threads).map { _ in RowTexts() }
    for start in stride(from: 0, to: rows.count, by: threads * RowTexts.rows) {
      Parallel.perform(threads, threads: threads) { thread in
        let first = start + thread * RowTexts.rows
        texts[thread].text.removeAll()
        for row in rows[min(first, rows.count)..<min(first + RowTexts.rows, rows.count)] {
          entries[Int(row.shard)].writeRow(Int(row.entry), to: &texts[thread].text)
        }
      }
      for text in texts where text.text.count > 0 { try take(text.text.bytes, text.text.count) }
    }
  }
}

/// What one thread writes of `receivers.csv` before it is its turn.
private final class RowTexts: @unchecked Sendable {
  /// The most rows at a time.
  static let rows = 4096
  @exclusivity(unchecked) var text = TextBuffer(capacity: 1 << 17)
}
