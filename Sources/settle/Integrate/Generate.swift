import ArgumentParser
import Console
import ExactArithmetic
import Failures
import Records
import SampleBatch

/// `settle generate`: makes a realistic batch.
struct Generate: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Make a realistic batch for trials and benchmarks.",
    discussion: """
      Payments of all kinds, currencies and fee payers, with header and trailer. The same bytes for the same seed.

      With --of a batch is one of several nights. A later night refunds payments of earlier nights, which it generates \
      again from the options: all nights need the same --payments, --seed, --accounts, --defects, --features, --of and \
      --date. \
      The batch id states them: sample-7-1000-a500-d20000-f8-2of3 has seed 7, 1000 payments, 500 accounts, 20000 \
      defects in a million payments, features with the sum 8 (splits 1, amounts 2, cards 4, refunds 8, preapprovals \
      16, fees 32), and is night 2 of 3.

      EXAMPLES:
        settle generate --payments 200000 --seed 1 --output sample.jsonl.lz4
        settle generate --payments 1000 --seed 7 --defects 0.05 --output broken.jsonl
        settle generate --payments 1000 --seed 7 --features splits,cards --output features.jsonl
        settle generate --payments 1000 --seed 7 --features refunds --night 2 --of 3 --output night-2.jsonl
        settle generate --payments 1000 --seed 7 --date 2026-10-31 --output october.jsonl
      """)

  @Option(help: ArgumentHelp("The number of payments.", valueName: "n"))
  var payments: Int

  @Option(help: ArgumentHelp("The seed; another one makes another batch.", valueName: "s"))
  var seed: UInt64

  @Option(help: ArgumentHelp("The share of payments with a defect, from 0 to 1.", valueName: "rate"))
  var defects: String = "0"

  @Option(help: ArgumentHelp("The number of accounts; by default it grows with the payments.", valueName: "n"))
  var accounts: Int?

  @Option(
    help: ArgumentHelp(
      "Features that a third of the payments have, each: splits, amounts, cards, preapprovals, fees (a category); or "
        + "refunds; separated by commas. Default: none.",
      valueName: "list"), completion: .list(SampleFeatures.names))
  var features: String = ""

  @Option(help: ArgumentHelp("Which of the nights; all nights need the same other options.", valueName: "i"))
  var night = 1

  @Option(help: ArgumentHelp("The number of nights, each a batch of its own.", valueName: "n"))
  var of = 1

  @Option(
    .dayOfLedger(
      "The settlement day of the first night, that of its header; each night is a day later. Default: 2026-11-20."))
  var date: CalendarDay?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to make; .lz4 at its end compresses it. - is standard output.", valueName: "file"),
    completion: .file())
  var output: String

  @Flag(help: "Replace the file if there is one.")
  var replace = false

  @OptionGroup var threads: ThreadOption

  /// Each thread takes about 20 MB.
  private static let mostThreads = 16

  @OptionGroup var log: LogOptions

  func validate() throws {
    try OutputFile.expectWritable(output)
    guard (0...1_000_000_000).contains(payments) else {
      throw ValidationError("--payments takes a number from 0 to 1000000000.")
    }
    if let accounts, !(100...100_000_000).contains(accounts) {
      throw ValidationError("--accounts takes a number from 100 to 100000000.")
    }
    guard SampleFeatures(names: features.split(separator: ",")) != nil else {
      throw ValidationError("--features takes some of \(SampleFeatures.names.joined(separator: ",")).")
    }
    guard (1...300).contains(of), (1...of).contains(night) else {
      throw ValidationError("--of takes a number from 1 to 300, --night a number from 1 to that.")
    }
    guard defectsPerMillion != nil else {
      throw ValidationError("--defects takes a decimal from 0 to 1 of at most six decimals.")
    }
  }

  private var defectsPerMillion: UInt32? {
    guard let rate = ExactDecimal(defects), rate >= .zero, rate <= ExactDecimal(1),
      let perMillion = rate.exact(at: -6)?.inlineMagnitude
    else { return nil }
    return UInt32(exactly: perMillion)
  }

  func execute() throws(Failure) -> Int32 {
    var options = SampleBatchOptions(
      payments: payments, seed: seed, defectsPerMillion: defectsPerMillion ?? 0, accounts: accounts,
      features: SampleFeatures(names: features.split(separator: ",")) ?? [],
      threads: min(threads.count, Self.mostThreads))
    (options.night, options.nights) = (night, of)
    if let date { options.firstDay = CalendarDay(number: date.number - 1) }
    let summary = try OutputFile(path: output, replaces: replace, remedy: "--replace replaces it").write { write in
      try SampleBatch.write(options, isLZ4: output.hasSuffix(".lz4"), output: write)
    }
    Log.notice(
      "\(Terminal.count(summary.payments, "payment")), \(summary.defects) of them with a defect; \(summary.bytes) bytes of JSON, "
        + "\(summary.storedBytes) stored")
    return 0
  }
}
