import BatchRun
import ArgumentParser
import Console
import Failures
import LedgerRuns
import Rules
import Settlement

/// The options shared by all commands that read a batch.
struct BatchOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The batch: JSON Lines, plain or LZ4. Several files are one batch, in order; - is standard input.",
      valueName: "batch"), completion: .file())
  var batch: [String]

  func validate() throws { try Self.expectOneReader(batch) }

  /// Throws if more than one of the files is standard input.
  static func expectOneReader(_ files: [String]) throws {
    guard files.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("Standard input (-) can be read only once.")
    }
  }
}

/// The options that decide how a batch is settled, shared by all commands that settle or check one.
///
/// A group of its own, not nested in that of the batch: the parser searches a nested group twice at each start.
struct RuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use this fee schedule instead of the built-in one.", valueName: "file"), completion: .file())
  var fees: String?

  @Option(
    help: ArgumentHelp("The profiles of receivers that payments may name.", valueName: "file"), completion: .file())
  var splits: String?

  @Option(
    help: ArgumentHelp("Compare the taxes of payments with these rates, by shipping address.", valueName: "file"),
    completion: .file())
  var taxes: String?

  @Flag(help: "Reject an item whose total price is below price times count, instead of noting a discount.")
  var strictItems = false

  @Flag(
    help:
      "Reject texts that are too long and addresses that cannot be used, instead of noting them: no amount depends on them."
  )
  var strictTexts = false

  @Option(
    help: ArgumentHelp(
      "When an unknown field is an error: if it looks like one that is missing (suspect), always (reject) or never (note). "
        + "Default: suspect.",
      valueName: "policy"))
  var unknownFields: UnknownFields?

  @Option(
    help: ArgumentHelp(
      """
      Refuse refunds of payments settled more than this many days ago; \(SettlementRules.refundWindows.lowerBound) to \
      \(SettlementRules.refundWindows.upperBound). Default: \(SettlementRules.defaultRefundWindow).
      """, valueName: "days"))
  var refundWindow: Int?

  @Flag(help: "Refuse a batch without a trailer (exit code 2), even if it has no header.")
  var requireTrailer = false

  @Option(
    help: ArgumentHelp(
      "Refuse a batch if more records are rejected (exit code 2): a number, or a percentage like 20%.",
      valueName: "n|p%"))
  var maxRejected: RejectionLimit?

  func validate() throws {
    let windows = SettlementRules.refundWindows
    if let refundWindow, !windows.contains(refundWindow) {
      throw ValidationError(
        "--refund-window takes a number of days from \(windows.lowerBound) to \(windows.upperBound).")
    }
  }

  /// The files that the options name.
  var files: [String] { [fees, splits, taxes].compactMap(\.self) }

  /// Whether any of the options is given.
  var areGiven: Bool {
    !files.isEmpty || refundWindow != nil || strictItems || strictTexts || unknownFields != nil || requireTrailer
      || maxRejected != nil
  }

  /// The given options that a ledger keeps and whose values may equal the defaults.
  private var given: Set<RuleOption> {
    let given: [(RuleOption, Bool)] = [
      (.fees, fees != nil), (.refundWindow, refundWindow != nil), (.unknownFields, unknownFields != nil),
    ]
    return Set(given.filter(\.1).map(\.0))
  }

  /// The settlement options that the command line asks for.
  func settlement(threads: Int, controlTotals: ControlTotalsPolicy = .enforce) -> SettlementOptions {
    var options = SettlementOptions()
    options.fees = fees
    options.splits = splits
    options.taxes = taxes
    options.strictItems = strictItems
    options.strictTexts = strictTexts
    if let unknownFields { options.unknownFields = unknownFields }
    if let refundWindow { options.refundWindow = refundWindow }
    options.givenRules = given
    options.requiresTrailer = requireTrailer
    options.enforcesControlTotals = controlTotals == .enforce
    options.mostRejected = maxRejected
    options.threads = threads
    return options
  }

  /// The run options for these files, with the fee schedule, splits and taxes read.
  func runOptions(
    for batch: [String], threads: Int, controlTotals: ControlTotalsPolicy = .enforce
  ) throws(Failure) -> RunOptions {
    try settlement(threads: threads, controlTotals: controlTotals).runOptions(for: batch)
  }
}

extension RejectionLimit: ExpressibleByArgument {
  /// The limit from the text of `--max-rejected`.
  public init?(argument: String) { self.init(argument) }
}

extension UnknownFields: ExpressibleByArgument {}

/// The option of commands that read a ledger and never write to it.
struct ReadLedgerOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Look up in this ledger what was settled before the batch's own run, and use that run's rules unless others are "
        + "given. Nothing is written to it.",
      valueName: "file"), completion: .file())
  var ledger: String?

  /// Opens the ledger for a batch.
  ///
  /// - Parameters:
  ///   - options: gets the rules of the batch's run that were not given.
  ///   - isExpected: whether to warn if no ledger is named.
  func open(
    _ batch: [String], _ options: inout RunOptions, isExpected: Bool = true
  ) throws(Failure) -> BatchLedger? {
    guard let ledger else {
      if isExpected {
        Log.warning("no ledger given (--ledger): payments that an earlier run settled are treated as new")
      }
      return nil
    }
    let read = try BatchLedger(ledger, batch: batch, options: options)
    if let doubt = read.history.doubt { Log.warning(doubt) }
    options = read.options
    return read
  }
}

/// The option of commands that work in parallel.
struct ThreadOption: ParsableArguments {
  @Option(help: ArgumentHelp("Worker threads; default: all cores. The result is the same.", valueName: "n"))
  var threads: Int?

  func validate() throws {
    if let threads, !(1...1024).contains(threads) { throw ValidationError("--threads takes a number from 1 to 1024.") }
  }

  /// The number of threads to use.
  var count: Int { threads ?? SettlementOptions.defaultThreads }
}

/// What to do if a trailer disagrees with what was read.
enum ControlTotalsPolicy: String, CaseIterable, ExpressibleByArgument {
  case enforce
  case warn

  static let help: ArgumentHelp =
    "Whether a trailer that disagrees with the batch ends the run (enforce) or only causes a warning (warn)."
}
