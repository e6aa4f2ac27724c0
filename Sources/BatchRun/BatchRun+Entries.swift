import Postings
import Records
import Rules
import Text

/// Makes a text of each settled payment and refund: what `BatchRun.entries` is given.
public struct EntryWriter: Sendable {
  /// Appends what is made of a settled entry, or nothing; called by several threads at a time, in no particular order,
  /// so that it must depend on the entry alone. What it appends for a payment whose pay key turns out to be repeated is
  /// dropped. Of refunds it is called when the batch has ended.
  public let write: @Sendable (SettledEntry, EntryTexts, inout TextBuffer) -> Void
  /// Whose sums are to be known in the end: receivers', senders', or nobody's. They take time and memory.
  public let sums: [AccountSide]

  /// - Parameters:
  ///   - sums: what `sums` is.
  ///   - write: what `write` is.
  public init(
    sums: [AccountSide], write: @escaping @Sendable (SettledEntry, EntryTexts, inout TextBuffer) -> Void
  ) {
    self.write = write
    self.sums = sums
  }
}

extension BatchRun {
  /// Settles a batch once more and makes a text of each settled payment, then of each refund, in batch order, instead of
  /// reports.
  ///
  /// The rules and the rejections are those of a run. What is wrong with the batch as a whole may be known only at its
  /// end: nothing of what the destination got may be published before this returns.
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - ledger: tells what earlier runs settled; opened for the same files and options.
  ///   - writer: makes the texts.
  ///   - destination: takes them.
  /// - Returns: what became of the batch, and the sums that the writer asks for.
  public static func entries(
    _ paths: [String], options: RunOptions, ledger: ReadLedger? = nil, progress: RunProgress? = nil,
    writer: EntryWriter, to destination: any ReportSink
  ) throws(RunFailure) -> (result: RunResult, accounts: AccountTotals) {
    let earlier = try ledger?.earlier(threads: options.threads)
    defer { earlier?.close() }
    let pipeline = try BatchPipeline(
      ledger?.sources ?? paths.map { InputSource(path: $0) }, options: options, purpose: .entries(writer),
      sink: destination, earlier: earlier, progress: progress)
    let result = try pipeline.run()
    try ledger?.finish(result)
    let accounts = pipeline.accountTotals
    accounts.payments.merge(accounts.refunds)
    return (result, accounts.payments)
  }
}
