import ArgumentParser
import BatchRun
import Reports

/// `settle validate`: checks a batch without settling it.
struct Validate: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check a batch without settling it.",
    discussion: """
      Prints each error and notice on a line of its own, and the counts on standard error.

      EXAMPLES:
        settle validate export.jsonl
        settle validate export.jsonl --format jsonl | jq -r .code | sort | uniq -c
      """)

  @OptionGroup var batch: BatchOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var threads: ThreadOption

  @Option(help: "How the lines look: text or jsonl.")
  var format: FindingsReport.Format = .text

  @OptionGroup var log: LogOptions

  func execute() throws(RunFailure) -> Int32 {
    let result = try BatchRun.validate(
      batch.batch, format: format, options: RunOptions(batch.batch, rules, threads: threads.count),
      progress: ProgressLine.forTerminal(),
      output: { bytes, count throws(RunFailure) in try Terminal.emit(bytes, count: count) })
    let totals = result.totals
    Log.notice(
      "\(totals.recordsRead) records: \(totals.recordsRead - totals[.rejected]) valid, "
        + "\(totals[.rejected]) rejected with \(Terminal.count(totals.errors.reduce(0, +), "error")); "
        + "control totals \(result.controlTotals.rawValue)")
    return result.exitCode
  }
}

extension FindingsReport.Format: ExpressibleByArgument {}
