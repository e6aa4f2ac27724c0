import Claims
import FoundationEssentials
import SQLite
import Threads

/// Runs that are entered: finding them, entering one, withdrawing it.
extension Ledger {
  /// The run of one of the identities that a batch has, if it is entered.
  public func run(_ identities: [RunIdentity]) throws(LedgerFailure) -> NumberedRun? {
    for identity in identities {
      let found = try run(
        "content = ? AND schedule = ? AND options = ? AND pieces IS \(identity.isPlain ? "NULL" : "NOT NULL")",
        [identity.content, identity.schedule, identity.options])
      if let found { return found }
    }
    return nil
  }

  /// The run of a number, if it is entered.
  public func run(number: Int) throws(LedgerFailure) -> NumberedRun? { try run("number = ?", [number]) }

  /// The last run over some content, by any of its digests and whatever its rules; nil if no run settled it.
  public func lastRun(contents: [[UInt8]]) throws(LedgerFailure) -> NumberedRun? {
    try run("content IN \(Self.places(contents))", contents, order: "number DESC")
  }

  /// Whether a run was entered by the plain digests of its texts.
  public func hasPlainRuns() throws(LedgerFailure) -> Bool { try run("pieces IS NULL", []) != nil }

  private static func places(_ values: [[UInt8]]) -> String {
    "(\(values.map { _ in "?" }.joined(separator: ", ")))"
  }

