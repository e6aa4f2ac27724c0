import ArgumentParser
import Console
import Failures
import FileSystem
import Logging
import Settlement

/// `settle run`: settles a batch and publishes its reports.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Settle a batch and write its reports.",
    discussion: """
      Makes the output directory with settlement.csv, receivers.csv, totals.csv, control.csv, exceptions.csv, \
      refunds.csv, preapprovals.csv, summary.json and SHA256SUMS, all or nothing. Prints a table per currency.

      Ends with 0 if no record is rejected, 1 if some are, 2 if the batch as a whole cannot be settled, and 3 if the \
      ledger already has the batch, settled into another directory, or its reports are gone or changed: nothing is \
      written then, as someone may be about to pay it a second time. settle --help lists the other codes.

      EXAMPLES:
        settle run night.jsonl.lz4 --output settled/2026-11-21
        settle run part-1.jsonl part-2.jsonl --output settled/today --replace
        lz4 -dc night.jsonl.lz4 | settle run - --output settled/today --fees fees.json
        settle run night.jsonl.lz4 --output settled/2026-11-21 --ledger settled/ledger --existing-ledger
      """)

  @OptionGroup var batch: BatchOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var threads: ThreadOption

  @Option(.output) var output: String

  @Flag(help: "Replace the reports of an earlier run in the output directory.")
  var replace = false

  @Flag(help: "Publish the reports of an already settled batch again, in this directory; no second run is entered.")
  var republish = false

  @Flag(help: "Enter the run with the existing output directory, if that has exactly its reports: for a lost ledger.")
  var adopt = false

  @Option(help: ControlTotalsPolicy.help) var controlTotals = ControlTotalsPolicy.enforce

  @OptionGroup var ledger: SettlingLedgerOption
  @Option(.witness) var witness: String?

  @Option(.metrics) var metrics: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    if republish, ledger.path == nil {
      throw ValidationError("--republish needs --ledger, which knows the batch's run.")
    }
    if adopt, ledger.path == nil { throw ValidationError("--adopt needs --ledger, to enter the run in it.") }
    if witness != nil, ledger.path == nil {
      throw ValidationError("--witness needs --ledger, whose witness it is.")
    }
    if adopt, replace || republish {
      throw ValidationError("--adopt does not change the output: leave out --replace and --republish.")
    }
  }

  func run() throws {
    log.start()
    let operation = RunOperation()
    operation.begin(described)
    try finish(operation) { () throws(Failure) in
      operation.writeMetrics(to: try metricsFile())
      var batch = Batch(
        self.batch.batch, options: rules.settlement(threads: threads.count, controlTotals: controlTotals))
      batch.progress = operation.progress()
      guard let path = ledger.path else {
        let result = try batch.settle(into: output, replacing: replace, note: Log.warning)
        try ClosingTable.print(result, output: output)
        return result.exitCode
      }
      let outcome = try batch.settle(
        into: output, ledger: path, expectingRuns: ledger.existingLedger, replacing: replace, republishing: republish,
        adopting: adopt, witness: witness, note: Log.warning)
      switch outcome {
      case .settled(let result, let run): try ClosingTable.print(result, output: output, run: run)
      case .alreadySettled(let run, let isPublishedAgain):
        operation.found(run, isPublishedAgain ? .publishedAgain : .alreadySettled)
        try run.found.report(output: output)
      case .settledBefore(let run, _):
        operation.found(run, .settledBefore)
        try run.found.report(output: output)
      }
      return outcome.exitCode
    }
  }

  /// The file of `--metrics`; throws if what the run writes would replace what it reads or keeps.
  private func metricsFile() throws(Failure) -> MetricsFile? {
    // The ledger's lock, and the files that SQLite keeps next to a database.
    let kept = ledger.path.map { path in ["", "-lock", "-journal", "-wal", "-shm"].map { path + $0 } } ?? []
    let used = kept + (batch.batch + rules.files).filter { $0 != "-" }
    try OutputPlace.expectOwn(witness: witness, besides: used, output: output)
    if kept.contains(where: { OutputPlace.isSame($0, output) }) {
      throw .usage("--output names the ledger or one of its files; name another directory")
    }
    return try MetricsFile.named(metrics, .run, besides: used + [witness].compactMap(\.self), outside: output)
  }

  /// The run's options, for the log.
  private var described: Logger.Metadata {
    [
      "batch": .array(batch.batch.map { .string(OutputPlace.shown($0)) }),
      "output": .string(OutputPlace.shown(output)),
      "ledger": .string(ledger.path.map(OutputPlace.shown) ?? "none"),
      "witness": .string(witness.map(OutputPlace.shown) ?? "none"),
      "fees": .string(rules.fees.map(OutputPlace.shown) ?? "built-in"), "replace": .stringConvertible(replace),
      "republish": .stringConvertible(republish), "adopt": .stringConvertible(adopt),
      "strictItems": .stringConvertible(rules.strictItems),
      "strictTexts": .stringConvertible(rules.strictTexts),
      "unknownFields": .string((rules.unknownFields ?? SettlementOptions().unknownFields).rawValue),
      "controlTotals": .string(controlTotals.rawValue),
      "threads": .stringConvertible(threads.count),
    ]
  }
}
