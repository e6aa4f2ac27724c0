import Claims
import ExactArithmetic
import Money
import Text
import Threads

/// What an account got, or paid, in a currency: sums of postings.
public struct AccountSums: Sendable {
  public var payments: Int
  /// What was sent to it, or, below zero, by it.
  public var gross: ExactDecimal
  public var passedOn: ExactDecimal
  public var fee: ExactDecimal

  /// Sums of postings.
  public init(payments: Int, gross: ExactDecimal, passedOn: ExactDecimal, fee: ExactDecimal) {
    self.payments = payments
    self.gross = gross
    self.passedOn = passedOn
    self.fee = fee
  }

  /// What it got after fees: gross minus passed-on amounts, minus fees.
  public var net: ExactDecimal {
    var net = gross
    net.subtract(passedOn)
    net.subtract(fee)
    return net
  }

  mutating func add(_ other: AccountSums) {
    payments += other.payments
    gross.add(other.gross)
    passedOn.add(other.passedOn)
    fee.add(other.fee)
  }
}

/// The sums of one account in one currency.
public struct AccountBalance: ~Escapable {
  /// Whether these are sums as a receiver or as a sender.
  public let side: AccountSide
  /// The account, in lower case; empty for payments that name no sender.
  public let account: Span<UInt8>
  public let currency: Currency
  public let sums: AccountSums

  @_lifetime(copy account)
  public init(side: AccountSide, account: Span<UInt8>, currency: Currency, sums: AccountSums) {
    self.side = side
    self.account = account
    self.currency = currency
    self.sums = sums
  }
}

/// What each account got, or paid, in each currency, shared by all workers.
///
/// Sums are exact and commute, so workers may post in any order, and totals of parts of a batch can be merged. Each of
/// the sixteen shards has its own lock. An entry needs memory for its key, 48 bytes and its part of the slots.
///
/// Accounts must be valid and in lower case, as reported: only then do they sort as in reports.
public final class AccountTotals: Sendable {
  static let shardCount = 16
  let hash = KeyedHash()
  private let shards: [AccountShard]

  /// Makes empty totals.
  public init() { shards = (0..<Self.shardCount).map { _ in AccountShard() } }

  static func shard(of hash: UInt64) -> Int { Int(hash >> 60) }

  // MARK: Posting

  /// Adds the postings of one side of an entry, or removes them.
  public func post(_ entry: SettledEntry, _ side: AccountSide, _ sign: PostingSign) {
    var key = TextBuffer()
    for place in side == .sender ? 0..<1 : 1..<entry.postings.count {
      key.removeAll()
      _ = AccountKey.append(side, entry.account(of: place), entry.currency, to: &key)
      post(entry.postings[place], key: key.span, sign)
    }
  }

  func post(_ posting: Posting, key: Span<UInt8>, _ sign: PostingSign) {
    var sums = AccountSums(payments: 1, gross: posting.gross, passedOn: posting.passedOn, fee: posting.fee)
    if sign == .removing {
      sums.payments = -1
      sums.gross.negate()
      sums.passedOn.negate()
      sums.fee.negate()
    }
    post(sums, key: key)
  }

  func post(_ items: Span<PostingQueue.Item>, shard: Int, keys: Span<UInt8>) {
    shards[shard].post(items, keys: keys)
  }

  private func post(_ sums: AccountSums, key: Span<UInt8>) {
    let hash = hash.tableHash(key)
    shards[Self.shard(of: hash)].post(sums, key: key, hash: hash)
  }

  /// Adds the sums of an account and currency.
  public func add(_ balance: AccountBalance) {
    var key = TextBuffer()
    _ = AccountKey.append(balance.side, balance.account, balance.currency, to: &key)
    post(balance.sums, key: key.span)
  }

  /// Adds all sums of another part of the batch.
  public func merge(_ other: AccountTotals) { other.visit(threads: 1) { add($0) } }

  // MARK: Reading, once all is posted

  /// The number of accounts and currencies with a payment.
  public var count: Int { shards.reduce(0) { $0 + $1.paidCount } }

  /// Visits the sums of each account and currency, in order: receivers before senders, by account, then currency.
  public func visit<Failure: Error>(threads: Int, _ take: (AccountBalance) throws(Failure) -> Void) throws(Failure) {
    let entries = shards.map(\.entriesInPlace)
    let rows = AccountOrder(entries).rows(threads: threads)
    for index in rows.indices {
      entries.fetchAhead(of: index, in: rows.span)
      try take(entries[Int(rows[index].shard)].balance(Int(rows[index].entry)))
    }
  }

  /// Writes a text for each account and currency, in the order of `visit`.
  ///
  /// - Parameters:
  ///   - append: appends the text; called by several threads at a time.
  ///   - take: called with consecutive pieces of the whole text.
  public func write<Failure: Error>(
    threads: Int, append: @Sendable (AccountBalance, inout TextBuffer) -> Void,
    _ take: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    try write(threads: threads, into: { TextBuffer(capacity: 1 << 17) }, begin: { _ in 0 }) { balance, _, text in
      if let balance { append(balance, &text) }
    } _: { (text: borrowing TextBuffer) throws(Failure) in
      try take(text.span)
    }
  }

  /// Writes rows for each account and currency, in the order of `visit`, and what belongs between them.
  ///
  /// - Parameters:
  ///   - make: returns the empty rows of a range of at most 4096 accounts.
  ///   - begin: returns the place, in what belongs between them, at which a range of accounts begins; called with the
  ///     balance before it, nil for the first range.
  ///   - append: appends the row of a balance, or of the end if it is nil, and advances the place. Several threads
  ///     call it at a time.
  ///   - take: called with the rows of one range after the other.
  public func write<Rows: ~Copyable, Failure: Error>(
    threads: Int, into make: @Sendable () -> Rows, begin: @Sendable (AccountBalance?) -> Int,
    append: @Sendable (AccountBalance?, inout Int, inout Rows) -> Void,
    _ take: (borrowing Rows) throws(Failure) -> Void
  ) throws(Failure) {
    let entries = shards.map(\.entriesInPlace)
    let rows = AccountOrder(entries).rows(threads: threads)
    let length = 4096
    try WorkerThreads.inOrder(max(1, (rows.count + length - 1) / length), threads: threads) { range throws(Failure) in
      var made = make()
      var place = 0
      if range == 0 {
        place = begin(nil)
      } else {
        let last = rows[range * length - 1]
        place = begin(entries[Int(last.shard)].balance(Int(last.entry)))
      }
      for index in range * length..<min((range + 1) * length, rows.count) {
        entries.fetchAhead(of: index, in: rows.span)
        append(entries[Int(rows[index].shard)].balance(Int(rows[index].entry)), &place, &made)
      }
      if (range + 1) * length >= rows.count { append(nil, &place, &made) }
      return RangeRows(made)
    } take: { (made: RangeRows<Rows>) throws(Failure) in
      try take(made.rows)
    }
  }
}

/// The rows of a range of accounts, before it is their turn.
private final class RangeRows<Rows: ~Copyable>: @unchecked Sendable {  // One thread makes it; then the caller reads.
  let rows: Rows

  init(_ rows: consuming Rows) { self.rows = rows }
}
