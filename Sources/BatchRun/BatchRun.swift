import Failures
import FileSystem
import Ledger
import Postings
import Reports
import Text
import Version

/// Runs over whole batches.
public enum BatchRun {
  /// The engine's version, as `summary.json` names it.
  public static let version = SettleVersion.number

  /// Settles a batch and publishes its reports as the directory `output`, all or nothing.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - output: the directory to create. It must not exist, unless `replace` is given; its parent must.
  ///   - note: receives messages about repairs after an earlier run.
  /// - Returns: the result of the batch; the reports are published when it returns.
  public static func settle(
    _ paths: [String], output: String, replace: Bool, options: RunOptions, progress: RunProgress? = nil,
    note: (String) -> Void = { _ in }
  ) throws(Failure) -> RunResult {
    try LedgerNote.resolve(OutputPlace(path: output), except: nil, note: note)
    let directory = try SettlementDirectory(path: output, replaces: replace, threads: options.threads)
    var options = options
    options.scratch = output
    let result = try settle(
      paths.map { InputSource(path: $0) }, to: directory, options: options, progress: progress
    ).result
    try directory.complete()
    progress?.done(.reported)
    try Interruption.uninterrupted { () throws(Failure) in
      try directory.publish()
      progress?.done(.published)
      Interruption.conclude(exitCode: result.exitCode)
    }
    if let left = directory.leftBehind { note("\(left); the next run on this output removes them") }
    return result
  }

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
    ledger: ReadLedger? = nil, progress: RunProgress? = nil
  ) throws(Failure) -> (_ place: Int) throws(Failure) -> StoredFile? {
    let sources =
      if let ledger { ledger.sources } else {
        try InputCopy.sources(paths, beside: OutputPlace(path: options.scratch))
      }
    let earlier = try ledger?.earlier(threads: options.threads) ?? told.map(EarlierSettlements.init)
    defer { earlier?.close() }
    let result = try settle(sources, to: destination, options: options, earlier: earlier, progress: progress).result
    try ledger?.finish(result)
    return { place throws(Failure) in try BatchContent.text(of: sources[place]) }
  }

  /// The same for sources that may be copies, with earlier settlements. `entries` makes what a ledger keeps.
  ///
  /// - Parameter balances: takes what the batch gives each account; nil if no ledger keeps it.
  static func settle(
    _ sources: [InputSource], to destination: some ReportDestination, options: RunOptions,
    earlier: EarlierSettlements? = nil, balances: AccountEntries? = nil, progress: RunProgress?
  ) throws(Failure) -> (
    result: RunResult, entries: () throws(Failure) -> NightEntries
  ) {
    let kinds: [ReportKind] = [.settlement, .exceptions, .refunds]
    let files = try kinds.map { kind throws(Failure) in
      let file = try destination.makeFile(kind.fileName)
      try file.write(kind.header)
      return file
    }
    let pipeline = try BatchPipeline(
      sources, options: options, purpose: .settlement,
      sink: ReportSink(settlement: files[0], exceptions: files[1], refunds: files[2]), earlier: earlier,
      errands: (destination as? SettlementDirectory)?.errands, progress: progress)
    let result = try pipeline.run()
    progress?.done(.settled(result))
    for (kind, file) in zip(kinds, files) { try destination.finish(file, name: kind.fileName) }
    try writeSums(
      result, pipeline.accountTotals, pipeline.agreements, balances, threads: options.threads, to: destination)
    return (result, { () throws(Failure) in try pipeline.takeEntries() })
  }

  /// Writes the reports that contain sums, once the whole batch is settled.
  private static func writeSums(
    _ result: RunResult, _ accounts: SettledAccounts, _ agreements: [AgreementRegister.Named],
    _ balances: AccountEntries?, threads: Int, to destination: some ReportDestination
  ) throws(Failure) {
    try destination.write(.preapprovals) { text in
      text.append(ReportKind.preapprovals.header)
      for named in agreements {
        if let agreement = named.agreement { PreapprovalsReport.append(agreement, key: named.key, to: &text) }
      }
    }
    let receivers = try destination.makeFile(ReportKind.receivers.fileName)
    try receivers.writeReceivers(accounts, threads: threads, balances: balances)
    try destination.finish(receivers, name: ReportKind.receivers.fileName)
    try destination.writeTotals(of: result)
  }

  /// Checks a batch without settling it. What `findings` lists goes to `output`, including errors of the batch as a
  /// whole.
  ///
  /// - Parameter ledger: knows what earlier runs settled; must be opened for the same files and options.
  public static func validate(
    _ paths: [String], findings: FindingsList, options: RunOptions, ledger: ReadLedger? = nil,
    progress: RunProgress? = nil,
    output: @escaping (UnsafePointer<UInt8>, Int) throws(Failure) -> Void
  ) throws(Failure) -> RunResult {
    try validate(
      ledger?.sources ?? paths.map { InputSource(path: $0) }, findings: findings, options: options, ledger: ledger,
      progress: progress, output: output)
  }

  /// The same for sources that may be copies; the trace records what some claims meet.
  static func validate(
    _ sources: [InputSource], findings: FindingsList, options: RunOptions, ledger: ReadLedger?,
    trace: ClaimTrace? = nil, progress: RunProgress? = nil,
    output: @escaping (UnsafePointer<UInt8>, Int) throws(Failure) -> Void
  ) throws(Failure) -> RunResult {
    var text = TextBuffer()
    findings.begin(version: version, to: &text)
    try output(text.bytes, text.count)
    text.removeAll()
    let earlier = try ledger?.earlier(threads: options.threads)
    defer { earlier?.close() }
    do throws(Failure) {
      let pipeline = try BatchPipeline(
        sources, options: options,
        purpose: .validation(listsNotices: findings.listsNotices),
        sink: ReportSink(findings: FindingsWriter(output)),
        earlier: earlier, findings: findings, trace: trace, progress: progress)
      let result = try pipeline.run()
      try ledger?.finish(result)
      findings.end(exitCode: result.exitCode, isComplete: true, to: &text)
      try output(text.bytes, text.count)
      return result
    } catch {
      end(findings, with: error, to: &text)
      try output(text.bytes, text.count)
      throw error
    }
  }

  /// Writes the findings of a validation that failed before it began.
  public static func validate(
    _ findings: FindingsList, failed failure: Failure,
    output: (UnsafePointer<UInt8>, Int) throws(Failure) -> Void
  ) throws(Failure) {
    var text = TextBuffer()
    findings.begin(version: version, to: &text)
    end(findings, with: failure, to: &text)
    try output(text.bytes, text.count)
  }

  private static func end(_ findings: FindingsList, with failure: Failure, to text: inout TextBuffer) {
    var reason: String?
    if case .batch(let error) = failure.kind { findings.append(error, to: &text) } else { reason = failure.message }
    findings.end(exitCode: failure.exitCode, isComplete: false, failure: reason, to: &text)
  }
}

/// Writes the lines of a validation.
private final class FindingsWriter: ReportWriter {
  private let output: (UnsafePointer<UInt8>, Int) throws(Failure) -> Void

  init(_ output: @escaping (UnsafePointer<UInt8>, Int) throws(Failure) -> Void) { self.output = output }

  func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) { try output(bytes, count) }
}
