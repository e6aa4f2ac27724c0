import ArgumentParser
import BatchRun
import Records

/// `settle explain`: one payment's arithmetic, step by step.
struct Explain: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show one payment's arithmetic, step by step.",
    discussion: """
      Items, sums, fees, who bears them, and the lines of the settlement; or its errors. Every payment with the key is \
      shown in batch order: the first counts, later ones are rejected as repetitions. With \
      --ledger, one that an earlier run had settled is rejected, too. Header and trailer are not \
      checked; settle validate does that.

      Ends with 0 where the payment is found and not rejected, else with 1.

      EXAMPLES:
        settle explain night.jsonl.lz4 --pay-key AP-4711
      """)

  @OptionGroup var batch: BatchOptions
  @OptionGroup var rules: RuleOptions

  @Option(help: ArgumentHelp("The payment to explain.", valueName: "key"))
  var payKey: String

  @OptionGroup var ledger: ReadLedgerOption

  @OptionGroup var log: LogOptions

  func validate() throws { try Self.expectPayKey(payKey) }

  /// Throws where a text cannot be a pay key.
  static func expectPayKey(_ payKey: String) throws {
    let key = Array(payKey.utf8)
    guard !key.isEmpty, PayKey.isValid(key, count: key.count) else {
      throw ValidationError("--pay-key takes 1 to 64 of A-Z a-z 0-9 . _ - beginning with a letter or digit.")
    }
  }

  func execute() throws(RunFailure) -> Int32 {
    let options = try RunOptions(batch.batch, rules, threads: 1)
    let search = try PaymentSearch(
      payKey: payKey, options: options,
      ledger: try ledger.open(batch.batch, options, scratch: OutputFile.temporaryPath))
    try search.explain(batch.batch) { text throws(RunFailure) in try Terminal.emit(Array(text.utf8)) }
    if search.found == 0 {
      Log.error("no payment with that key" + (search.unreadable.map { "; \($0)" } ?? ""))
    }
    return search.found == 0 || search.rejected > 0 ? 1 : 0
  }
}