  private func run(
    _ condition: String, _ arguments: [any DatabaseValue], order: String = "number"
  ) throws(LedgerFailure) -> NumberedRun? {
    try read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM run WHERE \(condition) ORDER BY \(order) LIMIT 1", arguments: arguments
      )
      .map { try NumberedRun($0, database: database) }
    }
  }

  /// The bytes of the absolute paths of the runs' directories, in the order of the runs, then of the payouts'.
  public func directories() throws(LedgerFailure) -> [(holder: String, directory: [UInt8])] {
    try read { database in
      try ["run", "payout"].flatMap { kind in
        try Row.fetchAll(database, sql: "SELECT number, directory FROM \(kind) ORDER BY number").map {
          ("\(kind) \(try $0.value("number") as Int)", try $0.bytes("directory"))
        }
      }
    }
  }

  /// Whether a run's content may be one that begins so: where not, it is certainly another.
  public func hasRun(opening: [UInt8]) throws(LedgerFailure) -> Bool {
    try read { database in
      try Bool.fetchOne(database, sql: "SELECT 1 FROM run WHERE opening = ?", arguments: [opening]) ?? false
    }
  }

  /// The number of a run that settled other content under a batch id; nil if there is none.
  public func run(batchKey: Fingerprint, otherThan contents: [[UInt8]]) throws(LedgerFailure) -> Int? {
    try run("batchKey = ? AND content NOT IN \(Self.places(contents))", [batchKey.bytes] + contents)?.number
  }

  /// Enters a run whose reports are complete under their other name, with its settled pay keys and what else later runs may
  /// ask for: all is there when it returns, the attempt is that run's, and the lock file says that it is the last one.
  ///
  /// Throws if that failed; whether the run is there is then to be asked (`run(_:)`).
  ///
  /// - Parameters:
  ///   - keys: the pay keys of the payments that it settled, as many as the entry says: those of each of 64 shards in
  ///     ascending order.
  ///   - details: what refunds need of these payments; nil if nothing is kept, as if they were pruned.
  ///   - refunds: the refunds that it made, in batch order, as many as the entry says.
  ///   - agreements: what it adds to agreements, each once; as many records as the entry says.
  ///   - ruleTexts: the texts of the entry's rules.
  ///   - balances: what it gave each account; nil if that is not kept.
  ///   - threads: the threads that make the blocks of keys and details.
  /// - Returns: the run's number.
  public func enter(
    _ entry: RunEntry, keys: (_ shard: Int) -> UnsafeBufferPointer<Fingerprint>, details: SettledPaymentSorter? = nil,
    refunds: some Sequence<RefundEntry> = EmptyCollection(), agreements: [AgreementEntry] = [],
    ruleTexts: [[UInt8]] = [], balances: AccountEntries? = nil, threads: Int = 1
  ) throws(LedgerFailure) -> Int {
    precondition(
      details.map { $0.count == entry.records.settled } ?? true, "details of each settled payment, or of none")
    let entered = try write { database in
      let number = (try Int.fetchOne(database, sql: "SELECT max(number) FROM run") ?? 0) + 1
      guard number <= Self.lastRun else {
        throw LedgerFailure.unusable("the ledger is full: it has \(number - 1) runs")
      }
      try entry.insert(database, number: number, detailCount: details?.count, balanceCount: balances?.count)
      let digests = try ruleTexts.map { try RuleText.insert(database, $0) }
      precondition(Set(digests) == Set(entry.rules.values), "the texts of the entry's rules")
      try Self.insert(database, (0..<Fingerprint.shardCount).map(keys), run: UInt32(number), threads: threads)
      if let details { try Self.insert(database, details, run: number, threads: threads) }
      try balances?.insert(database, as: AccountList(kind: .run, number: number))
      let refunds = try RefundTable.insert(database, run: number, refunds, hash: hash)
      precondition(refunds == entry.records.refunded, "as many refunds as the entry says")
      let records = try AgreementTable.insert(database, run: number, agreements, hash: hash)
      precondition(records == entry.records.preapprovals, "as many preapproval records as the entry says")
      try database.execute(sql: "UPDATE attempt SET run = ?", arguments: [number])
      guard database.changesCount == 1 else { throw Self.interrupted }
      return (number, try RunDigest.slot(database))
    }
    try lock.keep(entered.1)
    return entered.0
  }

  /// The last number that a run can have: one that fits before the bits of a row's place.
  static let lastRun = 1 << 23 - 1

  /// The rows of a shard's keys, or of a group of details, before it is their turn.
  private struct Rows: Sendable {
    var blocks: [(id: Int64, bytes: [UInt8])] = []
    var segment: (KeySegment, filter: [UInt8])?
  }

  private static func insert(
    _ database: Database, _ shards: [UnsafeBufferPointer<Fingerprint>], run: UInt32, threads: Int
  ) throws {
    nonisolated(unsafe) let shards = shards.enumerated().filter { !$0.element.isEmpty }
    let first = try KeySegment.nextID(database, count: shards.count)
    let insertBlock = try KeyBlock.insert(database)
    try WorkerThreads.inOrder(shards.count, threads: threads) { place in
      Result<Rows, any Error> {
        let (shard, keys) = shards[place]
        var rows: [(id: Int64, bytes: [UInt8])] = []
        let id = first + Int64(place)
        var writer = SegmentWriter(id: id, shard: shard, keyCount: keys.count) { rows.append(($0, $1)) }
        for key in keys { try writer.append(KeyEntry(key: key, run: run)) }
        let segment = try writer.finish()
        return Rows(blocks: rows, segment: segment)
      }
    } take: { (made: Result<Rows, any Error>) in
      let rows = try made.get()
      for block in rows.blocks { try insertBlock.execute(arguments: [block.id, block.bytes]) }
      if let (segment, filter) = rows.segment { try segment.insert(database, filter: filter) }
    }
  }

  private static func insert(_ database: Database, _ details: SettledPaymentSorter, run: Int, threads: Int) throws {
    nonisolated(unsafe) let details = details
    let groups = try details.groups()
    let insert = try DetailWriter.insert(database)
    try WorkerThreads.inOrder(groups.count, threads: threads) { group in
      Result<Rows, any Error> {
        var writer = DetailWriter(run: run)
        try details.forEach(in: groups[group]) { writer.append($0, $1) }
        writer.finish()
        return Rows(blocks: writer.rows)
      }
    } take: { (made: Result<Rows, any Error>) in
      for block in try made.get().blocks { try insert.execute(arguments: [block.id, block.bytes]) }
    }
  }

  /// Takes a run whose reports were not published out again, with all that was entered with it; it must be the attempt's.
  public func withdraw(_ number: Int) throws(LedgerFailure) {
    // First: a ledger that has more than its lock file says is right, one that has less is not.
    try lock.keep(read { try RunDigest.slot($0, before: number) })
    try write { database in
      let attempt = try Int.fetchOne(database, sql: "SELECT run FROM attempt")
      precondition(attempt == number, "only a run that is not published can be withdrawn")
      try SegmentMerge.remove(database, run: number)
      try DetailWriter.remove(database, run: number)
      try RefundTable.remove(database, run: number)
      try AgreementTable.remove(database, run: number)
      try AccountList(kind: .run, number: number).remove(database)
      try database.execute(sql: "DELETE FROM run WHERE number = ?", arguments: [number])
      try RuleText.removeUnused(database)
    }
  }

  /// Notes that a run's reports stand elsewhere now.
  ///
  /// - Parameters:
  ///   - directory: the bytes of the absolute path.
  ///   - sums: the text of the `SHA256SUMS` there.
  public func move(_ number: Int, to directory: [UInt8], sums: String) throws(LedgerFailure) {
    try write { database in
      try database.execute(
        sql: "UPDATE run SET directory = ?, sums = ? WHERE number = ?", arguments: [directory, sums, number])
      try RunDigest.keep(database, run: number)
    }
  }

  /// The keys that were settled by the runs that are entered now.
  ///
  /// Nothing may be written to the ledger while they are in use.
  /// - Parameter readers: how many threads look them up.
  public func earlierKeys(readers: Int) throws(LedgerFailure) -> EarlierKeys {
    try EarlierKeys(ledger: path, readers: readers)
  }

  /// What the runs before one entered beside pay keys.
  ///
  /// Nothing may be written to the ledger while it is in use.
  public func earlierEntries(before run: Int = .max) throws(LedgerFailure) -> EarlierEntries {
    try EarlierEntries(ledger: path, before: run, hash: hash, letsRunsWrite: false)
  }
}
