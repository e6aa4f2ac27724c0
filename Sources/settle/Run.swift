import ArgumentParser
import BatchRun
import FileSystem
import Ledger
import Logging
import Rules

/// `settle run`: settles a batch and publishes its reports.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
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

  @OptionGroup var batch: BatchOptions
  @OptionGroup var threads: ThreadOption

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The directory to make; its parent must exist.", valueName: "dir"),
    completion: .directory,
    transform: named)
  var output: String

  @Flag(help: "Replace the reports of an earlier run in the output directory.")
  var replace = false

  @OptionGroup var controlTotals: ControlTotalsOption

  @Option(
    help: ArgumentHelp(
      "Keep what was settled in this file, made on first use: nothing is settled twice, whatever night it comes.",
      valueName: "file"), completion: .file(), transform: named)
  var ledger: String?

  @Option(
    help: ArgumentHelp(
      "Write what a run did to this file, for Prometheus: replaced as a whole, also after a failed run.",
      valueName: "file"), completion: .file(), transform: named)
  var metrics: String?

  @OptionGroup var log: LogOptions

  func run() throws {
    log.start()
    let operation = RunOperation()
    operation.begin(described)
    try finish(operation) { () throws(RunFailure) in
      try expectOwnPlaces()
      if let metrics { try operation.writeMetrics(to: metrics) }
      let options = try RunOptions(batch, threads: threads.count, controlTotals: controlTotals.policy)
      guard let ledger else {
        let result = try BatchRun.settle(
          batch.batch, output: output, replace: replace, options: options, progress: operation.progress(),
          note: Log.warning)
        try tell(result)
        return result.exitCode
      }
      let outcome = try BatchRun.settle(
        batch.batch, output: output, replace: replace, options: options, ledger: ledger,
        progress: operation.progress(), note: Log.warning)
      switch outcome {
      case .settled(let result, let run): try tell(result, run: run)
      case .alreadySettled(let run, let isPublishedAgain):
        operation.found(run, isPublishedAgain: isPublishedAgain)
        try tell(run, isPublishedAgain: isPublishedAgain)
      }
      return outcome.exitCode
    }
  }

  /// Throws where what the run writes would take the place of what it reads or keeps.
  private func expectOwnPlaces() throws(RunFailure) {
    // The ledger's lock, and what SQLite has beside a database.
    let kept = (ledger.map { [$0] } ?? []).flatMap { path in
      ["", "-lock", "-journal", "-wal", "-shm"].map { path + $0 }
    }
    if kept.contains(where: { OutputPlace.isSame($0, output) }) {
      throw .usage("--output names the ledger or a file of its; name another directory")
    }
    guard let metrics else { return }
    let read = batch.batch.filter { $0 != "-" } + (batch.fees.map { [$0] } ?? [])
    guard !(kept + read + [output]).contains(where: { OutputPlace.isSame($0, metrics) }),
      !OutputPlace.isIn(metrics, directory: output)
    else {
      throw .usage("--metrics names what the run reads, keeps or publishes; name a file of its own")
    }
  }

  private func tell(_ result: RunResult, run: Int? = nil) throws(RunFailure) {
    if let mismatch = result.controlMismatch { Log.warning(mismatch.description) }
    try Terminal.print(
      ClosingTable.text(result, output: output) + (run.map { "\nEntered in the ledger as run \($0)." } ?? ""))
  }

  private func tell(_ run: NumberedRun, isPublishedAgain: Bool) throws(RunFailure) {
    let then = "already settled by run \(run.number), \(run.entry.time)"
    try Terminal.print(
      isPublishedAgain
        ? "\(then); its reports are published again: \(Terminal.shown(output))"
        : "\(then); its reports stand, nothing was written: \(Terminal.shown(output))")
  }

  /// What the run is asked to do, for the log.
  private var described: Logger.Metadata {
    [
      "batch": .array(batch.batch.map { .string(Terminal.shown($0)) }), "output": .string(Terminal.shown(output)),
      "ledger": .string(ledger.map(Terminal.shown) ?? "none"),
      "fees": .string(batch.fees.map(Terminal.shown) ?? "built-in"), "replace": .stringConvertible(replace),
      "strictItems": .stringConvertible(batch.strictItems), "controlTotals": .string(controlTotals.policy.rawValue),
      "threads": .stringConvertible(threads.count),
    ]
  }
}
