import Claims
import FoundationEssentials
import SQLite

/// What a run is at work on, so that the next one finds what it left.
public struct Attempt: Sendable, Equatable {
  /// The bytes of the absolute path of the directory that it makes.
  public let directory: [UInt8]
  /// Whether it replaces a directory of that name.
  public let replaces: Bool
  /// The run it has entered and, for all that is known, not published; nil if it entered none.
  public let run: Int?
  /// The payout it has entered and, for all that is known, not published; nil if it entered none.
  public internal(set) var payout: Int?
}

extension Ledger {
  /// What the last run was at work on, where it did not say that it had ended.
  public func attempt() throws(LedgerFailure) -> Attempt? {
    try read(Self.attempt)
  }

  static func attempt(_ database: Database) throws -> Attempt? {
    try Row.fetchOne(database, sql: "SELECT * FROM attempt").map {
      Attempt(
        directory: try $0.bytes("directory"), replaces: try $0.value("replaces"), run: try $0.value("run"),
        payout: try $0.value("payout"))
    }
  }

  /// Begins a run that makes a directory. What an earlier one left has to be put right before.
  ///
  /// Throws if another run is at work with this ledger.
  public func begin(directory: [UInt8], replaces: Bool) throws(LedgerFailure) {
    try write { database in
      // What an earlier run left is put right by now. One that began since has found the ledger under another name,
      // and with it another lock: a hard link, or a mount of the file alone.
      guard try Int.fetchOne(database, sql: "SELECT count(*) FROM attempt") == 0 else {
        throw LedgerFailure.busy("another run is at work with this ledger, which it knows by another name")
      }
      try database.execute(
        sql: "INSERT INTO attempt (directory, replaces) VALUES (?, ?)", arguments: [directory, replaces])
    }
  }

  /// Ends a run: its reports stand, or nothing of it is left. Where it added keys, segments are merged.
  ///
  /// - Parameter newKeys: the keys that it added.
  public func end(newKeys: Int = 0) throws(LedgerFailure) {
    do throws(LedgerFailure) {
      try LedgerFailure.telling {
        try setCache(newKeys > 0 ? Self.mergingCache : LedgerConnection.ordinaryCache)
        try database.write { database in
          try Self.forgetAttempt(database)
          if newKeys > 0 { try Self.mergeSegments(database, newKeys: newKeys) }
        }
        try setCache(LedgerConnection.ordinaryCache)
      }
    } catch  where newKeys > 0 {
      // Merging can wait; it takes most of the room on the disk.
      try write(Self.forgetAttempt)
    }
  }

  private func setCache(_ size: Int) throws {
    try database.execute(sql: "PRAGMA cache_size = -\(size)")
  }

  private static func forgetAttempt(_ database: Database) throws {
    try database.execute(sql: "DELETE FROM attempt")
  }

  private static func mergeSegments(_ database: Database, newKeys: Int) throws {
    var shards = [[KeySegment]](repeating: [], count: Fingerprint.shardCount)
    for segment in try KeySegment.all(database) { shards[segment.shard].append(segment) }
    let plan = MergePlan.merges(shards.map { $0.map(\.keyCount) }, budget: MergePlan.budget(newKeys: newKeys))
    let merges = plan.map { (shard: $0.shard, segments: Array(shards[$0.shard][$0.first...])) }
    func keys(_ segments: [KeySegment]) -> Int { segments.reduce(0) { $0 + $1.keyCount } }
    // A quarter more of the file at most; of a ledger of few nights as much as all is merged, and each shard takes the
    // pages of the one before it.
    let keepsBlocks = 4 * merges.reduce(0) { $0 + keys($1.segments) } <= shards.reduce(0) { $0 + keys($1) }
    for (shard, segments) in merges {
      try SegmentMerge.merge(database, shard: shard, segments: segments)
      if !keepsBlocks { try SegmentMerge.removeBlocks(database, of: segments.map(\.id)) }
    }
    for (_, segments) in merges where keepsBlocks { try SegmentMerge.removeBlocks(database, of: segments.map(\.id)) }
  }
}
