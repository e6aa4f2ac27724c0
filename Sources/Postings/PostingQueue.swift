import BasicContainers
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
  /// By shard. Arrays would be checked for other owners twice for each posting.
  private var items = RigidArray<UniqueArray<Item>>(capacity: AccountTotals.shardCount)
  /// The concatenated keys of the items.
  private var keys = TextBuffer(capacity: 1 << 12)

  /// Makes an empty queue.
  ///
  /// - Parameter totals: the totals to post to. The queue keeps them: passing them with each posting would update a
  ///   reference count that all cores share.
  public init(for totals: AccountTotals) {
    self.totals = totals
    hash = totals.hash
    for _ in 0..<AccountTotals.shardCount { items.append(UniqueArray()) }
  }

  /// The number of bytes of the waiting keys.
  public var keyBytes: Int { keys.count }

  /// Adds the receivers of an entry, or its sender. Figures too large for the queue are posted at once.
  public mutating func add(_ entry: SettledEntry, _ side: AccountSide) {
    switch side {
    case .sender: add(entry, 0, side)
    case .receiver:
      for posting in 1..<entry.postings.count { add(entry, posting, side) }
    }
  }

  @inline(__always)
  public mutating func add(_ entry: SettledEntry, _ posting: Int, _ side: AccountSide) {
    let start = AccountKey.append(side, entry.account(of: posting), entry.currency, to: &keys)
    let length = keys.count - start
    guard let gross = entry.postings[posting].gross.inlineCoefficient,
      let passedOn = entry.postings[posting].passedOn.inlineCoefficient,
      let fee = entry.postings[posting].fee.inlineCoefficient
    else {
      totals.post(entry.postings[posting], key: keys.span.extracting(droppingFirst: start), .adding)
      return keys.truncate(to: start)
    }
    let hash = hash.tableHash(keys.span.extracting(droppingFirst: start))
    items[AccountTotals.shard(of: hash)].append(
      Item(hash: hash, offset: start, length: length, gross: gross, passedOn: passedOn, fee: fee))
  }

  /// Posts everything that is waiting.
  public mutating func post() {
    for shard in 0..<items.count where !items[shard].isEmpty {
      totals.post(items[shard].span, shard: shard, keys: keys.span)
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
    _ side: AccountSide, _ account: Span<UInt8>, _ currency: Currency, to keys: inout TextBuffer
  ) -> Int {
    let start = keys.count
    keys.appendRow(atMost: account.count + 4) { key in
      key.append(side.rawValue)
      if account.isEmpty { key.append(nobody) }
      // Lower than any byte of an account, so that no account's currencies come between those of a longer account.
      key.append(account, currency.index + 1)
    }
    return start
  }

  /// Represents a sender that is not named: journals list it after phone numbers and before email addresses.
  private static var nobody: UInt8 { UInt8(ascii: ",") }

  /// The account of a key; empty for a sender that is not named.
  @_lifetime(copy key)
  static func account(_ key: Span<UInt8>) -> Span<UInt8> {
    key.extracting(1..<(key[1] == nobody ? 1 : key.count - 1))
  }

  static func currency(_ key: Span<UInt8>) -> Currency { Currency(index: Int(key[key.count - 1]) - 1)! }
}
