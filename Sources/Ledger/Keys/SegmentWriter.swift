import FoundationEssentials
import SQLite

/// Writes a segment: keys in ascending order, block by block, and a filter over them.
struct SegmentWriter {
  private let database: Database
  private let insertBlock: Statement
  private let id: Int64
  private let shard: Int
  private var filter: KeyFilter
  private var entries: [KeyEntry] = []
  private var count = 0
  private var lastRun: UInt32 = 0
  private var firstBlock: Int64 = 0

  /// A writer of a segment of at most `keyCount` keys, after all others.
  init(_ database: Database, shard: Int, keyCount: Int) throws {
    self.database = database
    self.shard = shard
    id = try KeySegment.nextID(database)
    filter = KeyFilter(keyCount: keyCount)
    insertBlock = try database.cachedStatement(sql: "INSERT INTO keyBlock (id, entries) VALUES (?, ?)")
    entries.reserveCapacity(KeyBlock.capacity)
  }

  /// The keys it has taken.
  var keyCount: Int { count + entries.count }

  mutating func append(_ entry: KeyEntry) throws {
    if let last = entries.last, !(last.key < entry.key) {
      throw LedgerFailure.damaged("the ledger is damaged: pay keys are out of order")
    }
    if entries.count == KeyBlock.capacity { try writeBlock(next: KeyBlock.id(segment: id, key: entry.key)) }
    entries.append(entry)
    filter.insert(entry.key)
    lastRun = max(lastRun, entry.run)
  }

  /// Writes what is left, and enters the segment; one without keys is none.
  mutating func finish() throws {
    if !entries.isEmpty { try writeBlock(next: 0) }
    guard count > 0 else { return }
    let filter = filter.bytes(id: id)
    let segment = KeySegment(
      id: id, shard: shard, run: Int(lastRun), keyCount: count, firstBlock: firstBlock, filterLength: filter.count)
    try database.cachedStatement(
      sql: "INSERT INTO keySegment (id, shard, run, keyCount, firstBlock, filter, digest) VALUES (?, ?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [id, shard, lastRun, count, firstBlock, filter, segment.digest])
  }

  /// Writes a block.
  ///
  /// - Parameter next: the id of the one after it; 0 if there is none.
  private mutating func writeBlock(next: Int64) throws {
    let block = KeyBlock.id(segment: id, key: entries[0].key)
    if count == 0 { firstBlock = block }
    try insertBlock.execute(arguments: [block, KeyBlock.bytes(of: entries, id: block, next: next)])
    count += entries.count
    entries.removeAll(keepingCapacity: true)
  }
}
