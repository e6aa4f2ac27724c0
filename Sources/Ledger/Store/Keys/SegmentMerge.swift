import Failures
import FileSystem
import SQLite

/// Reads a segment block by block.
private final class SegmentReader: MergeSource {
  private let blocks: RowLookup
  private let last: Int64
  private var block: Int64
  private var entries: [KeyEntry] = []
  private var place = -1

  init(_ database: Database, id: Int64) throws {
    blocks = try BlockTable.keys.between(database, .first)
    let ids = BlockTable.keys.ids(of: id)
    block = ids.lowerBound
    last = ids.upperBound
  }

  /// The current key.
  var entry: KeyEntry { entries[place] }

  func next() throws -> Bool {
    place += 1
    if place >= entries.count { try readBlock() }
    return place < entries.count
  }

  private func readBlock() throws {
    entries.removeAll(keepingCapacity: true)
    place = 0
    try blocks.forEach(block, last) { row in
      let stored = try KeyBlock(row.bytes(1), id: row.number(0))
      for place in 0..<stored.count { entries.append(KeyEntry(key: stored.key(place), run: stored.run(place))) }
      block = row.number(0) + 1
      return false
    }
  }

  var prefix: UInt128 { UInt128(entry.key.high) << 64 | UInt128(entry.key.low) }

  func compare(_ other: SegmentReader) -> Int { 0 }
}

/// Merges several segments into one.
enum SegmentMerge {
  /// Merges segments of a shard; the keys stay the same. The blocks of the old ones are left to `removeBlocks`.
  static func merge(_ database: Database, shard: Int, segments: [KeySegment]) throws {
    let count = segments.reduce(0) { $0 + $1.keyCount }
    let insertBlock = try BlockTable.keys.insert(database)
    var writer = SegmentWriter(id: try KeySegment.nextID(database), shard: shard, keyCount: count) { id, bytes in
      try insertBlock.execute(id, bytes.span)
    }
    var merge = try Merge(segments.map { try SegmentReader(database, id: $0.id) })
    while writer.keyCount < count, let (_, reader) = merge.next {
      try writer.append(reader.entry)
      try merge.advance()
    }
    guard merge.next == nil, writer.keyCount == count else {
      throw Failure.damagedLedger("the pay-key count does not match")
    }
    for segment in segments {
      try database.execute(sql: "DELETE FROM keySegment WHERE id = ?", arguments: [segment.id])
    }
    if let (segment, filter) = try writer.finish() { try segment.insert(database, filter: filter) }
  }

  /// Deletes the blocks of merged segments.
  ///
  /// Best after everything else in the transaction is written: a page that is freed and reused within it must first be
  /// copied to the journal. The next night uses these pages.
  static func removeBlocks(_ database: Database, of segments: [Int64]) throws {
    for segment in segments { try BlockTable.keys.remove(database, of: segment) }
  }

  /// Removes the segments that only a run has written, with its keys.
  static func remove(_ database: Database, run: Int) throws {
    let segments = try Int64.fetchAll(database, sql: "SELECT id FROM keySegment WHERE run = ?", arguments: [run])
    try removeBlocks(database, of: segments)
    try database.execute(sql: "DELETE FROM keySegment WHERE run = ?", arguments: [run])
  }
}
