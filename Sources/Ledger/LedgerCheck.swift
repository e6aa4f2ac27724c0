import Claims
import Failures
import SQLite

/// Reads and checks everything in a ledger: SQLite's own check, the lock file, the secret key, runs, pay keys with the
/// details of their payments, refunds, agreements, balances and payouts.
public struct LedgerCheck: Sendable {
  /// What is damaged, in words; empty if everything is as it was written.
  public private(set) var findings: [String] = []
  /// The runs and payouts that count; nil if they cannot be read.
  public private(set) var history: LedgerHistory?
  /// Why a copy without a lock file may not be the newest one; nil if it has a lock file.
  public private(set) var doubt: String?
  /// The number of pay keys.
  public private(set) var keyCount = 0

  /// Reads a ledger, which no run can write to meanwhile; throws if a run is active, or if the file is not a ledger.
  ///
  /// - Parameter isValid: whether the details of a payment are, whose contents are only bytes here.
  public init(
    ledger path: String, isValid: @escaping (Span<UInt8>) -> Bool = { _ in true }
  ) throws(Failure) {
    self = try LedgerPlace.reading(path) { place in
      let path = place.path
      let lock = try LedgerLock(ledger: path)
      defer { lock.removeIfNew() }
      do {
        try LedgerFile.expectWhole(path, size: try LedgerFile.size(path) ?? 0)
        return try LedgerConnection.reading(place) { database in
          try database.read { database in
            var check = try LedgerCheck(database, isValid: isValid)
            if let doubt = try? LedgerSlot.doubt(of: database, known: lock.slot) {
              // A copy has no lock file, and is not damaged by that.
              if lock.isNew {
                check.doubt = doubt
              } else {
                check.findings.append(doubt + (lock.slot.map { "; \($0.described(by: .lockFile))" } ?? ""))
              }
            }
            return check
          }
        }
      } catch {
        let failure = Failure(ofLedger: error)
        guard failure.kind == .damaged || failure.kind == .foreign && !(lock.slot?.isBlank ?? true) else {
          throw failure
        }
        return LedgerCheck(failure.text)
      }
    }
  }

  private init(_ finding: String) { findings = [finding] }

  /// Reads a copy of a ledger, which needs no lock file.
  init(copy path: String) throws {
    // A journal next to it may be applied: it is a copy.
    let database = try LedgerConnection.open(path, isReadOnly: false)
    defer { database.close() }
    self = try database.read { try LedgerCheck($0) { _ in true } }
  }

  private init(_ database: Database, isValid: @escaping (Span<UInt8>) -> Bool) throws {
    guard try LedgerSchema.state(database).isLedger else {
      throw Failure.foreign("is not a ledger: no run has made it one yet")
    }
    findings = try Self.damage {
      let said = try String.fetchAll(database, sql: "PRAGMA integrity_check")
      if said == ["ok"] { return }
      let text = "SQLite says: \(said.joined(separator: "; "))"
      throw said.contains(where: Self.isUnread)
        ? Failure.inputOutput("the ledger cannot be read: \(text)") : .damaged(text)
    }
    findings += try Self.damage { _ = try KeyedHash.fetch(database) }
    findings += try Self.damage { _ = try LedgerSlot(database) }
    findings += try Self.damage { _ = try Ledger.attempt(database) }
    var runs: [RunEntry?] = []
    findings += try Self.damage {
      runs = Array(repeating: nil, count: try Int.fetchOne(database, sql: "SELECT max(number) FROM run") ?? 0)
    }
    for place in runs.indices {
      findings += try Self.damage {
        guard let row = try EntryTable.row(database, .run(place + 1))
        else { throw Failure.damagedLedger("run \(place + 1) is gone") }
        runs[place] = try RunEntry(row, database)
      }
    }
    var keys = Array(repeating: 0, count: runs.count)
    var blocks = 0
    findings += try Self.damage {
      var details = try DetailCheck(database, runs, isValid: isValid)
      for segment in try KeySegment.all(database) {
        blocks += try segment.count(database, into: &keys) { try details.check($0, run: $1) }
      }
      try Self.expect(runs, \.settled, "settled", "payments", keys, "pay keys")
      guard try BlockTable.keys.count(database) == blocks else {
        throw Failure.damagedLedger("it has blocks of pay keys that belong to no run")
      }
      try details.finish()
    }
    findings += try Self.damage { try RuleText.check(database) }
    findings += try Self.damage {
      var refunds = Array(repeating: 0, count: runs.count)
      try RefundTable.check(database, hash: KeyedHash.fetch(database), into: &refunds)
      try Self.expect(runs, \.refunded, "made", "refunds", refunds, "refunds")
    }
    findings += try Self.damage {
      var records = Array(repeating: 0, count: runs.count)
      try AgreementTable.check(database, hash: KeyedHash.fetch(database), into: &records)
      try Self.expect(runs, \.preapprovals, "took", "preapproval records", records, "preapproval records")
    }
    findings += try Self.damage { try BookCheck.check(database, runs) }
    keyCount = keys.reduce(0, +)
    history = try? LedgerHistory(database).counted
  }

