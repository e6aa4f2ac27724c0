import BatchFile
import Reports
import Settlement

/// Runs over whole batches.
public enum BatchRun {
  /// The engine's version, as `summary.json` names it.
  public static let version = "0.1.0"

  /// Settles a batch and publishes its reports as the directory `output`, all or nothing.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - output: the directory to make. It must not exist, unless `replace` is given; its parent must.
  ///   - note: told what was put right of what an earlier run left.
  /// - Returns: what became of the batch; the reports stand when it returns.
  public static func settle(
    _ paths: [String], output: String, replace: Bool, options: RunOptions, progress: RunProgress? = nil,
    note: (String) -> Void = { _ in }
  ) throws(RunFailure) -> RunResult {
    try LedgerLink.resolve(OutputPlace(path: output), except: nil, note: note)
    let directory = try SettlementDirectory(path: output, replaces: replace)
    let result = try settle(paths, to: directory, options: options, progress: progress)
    try directory.complete()
    progress?.done(.reported)
    try Interruption.uninterrupted { () throws(RunFailure) in
      try directory.publish()
      progress?.done(.published)
      Interruption.conclude(exitCode: result.exitCode)
    }
    if let left = directory.leftBehind { note("\(left); the next run on this output does it") }
    return result
  }

  /// Settles a batch and gives its reports, one after the other or side by side, to whoever wants them.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - destination: is given every report but `SHA256SUMS`, each from its first byte to its last.
  ///   - told: what earlier runs are said to have settled.
  /// - Returns: what became of the batch; whether a failure leaves half a report is the destination's to know.
  public static func settle(
    _ paths: [String], to destination: some ReportDestination, options: RunOptions, told: ToldSettlements? = nil,
    progress: RunProgress? = nil
  ) throws(RunFailure) -> RunResult {
    try settle(
      paths.map { InputSource(path: $0) }, to: destination, options: options,
      earlier: told.map { EarlierSettlements($0) }, progress: progress
    ).result
  }

  /// The same of sources that may be copies, beside what earlier runs settled; the settled keys are sorted when asked for.
  static func settle(
    _ sources: [InputSource], to destination: some ReportDestination, options: RunOptions,
    earlier: EarlierSettlements? = nil, progress: RunProgress?
  ) throws(RunFailure) -> (result: RunResult, settledKeys: () -> SettledKeys) {
    let sink = try SettlementSink(destination)
    let pipeline = try BatchPipeline(
      sources, options: options, purpose: .settlement, sink: sink, earlier: earlier, progress: progress)
    let result = try pipeline.run()
    progress?.done(.settled(result))
    try sink.finish()
    try writeReceivers(pipeline.accountTotals, threads: options.threads, to: destination)
    try write(TotalsReport.fileName, to: destination) { TotalsReport.write(result.totals, to: &$0) }
    try write(ControlReport.fileName, to: destination) { ControlReport.write(result.totals, to: &$0) }
    try write(SummaryReport.fileName, to: destination) { text in
      SummaryReport.write(
        version: version, batchID: result.batchID, controlTotals: result.controlTotals,
        files: result.files.map { SummaryReport.StoredFile(name: $0.name, bytes: $0.bytes, sha256: $0.sha256) },
        totals: result.totals, to: &text)
    }
    return (result, { pipeline.takeSettledKeys() })
  }

  /// Checks a batch without settling it: a line for each error and notice goes to `output`.
  public static func validate(
    _ paths: [String], format: FindingsReport.Format, options: RunOptions, progress: RunProgress? = nil,
    output: @escaping (UnsafePointer<UInt8>, Int) throws(RunFailure) -> Void
  ) throws(RunFailure) -> RunResult {
    let pipeline = try BatchPipeline(
      paths.map { InputSource(path: $0) }, options: options, purpose: .validation(format), sink: FindingsSink(output),
      progress: progress)
    return try pipeline.run()
  }

  private static func write(
    _ name: String, to destination: some ReportDestination, body: (inout TextBuffer) -> Void
  ) throws(RunFailure) {
    var text = TextBuffer(capacity: 4096)
    body(&text)
    let file = try destination.makeFile(name)
    try file.write(text.bytes, count: text.count)
    try destination.finish(file, name: name)
  }

  private static func writeReceivers(
    _ accounts: AccountTotals, threads: Int, to destination: some ReportDestination
  ) throws(RunFailure) {
    let file = try destination.makeFile(ReceiversReport.fileName)
    let header = ReceiversReport.header
    try file.write(header.utf8Start, count: header.utf8CodeUnitCount)
    try accounts.write(threads: threads) { (text, count) throws(RunFailure) in try file.write(text, count: count) }
    try destination.finish(file, name: ReceiversReport.fileName)
  }
}

/// The two reports that are written while the batch is read.
private final class SettlementSink<Destination: ReportDestination>: ReportSink {
  private let destination: Destination
  private let settlement: Destination.Report
  private let exceptions: Destination.Report

  init(_ destination: Destination) throws(RunFailure) {
    self.destination = destination
    settlement = try destination.makeFile(SettlementReport.fileName)
    exceptions = try destination.makeFile(ExceptionsReport.fileName)
    let settlementHeader = SettlementReport.header
    try settlement.write(settlementHeader.utf8Start, count: settlementHeader.utf8CodeUnitCount)
    let exceptionsHeader = ExceptionsReport.header
    try exceptions.write(exceptionsHeader.utf8Start, count: exceptionsHeader.utf8CodeUnitCount)
  }

  func takeSettlement(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try settlement.write(text, count: count)
  }

  func takeRows(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try exceptions.write(text, count: count)
  }

  func finish() throws(RunFailure) {
    try destination.finish(settlement, name: SettlementReport.fileName)
    try destination.finish(exceptions, name: ExceptionsReport.fileName)
  }
}

/// The lines of a validation.
private final class FindingsSink: ReportSink {
  private let output: (UnsafePointer<UInt8>, Int) throws(RunFailure) -> Void

  init(_ output: @escaping (UnsafePointer<UInt8>, Int) throws(RunFailure) -> Void) {
    self.output = output
  }

  func takeSettlement(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    preconditionFailure("a validation settles nothing")
  }

  func takeRows(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try output(text, count)
  }
}
