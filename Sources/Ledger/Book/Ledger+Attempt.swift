import Claims
import Failures
import FileSystem
import SQLite

/// What a run is working on, recorded so that the next run finds what it left behind.
public struct Attempt: Sendable, Equatable {
  /// The bytes of the absolute path of the directory that it makes.
  public let directory: [UInt8]
  /// Whether it replaces an existing directory.
  public let replaces: Bool
  /// What it has entered and perhaps not published; nil if it entered nothing.
  public let entered: EntryID?
}

extension Ledger {
  /// What the last run was working on, if it did not record its end.
  public func attempt() throws(Failure) -> Attempt? {
    try read(Self.attempt)
  }

  static func attempt(_ database: Database) throws -> Attempt? {
    try Row.fetchOne(database, sql: "SELECT * FROM attempt").map { row in
      guard try !row.hasColumn("digest") || row.value("digest") == RowDigest.of([row]) else {
        throw Failure.damagedLedger("what the last run was working on is not what was written")
      }
      let entered = try (row.value("run") as Int?).map(EntryID.run) ?? (row.value("payout") as Int?).map(EntryID.payout)
      return Attempt(directory: try row.bytes("directory"), replaces: try row.value("replaces"), entered: entered)
    }
  }

  /// Notes the number of the run or payout that the attempt has entered, or that it is withdrawn; throws if another run
  /// has ended the attempt.
  static func keep(_ database: Database, attempt kind: EntryKind, _ number: Int?) throws {
    try database.execute(sql: "UPDATE attempt SET \(kind) = ?", arguments: [number])
    guard database.changesCount == 1 else { throw interrupted }
    try keepAttemptDigest(database)
  }

  static func keepAttemptDigest(_ database: Database) throws {
    // A ledger of an earlier version has no digest.
    guard let row = try Row.fetchOne(database, sql: "SELECT * FROM attempt"), row.hasColumn("digest") else { return }
    try database.execute(sql: "UPDATE attempt SET digest = ?", arguments: [RowDigest.of([row])])
  }

  static let interrupted = Failure.busy(
    "another run has ended this one: it uses the ledger under another name")

  /// Begins a run that makes a directory. What an earlier run left behind must be cleaned up before.
  ///
  /// Throws if another run is using this ledger.
  public func begin(directory: [UInt8], replaces: Bool) throws(Failure) {
    try write { database in
      // What an earlier run left behind is cleaned up by now. An attempt that began since has found the ledger under
      // another name, and so has another lock: a hard link, or a mount of the file alone.
      guard try Int.fetchOne(database, sql: "SELECT count(*) FROM attempt") == 0 else {
        throw Failure.busy("another run is using this ledger under another name")
      }
      try database.execute(
        sql: "INSERT INTO attempt (directory, replaces) VALUES (?, ?)", arguments: [directory, replaces])
      try Self.keepAttemptDigest(database)
    }
  }

  /// Ends a run: its reports are published, or nothing of it is left. If it added keys, segments are merged.
  ///
  /// - Parameter newKeys: the keys that it added.
  public func end(newKeys: Int = 0) throws(Failure) {
    try Interruption.uninterrupted { () throws(Failure) in
      do throws(Failure) {
        try database.telling {
          try setCache(newKeys > 0 ? Self.mergingCache : LedgerConnection.ordinaryCache)
          try database.write { database in
            if let entered = try Self.attempt(database)?.entered, entered.kind == .payout {
              try AccountList.removeOfEarlierPayouts(database, before: entered.number)
            }
            try Self.forgetAttempt(database)
            if newKeys > 0 { try Self.mergeSegments(database, newKeys: newKeys) }
          }
          try setCache(LedgerConnection.ordinaryCache)
        }
      } catch  where newKeys > 0 {
        // Merging can wait. It needs the most disk space.
        try write(Self.forgetAttempt)
      }
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
    // The file grows by a quarter at most. In a ledger of few nights that would be exceeded, so each shard reuses the
    // pages of the one before it.
    let keepsBlocks = 4 * merges.reduce(0) { $0 + keys($1.segments) } <= shards.reduce(0) { $0 + keys($1) }
    for (shard, segments) in merges {
      try SegmentMerge.merge(database, shard: shard, segments: segments)
      if !keepsBlocks { try SegmentMerge.removeBlocks(database, of: segments.map(\.id)) }
    }
    for (_, segments) in merges where keepsBlocks { try SegmentMerge.removeBlocks(database, of: segments.map(\.id)) }
  }
}
