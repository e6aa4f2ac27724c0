import SQLite

extension Ledger {
  /// Pages of a database that are copied while it is locked: 16 MiB.
  private static let copiedAtOnce: Int32 = 4096

  /// Copies a ledger, as it stands between two transactions, into an empty file: by SQLite's online backup, which lets a
  /// run that is at work write in between, and then begins anew.
  ///
  /// The copy knows nothing of what a run is at work on, and has not entered yet.
  public static func copy(_ path: String, into copy: String) throws(LedgerFailure) {
    try LedgerFailure.reading(path) { path in
      try LedgerConnection.reading(path) { source in
        let target = try LedgerConnection.open(copy, isReadOnly: false)
        defer { target.close() }
        // It is taken away if this is interrupted, and synced by whoever gives it its name.
        try target.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        guard try LedgerSchema.state(source).isLedger else {
          throw LedgerFailure.foreign("is no ledger: no run has made it one yet")
        }
        // Merging keys may keep it locked for minutes.
        try source.execute(sql: "PRAGMA busy_timeout = 600000")
        try source.backup(to: target, pagesPerStep: copiedAtOnce)
        try target.execute(sql: "DELETE FROM attempt WHERE run IS NULL AND payout IS NULL")
      }
    }
  }
}
