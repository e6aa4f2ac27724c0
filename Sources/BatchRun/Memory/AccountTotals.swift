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
  func write(to text: inout TextBuffer, flush: (inout TextBuffer) throws -> Void) rethrows {
    for row in AccountOrder(shards).rows() {
      shards[Int(row.shard)].writeRow(Int(row.entry), to: &text)
      if text.count > 1 << 16 { try flush(&text) }
    }
    try flush(&text)
  }
}
