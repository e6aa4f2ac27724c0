import Failures
import Postings
import Records
import Rules
import Text

/// Makes a text of each settled payment and refund, for `BatchRun.entries`.
public struct EntryWriter: Sendable {
  /// Appends the text for a settled entry, or nothing. Several threads call it at a time, in no particular order, so it
  /// must depend on the entry alone. If a payment's pay key turns out to be repeated, its text is dropped. For refunds
  /// it is called once the batch has ended.
  public let write: @Sendable (SettledEntry, EntryTexts, inout TextBuffer) -> Void
  /// The sides whose sums are wanted in the end: receivers, senders, or neither. They take time and memory.
  public let sums: [AccountSide]

  /// - Parameters:
  ///   - sums: the value of `sums`.
  ///   - write: the value of `write`.
  public init(
    sums: [AccountSide], write: @escaping @Sendable (SettledEntry, EntryTexts, inout TextBuffer) -> Void
  ) {
    self.write = write
    self.sums = sums
  }
}

/// Takes entries, in batch order; those of one payment together.
public protocol EntryDestination: ReportWriter {
  /// Receives the batch's creation time, if its header gives one, before the first record is taken. An error thrown
  /// here ends the run.
  func begin(createdAt: UTCTime?) throws(Failure)
}

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
    _ paths: [String], options: RunOptions, ledger: ReadLedger? = nil, progress: RunProgress? = nil,
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
