import Claims
import Failures
import SQLite
import Threads

/// Entered runs: finding, entering and withdrawing them.
extension Ledger {
  /// The run with one of a batch's identities, if it is entered.
  public func run(_ identities: [RunIdentity]) throws(Failure) -> RunEntry? {
    for identity in identities {
      let found = try run(
        "content = ? AND schedule = ? AND options = ? AND pieces IS \(identity.isPlain ? "NULL" : "NOT NULL")",
        [identity.content, identity.schedule, identity.options])
      if let found { return found }
    }
    return nil
  }

  /// The run with a number, if it is entered.
  public func run(number: Int) throws(Failure) -> RunEntry? { try run("number = ?", [number]) }

  /// Whether a run was entered with the plain digests of its texts.
  public func hasPlainRuns() throws(Failure) -> Bool { try run("pieces IS NULL", []) != nil }

  private func run(_ condition: String, _ arguments: [any DatabaseValue]) throws(Failure) -> RunEntry? {
    try read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM run WHERE \(condition) ORDER BY number LIMIT 1", arguments: arguments
      )
      .map { try RunEntry($0, database) }
    }
  }

  /// The runs with one of these contents, or with the fingerprint of a batch id, in order.
  public func runs(contents: [[UInt8]], batchKey: Fingerprint?) throws(Failure) -> [RunEntry] {
    let places = contents.map { _ in "?" }.joined(separator: ", ")
    return try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM run WHERE content IN (\(places)) OR batchKey = ? ORDER BY number",
        arguments: contents + [batchKey?.bytes]
      )
      .map { try RunEntry($0, database) }
    }
  }

  /// Whether a run's content may begin like this; if false, the content is certainly new.
  public func hasRun(opening: [UInt8]) throws(Failure) -> Bool {
    try read { database in
      try Bool.fetchOne(database, sql: "SELECT 1 FROM run WHERE opening = ?", arguments: [opening]) ?? false
    }
  }

  /// Enters a run whose reports are complete under their temporary name, with its settled pay keys and what later runs
  /// may ask for. When it returns, everything is entered, the attempt names that run, and the lock file records it as
  /// the last.
  ///
  /// Throws if that failed; the caller must then find out whether the run was entered (`run(_:)`).
  ///
  /// - Parameters:
  ///   - keys: the sorted pay keys of the payments that it settled. Their number must match the entry.
  ///   - details: what refunds need from these payments; nil if nothing is kept, as if they were pruned.
  ///   - refunds: the refunds that it made, in batch order. Their number must match the entry.
  ///   - agreements: what it adds to agreements, each once. The number of records must match the entry.
  ///   - ruleTexts: the texts of the entry's rules.
  ///   - balances: what it gave each account; nil if that is not kept.
  ///   - threads: the threads that make the blocks of keys and details.
  /// - Returns: the run's number.
  public func enter(
    _ entry: RunEntry, keys: borrowing ClaimedKeys, details: SettledPaymentSorter? = nil,
    refunds: some Sequence<RefundEntry> = EmptyCollection(), agreements: [AgreementEntry] = [],
    ruleTexts: [[UInt8]] = [], balances: AccountEntries? = nil, threads: Int = 1
  ) throws(Failure) -> Int {
    precondition(
      details.map { $0.count == entry.records.settled } ?? true, "details of all settled payments, or none")
    var entry = entry
    (entry.content.detailCount, entry.content.balanceCount) = (details?.count, balances?.count)
    let entered = try writeUpgraded { database in
      let number = (try Int.fetchOne(database, sql: "SELECT max(number) FROM run") ?? 0) + 1
      guard number <= Self.lastRun else {
        throw Failure.configuration("the ledger is full: it has \(number - 1) runs")
      }
      entry.number = number
      try entry.insert(database)
      let digests = try ruleTexts.map { try RuleText.insert(database, $0) }
      precondition(Set(digests) == Set(entry.rules.values), "the texts of the entry's rules")
      try Self.insert(database, keys, run: UInt32(number), threads: threads)
      if let details { try Self.insert(database, details, run: number, threads: threads) }
      try balances?.insert(database, as: AccountList(kind: .run, number: number))
      let refunds = try RefundTable.insert(database, run: number, refunds, hash: hash)
      precondition(refunds == entry.records.refunded, "the number of refunds must match the entry")
      let records = try AgreementTable.insert(database, run: number, agreements, hash: hash)
      precondition(records == entry.records.preapprovals, "the number of preapproval records must match the entry")
      try Self.keep(database, attempt: .run, number)
      return (number, try LedgerSlot(database))
    }
    try keep(entered.1)
    return entered.0
  }

  /// The highest number that a run can have: it must fit above the bits of a row's place.
  static let lastRun = 1 << 23 - 1

  /// The rows of a shard's keys, or of a group of details, that wait for their turn.
  private struct Rows: Sendable {
    var blocks: [(id: Int64, bytes: [UInt8])] = []
    var segment: (KeySegment, filter: [UInt8])?
  }

  private static func insert(
    _ database: Database, _ keys: borrowing ClaimedKeys, run: UInt32, threads: Int
  ) throws {
    var shards: [Int] = []
    for shard in 0..<Fingerprint.shardCount where !keys.settled(shard: shard).isEmpty { shards.append(shard) }
    let first = try KeySegment.nextID(database, count: shards.count)
    let insertBlock = try BlockTable.keys.insert(database)
    try WorkerThreads.inOrder(shards.count, threads: threads) { [shards] place throws in
      let keys = keys.settled(shard: shards[place])
      var rows: [(id: Int64, bytes: [UInt8])] = []
      let id = first + Int64(place)
      var writer = SegmentWriter(id: id, shard: shards[place], keyCount: keys.count) { rows.append(($0, $1)) }
      for place in keys.indices { try writer.append(KeyEntry(key: keys[place], run: run)) }
      let segment = try writer.finish()
      return Rows(blocks: rows, segment: segment)
    } take: { (rows: Rows) throws in
      for block in rows.blocks { try insertBlock.execute(block.id, block.bytes.span) }
      if let (segment, filter) = rows.segment { try segment.insert(database, filter: filter) }
    }
  }

  private static func insert(_ database: Database, _ details: SettledPaymentSorter, run: Int, threads: Int) throws {
    let groups = try details.groups()
    let insert = try BlockTable.details.insert(database)
    try WorkerThreads.inOrder(groups.count, threads: threads) { group throws in
      var writer = DetailWriter(run: run)
      try details.forEach(in: groups[group]) { writer.append($0, $1) }
      writer.finish()
      return Rows(blocks: writer.rows)
    } take: { (rows: Rows) throws in
      for block in rows.blocks { try insert.execute(block.id, block.bytes.span) }
    }
  }

  /// The keys settled by the runs that are entered now.
  ///
  /// Nothing may be written to the ledger while they are in use.
  /// - Parameter readers: how many threads look them up.
  public func keyLookup(readers: Int) throws(Failure) -> KeyLookup {
    try KeyLookup(ledger: place, readers: readers)
  }

  /// What the runs before a given one entered besides pay keys.
  ///
  /// Nothing may be written to the ledger while it is in use.
  public func entryLookup(before run: Int = .max) throws(Failure) -> EntryLookup {
    try EntryLookup(ledger: place, before: run, hash: hash, letsRunsWrite: false)
  }
}
