import BatchFile
import ExactArithmetic
import Glibc
import Money
import Reports
import Settlement

/// One receiver's figures on the way into the account totals.
struct AccountPosting {
  /// The hash of `account,currency`.
  var hash: UInt64
  /// Where `account,currency` stands in the settlement text.
  var offset: Int
  var length: Int
  var gross: UInt64
  var passedOn: UInt64
  var fee: UInt64
}

/// What each receiver account got in each currency (`receivers.csv`), shared by all workers.
///
/// Sums commute, so workers post whole chunks in any order; each of the sixteen shards has a lock of its own. An entry
/// takes its text, 48 bytes and its part of the slots.
final class AccountTotals: @unchecked Sendable {
  static let shardCount = 16
  let hash = KeyedHash()
  private let shards: [AccountShard]

  init() {
    shards = (0..<Self.shardCount).map { _ in AccountShard() }
  }

  /// The shard of a hash.
  static func shard(of hash: UInt64) -> Int { Int(hash >> 60) }

  /// Adds postings of one shard; their texts stand in `text`.
  func post(_ postings: [AccountPosting], shard: Int, text: UnsafePointer<UInt8>) {
    shards[shard].post(postings, text: text)
  }

  /// Adds the figures of one receiver, or takes them out again; of any size.
  func post(
    _ receiver: UnsafePointer<ReceiverFigures>, account: UnsafePointer<UInt8>, count: Int, sign: CurrencyTotals.Sign
  ) {
    let hash = hash.shortHash(account, count: count)
    shards[Self.shard(of: hash)].post(receiver, account: account, count: count, hash: hash, sign: sign)
  }

  /// The number of accounts and currencies with a payment.
  var count: Int { shards.reduce(0) { $0 + $1.paidCount } }

  /// Writes the rows in order: by account, then currency.
  ///
  /// - Parameter take: called with one text after the other; together they are all rows.
  func write<Failure: Error>(
    threads: Int, _ take: (UnsafePointer<UInt8>, _ count: Int) throws(Failure) -> Void
  ) throws(Failure) {
    let rows = AccountOrder(shards).rows(threads: threads)
    let texts = (0..<threads).map { _ in RowTexts() }
    for start in stride(from: 0, to: rows.count, by: threads * RowTexts.rows) {
      Parallel.perform(threads, threads: threads) { [shards] thread in
        let first = start + thread * RowTexts.rows
        texts[thread].text.removeAll()
        for row in rows[min(first, rows.count)..<min(first + RowTexts.rows, rows.count)] {
          shards[Int(row.shard)].writeRow(Int(row.entry), to: &texts[thread].text)
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
