import Failures
import FileSystem

/// How much of a night a statement shows.
package enum NightRowKind: String, CaseIterable, Sendable {
  /// A row for the night.
  case nights
  /// A row for each payment and refund.
  case payments
}

/// How the directories of nights are read.
package struct NightReading {
  let rows: NightRowKind
  let threads: Int
  /// Makes an empty file for rows that do not fit into memory.
  let makeSpool: () throws(Failure) -> SpoolFile

  package init(
    _ rows: NightRowKind, threads: Int, makeSpool: @escaping () throws(Failure) -> SpoolFile
  ) {
    (self.rows, self.threads, self.makeSpool) = (rows, threads, makeSpool)
  }

  /// What to do if a directory cannot be used.
  var remedy: String {
    let without = "--no-nights makes the statements without the figures of nights, and reads no directory"
    return rows == .nights ? without : "--rows nights reads only receivers.csv; \(without)"
  }
}
