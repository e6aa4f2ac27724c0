import BatchRun
import Failures
import Documents
import Text

extension BatchRun {
  /// Checks a batch without settling it. What `findings` lists goes to `output`, including errors of the batch as a
  /// whole.
  ///
  /// - Parameter ledger: knows what earlier runs settled; must be opened for the same files and options.
  public static func validate(
    _ paths: [String], findings: FindingsList, options: RunOptions, ledger: BatchLedger? = nil,
    progress: RunProgress? = nil,
    output: @escaping (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> RunResult {
    try validate(
      ledger?.sources ?? paths.map { InputSource(path: $0) }, findings: findings, options: options, ledger: ledger,
      progress: progress, output: output)
  }

  /// The same for sources that may be copies; the trace records what some claims meet.
  package static func validate(
    _ sources: [InputSource], findings: FindingsList, options: RunOptions, ledger: BatchLedger?,
    trace: ClaimTrace? = nil, progress: RunProgress? = nil,
    output: @escaping (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> RunResult {
    var text = TextBuffer()
    findings.begin(version: version, to: &text)
    try output(text.span)
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
      try output(text.span)
      return result
    } catch {
      end(findings, with: error, to: &text)
      try output(text.span)
      throw error
    }
  }

  /// Writes the findings of a validation that failed before it began.
  public static func validate(
    _ findings: FindingsList, failed failure: Failure,
    output: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var text = TextBuffer()
    findings.begin(version: version, to: &text)
    end(findings, with: failure, to: &text)
    try output(text.span)
  }

  private static func end(_ findings: FindingsList, with failure: Failure, to text: inout TextBuffer) {
    var reason: String?
    if case .batch(let error) = failure.kind { findings.append(error, to: &text) } else { reason = failure.message }
    findings.end(exitCode: failure.exitCode, isComplete: false, failure: reason, to: &text)
  }
}

/// Writes the lines of a validation.
private final class FindingsWriter: ReportWriter {
  private let output: (Span<UInt8>) throws(Failure) -> Void

  init(_ output: @escaping (Span<UInt8>) throws(Failure) -> Void) { self.output = output }

  func write(_ text: Span<UInt8>) throws(Failure) { try output(text) }
}
