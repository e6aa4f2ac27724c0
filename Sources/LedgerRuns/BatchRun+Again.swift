import Documents
import BatchRun
import Failures
import FileSystem

extension BatchRun {
  /// Settles a batch once more and gives its reports, one after the other or in parallel, to a destination.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input. Inputs that can be read only once are copied first.
  ///   - destination: receives every report except `SHA256SUMS`, each from its first byte to its last.
  ///   - told: what earlier runs are reported to have settled; used if there is no ledger.
  ///   - ledger: knows what earlier runs settled; must be opened for the same files and options.
  /// - Returns: a closure that reads the batch's file of an index again and describes its decompressed text as a stored
  ///   file; nil if the file is corrupt. After a failure the destination may hold part of a report.
  public static func settleAgain(
    _ paths: [String], to destination: some ReportDestination, options: RunOptions, told: ReportedSettlements? = nil,
    ledger: BatchLedger? = nil, progress: RunProgress? = nil
  ) throws(Failure) -> (_ place: Int) throws(Failure) -> StoredFile? {
    let sources =
      if let ledger { ledger.sources } else {
        try InputCopy.sources(paths, beside: OutputPlace(path: options.scratch))
      }
    let earlier = try ledger?.earlier(threads: options.threads) ?? told.map(SettlementLookup.init)
    defer { earlier?.close() }
    let result = try settle(sources, to: destination, options: options, earlier: earlier, progress: progress).result
    try ledger?.finish(result)
    return { place throws(Failure) in try BatchContent.text(of: sources[place]) }
  }
}
