import Claims
import Digests
import Failures
import SQLite
import Text

/// A sorted list of pay keys of one shard, without the keys themselves.
struct KeySegment: Equatable {
  /// Its id: newer segments have higher ones.
  let id: Int64
  let shard: Int
  /// The last run whose keys it contains.
  let run: Int
  let keyCount: Int
  /// The id of its first block.
  let firstBlock: Int64
  /// The length of its filter as stored, with its checksum.
  let filterLength: Int

  /// One above the last segment number that fits into the ids of blocks.
  private static let endOfIDs: Int64 = 1 << 23
  private static let mostKeys = 1 << 40

  /// All segments, by shard, the oldest first; throws if a row is not what was written.
  static func all(_ database: Database) throws -> [KeySegment] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT id, shard, run, keyCount, firstBlock, length(filter) AS length, digest
        FROM keySegment ORDER BY shard, id
        """)
    return try rows.map { row in
      let segment = KeySegment(
        id: try row.value("id"), shard: try row.value("shard"), run: try row.value("run"),
        keyCount: try row.value("keyCount"), firstBlock: try row.value("firstBlock"),
        filterLength: try row.value("length"))
      guard (1..<endOfIDs).contains(segment.id), (0..<Fingerprint.shardCount).contains(segment.shard),
        (1...mostKeys).contains(segment.keyCount), segment.filterLength > 0,
        BlockTable.keys.ids(of: segment.id).contains(segment.firstBlock),
        try row.value("digest") == segment.digest
      else { throw Failure.damagedLedger("a segment of pay keys is not what was written") }
      return segment
    }
  }

  /// XXH3 of everything except the keys.
  var digest: Int64 {
    var fields = TextBuffer()
    for field in [id, Int64(shard), Int64(run), Int64(keyCount), firstBlock, Int64(filterLength)] {
      fields.append(littleEndian: field)
    }
    return Int64(bitPattern: XXH3.checksum(of: fields.span))
  }

  /// Enters the segment. Its blocks must be entered already.
  func insert(_ database: Database, filter: [UInt8]) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO keySegment (id, shard, run, keyCount, firstBlock, filter, digest)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [id, shard, run, keyCount, firstBlock, filter, digest])
  }

  /// The id of the next segment.
  ///
  /// - Parameter count: how many segments follow, of which this is the first.
  static func nextID(_ database: Database, count: Int = 1) throws -> Int64 {
    let id = (try Int64.fetchOne(database, sql: "SELECT max(id) FROM keySegment") ?? 0) + 1
    guard id + Int64(count) <= endOfIDs else {
      throw Failure.configuration("the ledger is full: it has no id left for a segment")
    }
    return id
  }

  /// Reads the segment's filter, and lays every `fold` of its blocks over each other.
  ///
  /// - Parameter words: zeroed room for what remains of a filter of `filterLength`.
  /// - Returns: the number of remaining blocks.
  func loadFilter(_ database: Database, fold: Int, into words: inout MutableSpan<UInt64>) throws -> Int {
    let row = try database.cachedStatement(sql: "SELECT filter FROM keySegment WHERE id = ?")
    row.bind(id, at: 1)
    defer { row.reset() }
    guard try row.step() else { throw Failure.damagedLedger("a filter is gone") }
    let bytes = row.bytes(0)
    let stored = try KeyFilter.words(in: bytes, id: id)
    // SQLite counts characters if a damaged ledger has a text here.
    guard bytes.count == filterLength else { throw KeyFilter.damaged }
    KeyFilter.fold(stored, by: fold, into: &words)
    return stored.count / (8 * KeyFilter.blockWords) / fold
  }
}
