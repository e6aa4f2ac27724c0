import Failures

extension Ledger {
  /// Pages of a database that are copied at a time, while it is locked: 16 MiB.
  private static let copiedAtOnce: Int32 = 4096

  /// Copies a ledger, as of a moment between two transactions, into an empty file. SQLite's online backup lets a run
  /// write in between, and then starts over.
  ///
  /// The copy contains nothing of what a running settlement has not entered yet. Throws if it is damaged.
  public static func copy(_ path: String, into copy: String) throws(Failure) {
    try LedgerPlace.reading(path) { place in
      try LedgerConnection.reading(place) { source in
        let target = try LedgerConnection.open(copy, isReadOnly: false)
        defer { target.close() }
        // If this is interrupted, the copy is removed. The caller that gives it its name syncs it.
        try target.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        guard try LedgerSchema.state(source).isLedger else {
          throw Failure.foreign("is not a ledger: no run has made it one yet")
        }
        // Merging keys may keep it locked for minutes.
        try source.execute(sql: "PRAGMA busy_timeout = 600000")
        try source.backup(to: target, pagesPerStep: copiedAtOnce)
        try target.execute(sql: "DELETE FROM attempt WHERE run IS NULL AND payout IS NULL")
      }
      let findings = try LedgerCheck(copy: copy).findings
      if let first = findings.first {
        let more = findings.count > 1 ? "; settle ledger verify lists all \(findings.count) findings" : ""
        throw Failure.damaged("the ledger is damaged, and no copy was made: \(first)\(more)")
      }
    }
  }
}
