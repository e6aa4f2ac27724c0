import ArgumentParser
import BatchFile
import BatchRun
import Ledger
import Settlement

/// `settle run`: settles a batch and publishes its reports.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Settle a batch and write its reports.",
    discussion: """
      Makes the output directory with settlement.csv, receivers.csv, totals.csv, control.csv, exceptions.csv, \
      summary.json and SHA256SUMS, all or nothing. Prints a table per currency.

      EXAMPLES:
        settle run night.jsonl.lz4 --output settled/2026-11-21
        settle run part-1.jsonl part-2.jsonl --output settled/today --replace
        lz4 -dc night.jsonl.lz4 | settle run - --output settled/today --fees fees.json
        settle run night.jsonl.lz4 --output settled/2026-11-21 --ledger settled/ledger
      """)

  /// What to do where a trailer disagrees with what was read.
  enum ControlTotalsPolicy: String, CaseIterable, ExpressibleByArgument {
    case enforce
    case warn
  }

  @OptionGroup var batch: BatchOptions
  @OptionGroup var threads: ThreadOption

  @Option(name: .shortAndLong, help: ArgumentHelp("The directory to make; its parent must exist.", valueName: "dir"))
  var output: String

  @Flag(help: "Replace the reports of an earlier run in the output directory.")
  var replace = false

  @Option(help: "Whether a trailer that disagrees with the batch ends the run (enforce) or is only told (warn).")
  var controlTotals: ControlTotalsPolicy = .enforce

  @Option(
    help: ArgumentHelp(
      "Keep what was settled in this file, made on first use: nothing is settled twice, whatever night it comes.",
      valueName: "file"))
  var ledger: String?

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output needs the name of a directory.") }
    if let ledger, ledger.isEmpty { throw ValidationError("--ledger needs the name of a file.") }
  }

  func run() throws {
    try finish { () throws(RunFailure) in
      let schedule = try batch.scheduleAndText()
      let options = RunOptions(
        schedule: schedule.schedule, scheduleText: schedule.text, threads: threads.count,
        strictItems: batch.strictItems, enforcesControlTotals: controlTotals == .enforce)
      let progress = ProgressLine.forTerminal()
      guard let ledger else {
        let result = try BatchRun.settle(
          batch.batch, output: output, replace: replace, options: options, progress: progress)
        tell(result)
        return result.exitCode
      }
      let outcome = try BatchRun.settle(
        batch.batch, output: output, replace: replace, options: options, ledger: ledger, progress: progress
      ) { Terminal.note("settle: \($0)") }
      switch outcome {
      case .settled(let result, let run): tell(result, run: run)
      case .alreadySettled(let run, let isPublishedAgain): tell(run, isPublishedAgain: isPublishedAgain)
      }
      return outcome.exitCode
    }
  }

  private func tell(_ result: RunResult, run: Int? = nil) {
    if let mismatch = result.controlMismatch { Terminal.note("warning: \(mismatch)") }
    Terminal.print(
      ClosingTable.text(result, output: output) + (run.map { "\nEntered in the ledger as run \($0)." } ?? ""))
  }

  private func tell(_ run: NumberedRun, isPublishedAgain: Bool) {
    let output = MessageText.escapedName(FileName.bytes(output))
    Terminal.print(
      "already settled by run \(run.number), \(run.entry.time); "
        + (isPublishedAgain ? "its reports are published again: \(output)" : "nothing was written: \(output)"))
  }
}