  /// Throws if the ledger's number of entries for a run differs from the number in the run's row.
  private static func expect(
    _ runs: [RunEntry?], _ number: KeyPath<RecordCounts, Int>, _ did: String, _ what: String, _ found: [Int],
    _ entries: String
  ) throws(Failure) {
    for (run, found) in zip(runs, found) {
      guard let run, run.records[keyPath: number] != found else { continue }
      throw .damagedLedger(
        "run \(run.number) \(did) \(run.records[keyPath: number]) \(what), "
          + "and has \(found) \(entries)")
    }
  }

  /// Runs a part of the check, and returns the damage that it finds. What cannot be read at all is not damage.
  private static func damage(_ part: () throws -> Void) throws(Failure) -> [String] {
    do {
      try part()
    } catch {
      let failure = Failure(ofLedger: error)
      switch failure.kind {
      case .inputOutput, .busy, .unavailable, .unreadable: throw failure
      default: return [failure.text]
      }
    }
    return []
  }

  /// Whether SQLite's own check says that it could not read a page.
  private static func isUnread(_ finding: String) -> Bool {
    // 10 is SQLITE_IOERR; the bits above it say more.
    guard let start = finding.firstRange(of: "error code=")?.upperBound else {
      return finding.contains("disk I/O error")
    }
    return Int(finding[start...].prefix { $0.isNumber }).map { $0 & 0xFF == 10 } ?? false
  }
}

extension KeySegment {
  /// Reads all keys of the segment and counts them by run, at the index one below the run's number.
  ///
  /// Throws if they are not what was written. Returns the number of blocks.
  ///
  /// - Parameter take: called with each key and its run.
  fileprivate func count(
    _ database: Database, into keys: inout [Int], _ take: (Fingerprint, Int) throws -> Void
  ) throws -> Int {
    let damaged = Failure.damagedLedger("the pay keys of segment \(id) are not what was written")
    var words = [UInt64](repeating: 0, count: filterLength / 8 + 1)
    var filter = words.mutableSpan
    let filterBlocks = try loadFilter(database, fold: 1, into: &filter)
    let range = BlockTable.keys.ids(of: id)
    let rows = try BlockTable.keys.between(database)
    var (blocks, count, next, last) = (0, 0, firstBlock, Fingerprint?.none)
    try rows.forEach(range.lowerBound, range.upperBound) { row in
      guard row.number(0) == next else { throw damaged }
      let block = try KeyBlock(row.bytes(1), id: next)
      for place in 0..<block.count {
        let (key, run) = (block.key(place), Int(block.run(place)))
        let start = KeyFilter.block(of: key, among: filterBlocks) * KeyFilter.blockWords
        guard last.map({ $0 < key }) ?? true, key.shard == shard, run > 0, run <= keys.count,
          KeyFilter.mayHold(key, block: words.span.extracting(start..<start + KeyFilter.blockWords))
        else { throw damaged }
        keys[run - 1] += 1
        try take(key, run)
        last = key
      }
      (blocks, count, next) = (blocks + 1, count + block.count, block.next)
      return true
    }
    guard count == keyCount, next == 0 else { throw damaged }
    return blocks
  }
}
