import ArgumentParser
import Console
import Failures
import FileSystem
import Records

/// `settle explain`: the arithmetic of one payment or refund, step by step.
struct Explain: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show the arithmetic of one payment or refund, step by step.",
    discussion: """
      Shows items, sums, fees, who bears them, and the lines of the settlement; or the errors. Every payment with the \
      key is shown in batch order: the first counts, later ones are rejected as repetitions. With --ledger, a payment \
      that an earlier run settled is rejected, too. For a refund: what its payment has left, each receiver's share, \
      and the fees that come back. For a payment under an agreement: the terms, each check with both values, and what \
      is used. The whole batch, with header and trailer, is checked only for refunds, agreements and payments under \
      them, and with --require-trailer or --max-rejected; settle validate always checks it.

      Ends with 0 if everything asked for is found and not rejected, else with 1; with 2 if the batch as a whole \
      cannot be settled.

      EXAMPLES:
        settle explain night.jsonl.lz4 --pay-key AP-4711
        settle explain night.jsonl.lz4 --pay-key AP-4711 --pay-key AP-4712
        settle explain night.jsonl.lz4 --refund-key RF-12 --ledger settled/ledger
        settle explain export.jsonl --line 1207
        settle explain part-1.jsonl part-2.jsonl --line part-2.jsonl:16
      """)

  @OptionGroup var batch: BatchOptions
  @OptionGroup var rules: RuleOptions

  @Option(
    name: .customLong("pay-key"), help: ArgumentHelp("A payment to explain; may be given again.", valueName: "key"),
    transform: key)
  var payKeys: [String] = []

  @Option(
    name: .customLong("refund-key"), help: ArgumentHelp("A refund to explain; may be given again.", valueName: "key"),
    transform: key)
  var refundKeys: [String] = []

  @Option(
    name: .customLong("line"),
    help: ArgumentHelp(
      "A line of the batch to explain, also of a record without a key; of several files FILE:N. May be given again.",
      valueName: "n"), transform: LinePlace.parsed)
  var lines: [LinePlace] = []

  @OptionGroup var ledger: ReadLedgerOption
  @OptionGroup var log: LogOptions

  func validate() throws {
    guard !(payKeys.isEmpty && refundKeys.isEmpty && lines.isEmpty) else {
      throw ValidationError("Name what to explain with --pay-key, --refund-key or --line.")
    }
    guard lines.allSatisfy({ $0.isIn(batch.batch) }) else {
      throw ValidationError("--line takes FILE:N if the batch has several files, with one of their names.")
    }
  }

  /// A key from an option.
  @Sendable private static func key(_ text: String) throws -> String {
    let key = Array(text.utf8)
    guard !key.isEmpty, PayKey.isValid(key.span) else { throw ValidationError("expected \(PayKey.expected)") }
    return text
  }

  func execute() throws(Failure) -> Int32 {
    var options = try rules.runOptions(for: batch.batch, threads: 1)
    let ledger = try ledger.open(batch.batch, &options)
    let isChecked = rules.requireTrailer || rules.maxRejected != nil
    let lines = lines.map { RecordSearch.Line(file: OutputPlace.shown($0.file ?? batch.batch[0]), number: $0.number) }
    let search = try RecordSearch(
      payKeys: payKeys, refundKeys: refundKeys, lines: lines, options: options, ledger: ledger)
    try search.explain(batch.batch, isChecked: isChecked) { text throws(Failure) in
      try Terminal.emit(Array(text.utf8))
    }
    for missing in search.missing { Log.error(missing) }
    return search.missing.isEmpty && search.rejected == 0 ? 0 : 1
  }
}
