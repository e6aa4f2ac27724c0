import Claims
import Foundation
import GRDB

/// Runs that are entered: finding them, entering one, withdrawing it.
extension Ledger {
  /// The settled pay keys of a run: 64 lists by shard, each in ascending order.
  public typealias SettledKeys = (_ shard: Int) -> UnsafeBufferPointer<Fingerprint>

  /// The run of an identity, where it is entered.
  public func run(_ identity: RunIdentity) throws(LedgerFailure) -> NumberedRun? {
    try run(
      "content = ? AND schedule = ? AND options = ?",
      [Data(identity.content), Data(identity.schedule), identity.options])
  }

  /// The run of a number, where it is entered.
  public func run(number: Int) throws(LedgerFailure) -> NumberedRun? { try run("number = ?", [number]) }

  private func run(_ condition: String, _ arguments: StatementArguments) throws(LedgerFailure) -> NumberedRun? {
    try read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM run WHERE \(condition) ORDER BY number LIMIT 1", arguments: arguments
      )
      .map { try NumberedRun($0, database: database) }
    }
  }

  /// The number of another run whose reports stand in a directory, by the bytes of its absolute path; nil where none's do.
  public func run(in directory: [UInt8], otherThan number: Int?) throws(LedgerFailure) -> Int? {
    try run("directory = ? AND number <> ?", [Data(directory), number ?? 0])?.number
  }

  /// Whether a run's content may be one that begins so: where not, it is certainly another.
  public func hasRun(opening: [UInt8]) throws(LedgerFailure) -> Bool {
    try read { database in
      try Bool.fetchOne(database, sql: "SELECT 1 FROM run WHERE opening = ?", arguments: [Data(opening)]) ?? false
    }
  }

  /// The number of a run that settled other content under a batch id; nil where there is none.
  public func run(batchKey: Fingerprint, otherThan content: [UInt8]) throws(LedgerFailure) -> Int? {
    try run("batchKey = ? AND content <> ?", [batchKey.bytes, Data(content)])?.number
  }

  /// Enters a run whose reports are complete under their other name, with its settled pay keys: both are there when it
  /// returns, the attempt is that run's, and the lock file says that it is the last one.
  ///
  /// Throws where that failed; whether the run is there is then to be asked (`run(_:)`).
  ///
  /// - Returns: the run's number.
  public func enter(_ entry: RunEntry, keys: SettledKeys) throws(LedgerFailure) -> Int {
    let entered = try write { database in
      let number = (try Int.fetchOne(database, sql: "SELECT max(number) FROM run") ?? 0) + 1
      guard let run = UInt32(exactly: number) else {
        throw LedgerFailure.unusable("the ledger is full: it has \(number - 1) runs")
      }
      try entry.insert(database, number: number)
      for shard in 0..<Fingerprint.shardCount {
        let keys = keys(shard)
        var writer = try SegmentWriter(database, shard: shard, keyCount: keys.count)
        for key in keys { try writer.append(KeyEntry(key: key, run: run)) }
        try writer.finish()
      }
      try database.execute(sql: "UPDATE attempt SET run = ?", arguments: [number])
      guard database.changesCount == 1 else {
        throw LedgerFailure.busy("another run has put an end to this one: it knows the ledger by another name")
      }
      return (number, try RunDigest.slot(database))
    }
    try lock.keep(entered.1)
    return entered.0
  }

  /// Takes a run and its keys out again whose reports were not published; it must be the attempt's.
  public func withdraw(_ number: Int) throws(LedgerFailure) {
    // First: a ledger that has more than its lock file says is right, one that has less is not.
    try lock.keep(read { try RunDigest.slot($0, before: number) })
    try write { database in
      let attempt = try Int.fetchOne(database, sql: "SELECT run FROM attempt")
      precondition(attempt == number, "only a run that is not published can be withdrawn")
      try SegmentMerge.remove(database, run: number)
      try database.execute(sql: "DELETE FROM run WHERE number = ?", arguments: [number])
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
        sql: "UPDATE run SET directory = ?, sums = ? WHERE number = ?", arguments: [Data(directory), sums, number])
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
}
