import BatchRun
import Failures
import FoundationEssentials
import Rules

/// How many records of a batch may be rejected before it is not settled at all: `.records(20)` or `.percent(0.5)`.
public typealias RejectionLimit = Rules.RejectionLimit

/// How a field that is not defined for its object is treated: as an error if it looks like a missing one (`suspect`),
/// always as an error (`reject`), or as a notice (`note`).
public typealias UnknownFields = Rules.UnknownFields

/// The options that decide what payments become and how a batch is read. Each matches the command's option of that
/// name.
public struct SettlementOptions: Sendable {
  /// The path of the fee schedule; nil for the built-in published one.
  public var fees: String?
  /// The path of the profiles of receivers that payments may name; nil for none.
  public var splits: String?
  /// The path of the tax rates with which taxes are compared; nil if taxes are not checked.
  public var taxes: String?
  /// The rules, without the files' texts.
  private var rules = SettlementRules()
  /// Whether an item's total price below price times count is an error instead of a discount.
  public var strictItems: Bool {
    get { rules.strictItems }
    set { rules.strictItems = newValue }
  }
  /// Whether texts that are too long, and addresses for notifications and countries of shipping addresses that cannot be
  /// used, are errors instead of notices. No amount depends on them.
  public var strictTexts: Bool {
    get { rules.strictTexts == true }
    set { rules.strictTexts = newValue }
  }
  /// How a field that is not defined for its object is treated.
  public var unknownFields: UnknownFields {
    get { rules.unknownFields }
    set { rules.unknownFields = newValue }
  }
  /// The most days between the run that settled a payment and the run that refunds it: 180, unless it is set to another
  /// number from 0 to 36500. To set any other number is a program's error, and traps.
  public var refundWindow: Int {
    get { rules.refundWindow }
    set {
      precondition(SettlementRules.refundWindows.contains(newValue), "a refund window has 0 to 36500 days")
      rules.refundWindow = newValue
    }
  }
  /// Whether a batch without a trailer is a batch error even if it has no header.
  public var requiresTrailer = false
  /// Whether a trailer that disagrees with what was read is a batch error; if not, the batch is settled anyway.
  public var enforcesControlTotals = true
  /// How many records may be rejected before the batch is not settled; nil for any number.
  public var mostRejected: RejectionLimit?
  /// The rules that were set explicitly, even if to their defaults.
  package var givenRules: Set<RuleOption> = []
  /// The number of worker threads, from 1 to 1024; by default the number of cores. It does not change the result.
  public var threads = defaultThreads
  package static let defaultThreads = min(1024, ProcessInfo.processInfo.activeProcessorCount)

  /// The defaults of the command line.
  public init() {}

  /// The options of a run over these files. Reads the files that the options name.
  package func runOptions(for batch: [String]) throws(Failure) -> RunOptions {
    guard (batch + [fees, splits, taxes].compactMap(\.self)).count(where: { $0 == "-" }) <= 1 else {
      throw .usage("standard input (-) can be read only once")
    }
    var rules = rules
    rules.schedule = try RuleFile.readFees(fees)
    let schedule = rules.schedule
    if let profiles = try RuleFile.read(
      splits, "the profiles", tooLarge: "these are not profiles",
      { text throws(FeeScheduleError) in try SplitProfiles(json: text, schedule: schedule) })
    {
      rules.profiles = profiles
    }
    rules.taxes = try RuleFile.read(taxes, "the tax rates", tooLarge: "these are not tax rates", TaxTable.init)
    var options = RunOptions(rules: rules, threads: threads, enforcesControlTotals: enforcesControlTotals)
    options.givenRules = givenRules
    options.requiresTrailer = requiresTrailer
    options.mostRejected = mostRejected
    return options
  }
}
