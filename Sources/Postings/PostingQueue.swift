import Claims
import Money
import Text

/// Whose sums a posting goes to: what an account got as a receiver and what it paid as a sender are apart.
public enum AccountSide: UInt8, Sendable {
  /// As a receiver.
  case receiver = 1
  /// As a sender.
  case sender = 2
}

/// Postings on their way into the account totals: a worker collects them and posts them together, shard by shard.
public struct PostingQueue: ~Copyable {
  /// One posting: its sums as coefficients at the currency's exponent, and where its key stands.
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
  /// The keys of the items, one after the other.
  private var keys = TextBuffer(capacity: 1 << 12)

  /// No postings yet.
  ///
  /// - Parameter totals: what they are posted to. The queue keeps it: passing it with each posting would update a
  ///   reference count that all cores share.
  public init(for totals: AccountTotals) {
    self.totals = totals
    hash = totals.hash
  }

  /// The bytes of keys that wait.
  public var keyBytes: Int { keys.count }

  /// Takes the receivers of an entry, or its sender; figures too large to wait are posted at once.
  public mutating func add(_ entry: SettledEntry, _ side: AccountSide) {
    switch side {
    case .sender: add(entry.sender, side, entry.currency)
    case .receiver:
      for place in 0..<entry.receiverCount { add(entry.receiver(place), side, entry.currency) }
    }
  }

  /// Takes one posting.
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

  /// Posts all that waits.
  public mutating func post() {
    for shard in items.indices where !items[shard].isEmpty {
      totals.post(items[shard], shard: shard, keys: keys.bytes)
      items[shard].removeAll(keepingCapacity: true)
    }
    keys.removeAll(keeping: 1 << 22)
  }
}

/// The key of an account's sums: side, account, currency, which sorts as these do.
enum AccountKey {
  /// Appends a key; gives its place.
  @inline(__always)
  static func append(
    _ side: AccountSide, _ account: UnsafePointer<UInt8>, count: Int, _ currency: Currency, to keys: inout TextBuffer
  ) -> Int {
    guard count > 0 else { return append(side, nobody.utf8Start, count: 1, currency, to: &keys) }
    let start = keys.count
    let key = keys.reserve(count + 2)
    key[0] = side.rawValue
    ByteCopy.copy(account, count: count, to: key + 1)
    // Below any byte of an account, so that no account's currencies stand between those of a longer one.
    key[count + 1] = currency.index + 1
    keys.advance(by: count + 2)
    return start
  }

  /// Stands for a sender that no payment names: journals list it after phone numbers, before email addresses.
  private static var nobody: StaticString { "," }

  /// The account of a key; empty for nobody.
  static func account(_ key: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let account = UnsafeBufferPointer(rebasing: key[1..<key.count - 1])
    return account[0] == nobody.utf8Start[0] ? UnsafeBufferPointer(rebasing: account[..<0]) : account
  }

  static func currency(_ key: UnsafeBufferPointer<UInt8>) -> Currency {
    Currency(index: Int(key[key.count - 1]) - 1)!
  }
}
