import Claims
import Failures
import SQLite
import Threads

/// One connection that looks for keys in the blocks of segments.
///
/// It reads within one transaction from beginning to end, so that a lookup need not lock the file; no one may write
/// meanwhile. If runs must be able to write, each lookup is a transaction of its own.
final class KeyBlockReader: @unchecked Sendable {  // Every lookup holds the gate.
  /// KiB of pages that are cached: those above the blocks of a hundred million keys. The blocks themselves are read
  /// only once.
  private static let innerPages = 6 * 1024

  private let database: Database
  /// Held while the database is queried: there may be more threads than readers.
  private let gate = Condition()
  /// Nil only at the end: a connection cannot be closed while it has statements.
  private var find: RowLookup?
  /// The block of each segment that was read last for keys in ascending order: the next key is often there.
  private var last: [Int64: (id: Int64, bytes: [UInt8])] = [:]

  init(ledger place: LedgerPlace, letsRunsWrite: Bool = false) throws(Failure) {
    (database, find) = try Failure.telling(place.shown) {
      let database = try LedgerConnection.open(place, isReadOnly: true)
      try database.execute(sql: "PRAGMA cache_size = -\(Self.innerPages)")
      if !letsRunsWrite { try database.execute(sql: "BEGIN") }
      return (
        database,
        try BlockTable.keys.between(database, .last)
      )
    }
  }

  deinit {
    find = nil
    database.close()
  }

  /// The run that settled a key, if a segment holds it.
  ///
  /// Throws if the block that would contain the key is lost.
  /// - Parameters:
  ///   - firstBlock: the id of the segment's first block.
  ///   - isAscending: whether keys are asked for in ascending order.
  func run(
    of key: Fingerprint, segment: Int64, firstBlock: Int64, isAscending: Bool
  ) throws(Failure) -> UInt32? {
    try database.telling {
      if isAscending, let run = try runInLastBlock(key, segment) { return run }
      return try gate.withLock {
        let id = KeyBlock.id(segment: segment, key: key)
        // The first block that is known to begin after the key, or the least id that such a block could have.
        var behind = id + 1
        // Runs once, or twice if a block begins with the same 40 bits as the key and after it.
        while let found = try read(key, segment, before: behind, isKept: isAscending) {
          guard found.isBehind else {
            if let run = found.run { return run }
            try Self.expectNone(from: found.next, before: behind, isThere: behind <= id)
            return nil
          }
          behind = found.id
        }
        try Self.expectNone(from: firstBlock, before: behind, isThere: behind <= id)
        return nil
      }
    }
  }

  /// Throws if the block that should be next does not exist.
  ///
  /// - Parameters:
  ///   - next: the id of that block; 0 if there should be none.
  ///   - behind: the first id after those that were searched in vain.
  ///   - isThere: whether a block has that id.
  private static func expectNone(from next: Int64, before behind: Int64, isThere: Bool) throws(Failure) {
    guard isThere ? next == behind : next == 0 || next >= behind else {
      throw .damagedLedger("a block of pay keys is gone")
    }
  }

  /// The key's run if its segment's last block holds it, or nothing if only that block could; nil if another block may.
  private func runInLastBlock(_ key: Fingerprint, _ segment: Int64) throws -> UInt32?? {
    guard let (id, bytes) = last[segment] else { return nil }
    let block = try KeyBlock(bytes.span, id: id)
    let isThere = block.key(0) <= key && (block.next == 0 || KeyBlock.id(segment: segment, key: key) < block.next)
    return isThere ? .some(block.run(of: key)) : nil
  }

  /// Reads a segment's last block before an id: whether it begins after the key, else the key's run if it is there.
  private func read(
    _ key: Fingerprint, _ segment: Int64, before end: Int64, isKept: Bool
  ) throws -> (id: Int64, isBehind: Bool, run: UInt32?, next: Int64)? {
    var found: (id: Int64, isBehind: Bool, run: UInt32?, next: Int64)?
    try find?.forEach(BlockTable.keys.ids(of: segment).lowerBound, end - 1) { row in
      let (id, bytes) = (row.number(0), row.bytes(1))
      let block = try KeyBlock(bytes, id: id)
      let isBehind = key < block.key(0)
      if isKept, !isBehind { last[segment] = (id, [UInt8](bytes)) }
      found = (id, isBehind, isBehind ? nil : block.run(of: key), block.next)
      return false
    }
    return found
  }
}
