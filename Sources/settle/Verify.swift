import ArgumentParser
import BatchFile
import BatchRun
import Reports
import Settlement
import Verification

/// `settle verify`: holds the reports of a settlement against each other, and against the batch.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a directory of reports, alone or against its batch.",
    discussion: """
      Computes the digests of SHA256SUMS anew; holds every row of settlement.csv, every payment's zero sum and the \
      trial balance; adds up what receivers.csv, totals.csv, control.csv and summary.json must say. With --batch the \
      batch is settled again, with --fees and --strict-items as they were given to the run, and all reports are \
      compared byte by byte. That an earlier run settled a pay key (ALREADY_SETTLED) is taken as the reports tell.

      Prints each thing that is wrong on a line of its own. Ends with 0 where there is none, else with 1.

      EXAMPLES:
        settle verify settled/2026-11-21
        settle verify settled/2026-11-21 --batch night.jsonl.lz4
        settle verify settled/2026-11-21 --batch part-1.jsonl part-2.jsonl --fees fees.json
      """)

  @Argument(help: ArgumentHelp("The directory of reports, as settle run made it.", valueName: "dir"))
  var directory: String

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Settle this batch again and compare: all its files in their order; - is standard input.", valueName: "batch"))
  var batch: [String] = []

  @Option(help: ArgumentHelp("The fee schedule of the run, where it was not the built-in one.", valueName: "file"))
  var fees: String?

  @Flag(help: "The run had --strict-items.")
  var strictItems = false

  @OptionGroup var threads: ThreadOption

  @Option(help: "How the findings look: text or jsonl.")
  var format: FindingsReport.Format = .text

  @OptionGroup var log: LogOptions

  func validate() throws {
    if directory.isEmpty { throw ValidationError("Name a directory of reports.") }
    try StandardInput.expectOneReader(of: batch, fees)
    guard !batch.isEmpty || fees == nil && !strictItems else {
      throw ValidationError("--fees and --strict-items are for settling again: name the batch with --batch.")
    }
  }

  func run() throws {
    log.start()
    try finish { () throws(RunFailure) in
      let schedule = try FeeScheduleFile.schedule(fees)
      let options = RunOptions(schedule: schedule, threads: threads.count, strictItems: strictItems)
      let result = try Verification.verify(
        directory, batch: batch.isEmpty ? nil : Verification.Batch(paths: batch, options: options),
        threads: threads.count, progress: ProgressLine.forTerminal())
      try Terminal.emit(result.findings.map { format == .text ? $0.text : Self.json($0) })
      Log.notice(closing(result))
      return result.exitCode
    }
  }

  /// What is said at the end.
  private func closing(_ result: VerificationResult) -> String {
    let name = MessageText.escapedName(FileName.bytes(directory))
    guard result.isGood else {
      let hidden = result.unlisted.map { "\n\($0.file): \($0.count) more at least, not listed" }.joined()
      return "\(name): NOT AS IT MUST BE: \(Terminal.count(result.count, "finding"))" + hidden
    }
    return "\(name): verified: \(Terminal.count(result.payments, "payment")) in \(Terminal.count(result.rows, "row")), "
      + "\(Terminal.count(result.receivers, "receiver")), "
      + "\(result.currencies) \(result.currencies == 1 ? "currency" : "currencies"); digests and sums agree"
      + (batch.isEmpty ? "" : "; settled again, every byte is the same")
      + believed(result.settledEarlier)
  }

  /// What the ledger alone could tell.
  private func believed(_ number: Int) -> String {
    number == 0
      ? "" : "; only the ledger can tell that earlier runs settled \(Terminal.count(number, "rejected payment"))"
  }

  /// A finding as one JSON object; what there is nothing to say of is null.
  private static func json(_ finding: ReportFinding) -> String {
    var text = TextBuffer()
    func append(_ key: String, _ value: String?) {
      text.append("\"\(key)\":")
      if let value { JSONText.append(value, to: &text) } else { text.append("null") }
    }
    text.append("{")
    append("file", finding.file)
    text.append(",\"line\":\(finding.line.map { "\($0)" } ?? "null"),")
    append("field", finding.field)
    text.append(",")
    append("found", finding.found)
    text.append(",")
    append("expected", finding.expected)
    text.append(",")
    append("reason", finding.reason)
    text.append("}")
    return text.string
  }
}
