import ArgumentParser
import BatchRun
import Console
import FileSystem
import Glibc
import JSON
import Reports
import Rules
import Text
import Verification

/// `settle verify`: holds the reports of a settlement against each other, and against the batch.
struct Verify: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a directory of reports, alone or against its batch.",
    discussion: """
      Computes the digests of SHA256SUMS anew; holds every row of settlement.csv, every payment's zero sum and the \
      trial balance; adds up what receivers.csv, totals.csv, control.csv and summary.json must say. With --batch the \
      batch is settled again, with --fees and the like as they were given to the run, and all reports are \
      compared byte by byte. A note says which files of the batch were renamed, compressed or decompressed since. That an \
      earlier run settled a pay key (ALREADY_SETTLED) is taken as the reports tell, unless \
      --ledger names the run's ledger, which is then asked.

      Prints each thing that is wrong on a line of its own. Ends with 0 if there is none, else with 1; with 66 if the \
      directory holds no reports.

      EXAMPLES:
        settle verify settled/2026-11-21
        settle verify settled/2026-11-21 --batch night.jsonl.lz4
        settle verify settled/2026-11-21 --batch part-1.jsonl part-2.jsonl --fees fees.json
      """)

  @Argument(
    help: ArgumentHelp("The directory of reports, as settle run made it.", valueName: "dir"), completion: .directory,
    transform: named)
  var directory: String

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Settle this batch again and compare: all its files in their order; - is standard input.", valueName: "batch"),
    completion: .file())
  var batch: [String] = []

  @OptionGroup var rules: RuleOptions
  @OptionGroup var ledger: ReadLedgerOption
  @OptionGroup var threads: ThreadOption

  /// How findings look.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case jsonl
  }

  @Option(help: "How the findings look: text or jsonl.")
  var format: Format = .text

  @Option(
    help: ArgumentHelp(
      "Write what was found to this file, for Prometheus: replaced as a whole. Not the file of the run.",
      valueName: "file"), transform: named)
  var metrics: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    try BatchOptions.expectOneReader(batch)
    guard !batch.isEmpty || !rules.areGiven && ledger.ledger == nil else {
      throw ValidationError("Options of the run, and --ledger, are for settling again: name the batch with --batch.")
    }
  }

  func execute() throws(RunFailure) -> Int32 {
    guard let metrics else { return try verify().exitCode }
    guard !OutputPlace.isIn(metrics, directory: directory) else {
      throw .usage("--metrics names a file among the reports; name one elsewhere")
    }
    let file = try MetricsFile(path: metrics, isOfVerification: true)
    do throws(RunFailure) {
      let result = try verify()
      tell(result.exitCode, result, in: file)
      return result.exitCode
    } catch {
      tell(error.exitCode, nil, in: file)
      throw error
    }
  }

  /// Writes the metrics; the exit code tells of the reports alone, whatever becomes of them.
  private func tell(_ exitCode: Int32, _ result: VerificationResult?, in file: MetricsFile) {
    do throws(RunFailure) {
      try file.write(MetricsText.text(exitCode: exitCode, endTime: time(nil), result: result))
    } catch {
      Log.error("the metrics are not written: \(error.message)")
    }
  }

  private func verify() throws(RunFailure) -> VerificationResult {
    var options = try rules.runOptions(for: batch, threads: threads.count)
    var settledAgain: Verification.Batch?
    if !batch.isEmpty {
      let ledger = try ledger.open(batch, &options)
      settledAgain = Verification.Batch(paths: batch, options: options, ledger: ledger)
    }
    let result = try Verification.verify(
      directory, batch: settledAgain, threads: threads.count, progress: ProgressLine.forTerminal())
    try Terminal.emit(result.findings.map { format == .text ? $0.text : Self.json($0) })
    for note in result.notes { Log.notice("note: \(note)") }
    Log.notice(closing(result))
    return result
  }

  /// What is said at the end.
  private func closing(_ result: VerificationResult) -> String {
    let name = OutputPlace.shown(directory)
    guard result.isGood else {
      let hidden = result.unlisted.map { "\n\($0.file): \($0.count) more at least, not listed" }.joined()
      return "\(name): NOT AS IT MUST BE: \(Terminal.count(result.count, "finding"))" + hidden
    }
    return "\(name): verified: \(Terminal.count(result.payments, "payment")) in \(Terminal.count(result.rows, "row")), "
      + "\(Terminal.count(result.receivers, "receiver")), "
      + "\(result.currencies) \(result.currencies == 1 ? "currency" : "currencies"); digests and sums agree"
      + (batch.isEmpty ? "" : "; settled again, every byte is the same")
      + (result.notes.isEmpty ? "" : ", other than how the batch is stored")
      + believed(result.settledEarlier)
  }

  /// What the ledger alone could tell.
  private func believed(_ number: Int) -> String {
    number == 0 || ledger.ledger != nil
      ? "" : "; only the ledger can tell that earlier runs settled \(Terminal.count(number, "rejected payment"))"
  }

  /// A finding as one JSON object; what there is nothing to say of is null.
  private static func json(_ finding: ReportFinding) -> String {
    func text(_ text: String?) -> JSONTree { text.map(JSONTree.string) ?? .null }
    let object: JSONTree = [
      "file": .string(finding.file), "line": finding.line.map(JSONTree.number) ?? .null, "field": text(finding.field),
      "found": text(finding.found), "expected": text(finding.expected), "reason": .string(finding.reason),
    ]
    return object.description
  }
}
