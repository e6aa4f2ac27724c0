import Claims
import Money
import Text

/// The sums that a posting belongs to: what an account got as a receiver and what it paid as a sender are separate.
public enum AccountSide: UInt8, Sendable {
  case receiver = 1
  case sender = 2
}

/// Postings on their way to the account totals. A worker collects them and posts them together, shard by shard.
public struct PostingQueue: ~Copyable {
  /// One posting: its sums as coefficients at the currency's exponent, and the place of its key.
  struct Item {
    var hash: UInt64
    var offset: Int
    var length: Int
    var gross: Int
    var passedOn: Int
    var fee: Int
  }

  private let totals: AccountTotals
  private let hash: KeyedHash
  private var items: [[Item]] = Array(repeating: [], count: AccountTotals.shardCount)
  /// The concatenated keys of the items.
  private var keys = TextBuffer(capacity: 1 << 12)

  /// Makes an empty queue.
  ///
  /// - Parameter totals: the totals to post to. The queue keeps them: passing them with each posting would update a
  ///   reference count that all cores share.
  public init(for totals: AccountTotals) {
    self.totals = totals
    hash = totals.hash
  }

  /// The number of bytes of the waiting keys.
  public var keyBytes: Int { keys.count }

  /// Adds the receivers of an entry, or its sender. Figures too large for the queue are posted at once.
  public mutating func add(_ entry: SettledEntry, _ side: AccountSide) {
    switch side {
    case .sender: add(entry.sender, side, entry.currency)
    case .receiver:
      for place in 0..<entry.receiverCount { add(entry.receiver(place), side, entry.currency) }
    }
  }

  /// Adds one posting.
  @inline(__always)
  public mutating func add(_ posting: UnsafePointer<Posting>, _ side: AccountSide, _ currency: Currency) {
    let start = AccountKey.append(
      side, posting.pointee.account, count: posting.pointee.accountLength, currency, to: &keys)
    let length = keys.count - start
    guard let gross = posting.pointee.gross.inlineCoefficient,
      let passedOn = posting.pointee.passedOn.inlineCoefficient, let fee = posting.pointee.fee.inlineCoefficient
    else {
      totals.post(posting, key: keys.bytes + start, count: length, .adding)
      return keys.truncate(to: start)
    }
    let hash = hash.shortHash(keys.bytes + start, count: length)
    items[AccountTotals.shard(of: hash)].append(
      Item(hash: hash, offset: start, length: length, gross: gross, passedOn: passedOn, fee: fee))
  }

  /// Posts everything that is waiting.
  public mutating func post() {
    for shard in items.indices where !items[shard].isEmpty {
      totals.post(items[shard], shard: shard, keys: keys.bytes)
      items[shard].removeAll(keepingCapacity: true)
    }
    keys.removeAll(keeping: 1 << 22)
  }
}

/// The key of an account's sums: side, account, currency. It sorts in that order.
enum AccountKey {
  /// Appends a key, and returns its place.
  @inline(__always)
  static func append(
    _ side: AccountSide, _ account: UnsafePointer<UInt8>, count: Int, _ currency: Currency, to keys: inout TextBuffer
  ) -> Int {
    guard count > 0 else { return append(side, nobody.utf8Start, count: 1, currency, to: &keys) }
    let start = keys.count
    let key = keys.reserve(count + 2)
    key[0] = side.rawValue
    ByteCopy.copy(account, count: count, to: key + 1)
    // Lower than any byte of an account, so that no account's currencies come between those of a longer account.
    key[count + 1] = currency.index + 1
    keys.advance(by: count + 2)
    return start
  }

  /// Represents a sender that is not named: journals list it after phone numbers and before email addresses.
  private static var nobody: StaticString { "," }

  /// The account of a key; empty for a sender that is not named.
  static func account(_ key: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let account = UnsafeBufferPointer(rebasing: key[1..<key.count - 1])
    return account[0] == nobody.utf8Start[0] ? UnsafeBufferPointer(rebasing: account[..<0]) : account
  }

  static func currency(_ key: UnsafeBufferPointer<UInt8>) -> Currency {
    Currency(index: Int(key[key.count - 1]) - 1)!
  }
}
