import BatchRun
import Failures
import Postings

extension BatchRun {
  /// Settles a batch once more and makes a text of each settled payment, then of each refund, in batch order, instead
  /// of reports.
  ///
  /// The rules and the rejections are those of a run. An error of the batch as a whole may show only at its end: do not
  /// publish what the destination received before this returns.
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - ledger: knows what earlier runs settled; must be opened for the same files and options.
  ///   - writer: makes the texts.
  ///   - destination: takes them.
  /// - Returns: the result of the batch, and the sums that the writer asks for.
  public static func entries(
    _ paths: [String], options: RunOptions, ledger: BatchLedger? = nil, progress: RunProgress? = nil,
    writer: EntryWriter, to destination: any EntryDestination
  ) throws(Failure) -> (result: RunResult, accounts: AccountTotals) {
    let earlier = try ledger?.earlier(threads: options.threads)
    defer { earlier?.close() }
    let pipeline = try BatchPipeline(
      ledger?.sources ?? paths.map { InputSource(path: $0) }, options: options, purpose: .entries(writer),
      sink: ReportSink(entries: destination), earlier: earlier, progress: progress)
    let result = try pipeline.run()
    try ledger?.finish(result)
    let accounts = pipeline.accountTotals
    accounts.payments.merge(accounts.refunds)
    return (result, accounts.payments)
  }
}
