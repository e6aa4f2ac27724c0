import Failures

extension Ledger {
  /// Drops what refunds need from the payments that runs of an earlier day settled; such payments can no longer be
  /// refunded. Pay keys, refunds and agreements stay, as do the payments of runs without a day.
  ///
  /// What is dropped is overwritten with zeros. The file keeps its size; the next runs use the free space.
  /// - Parameter day: in days since 1970-01-01.
  /// - Returns: the numbers of these runs and payments.
  public func prune(before day: Int) throws(Failure) -> (runs: Int, payments: Int) {
    try database.telling {
      // People's accounts must not remain in the file.
      try database.execute(sql: "PRAGMA secure_delete = ON")
    }
    return try write { database in
      let last = try Int.fetchOne(database, sql: "SELECT max(number) FROM run") ?? 0
      let runs = try RunEntry.all(database, "WHERE day < ? AND details > 0", [day])
      for run in runs {
        try BlockTable.details.remove(database, of: Int64(run.number))
        try database.execute(
          sql: "UPDATE run SET details = NULL, pruned = ? WHERE number = ?", arguments: [last, run.number])
        try EntryTable.keepDigest(database, .run(run.number))
      }
      return (runs.count, runs.reduce(0) { $0 + ($1.detailCount ?? 0) })
    }
  }
}
