import FileSystem
import Postings

/// A file of a batch that was settled stretch by stretch.
struct StretchedFile {
  /// What reports say of it.
  let file: StoredFile
  /// All its stretches, in order.
  let stretches: [StretchResult]
}

extension BatchRun {
  /// Makes the reports of a batch whose stretches were settled apart: those of a run, byte for byte.
  ///
  /// - Parameters:
  ///   - files: the files in batch order.
  ///   - record: gives a record by the place of its file and its offset in the file's text; asked for those whose claim
  ///     an earlier stretch has.
  static func report(
    _ files: [StretchedFile], by settling: StretchSettling, to destination: some ReportDestination,
    record: (_ file: Int, _ offset: Int, _ length: Int) throws(RunFailure) -> UnsafePointer<UInt8>
  ) throws(RunFailure) -> RunResult {
    let sink = try SettlementSink(destination)
    let accounts = AccountTotals()
    let reports = StretchReports(
      sink, fileNames: files.map { Array($0.file.name.utf8) }, scratch: settling.options.scratch)
    let merge = StretchMerge(
      purpose: settling.purpose, options: settling.options, hash: settling.hash, accounts: accounts, earlier: nil,
      to: reports)
    var textBytes = 0
    for (number, file) in files.enumerated() {
      var place = StretchPlace(file: number, line: 1, offset: 0)
      for stretch in file.stretches {
        try merge.append(stretch, at: place) { claim throws(RunFailure) in
          try record(number, place.offset + claim.line, claim.length)
        }
        place.line += stretch.lineFeeds
        place.offset += stretch.textBytes
      }
      textBytes += place.offset
    }
    try merge.settleRefunds(of: reports, options: settling.options)
    let result = try reports.finish(
      merge.totals, accounts: accounts, files: files.map(\.file), textBytes: textBytes, textDigests: [],
      options: settling.options)
    try sink.finish()
    try writeSums(
      result, SettledAccounts(payments: accounts, refunds: reports.refundAccounts), merge.agreements.reported,
      threads: settling.options.threads, to: destination)
    return result
  }
}
