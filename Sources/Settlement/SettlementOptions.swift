import BatchRun
import FoundationEssentials
import Rules

/// How many records of a batch may be rejected before it is not settled at all: `.records(20)` or `.percent(0.5)`.
public typealias RejectionLimit = Rules.RejectionLimit

/// What becomes of a field that its object does not have: an error if it looks like one that is missing (`suspect`),
/// always (`reject`), or a notice (`note`).
public typealias UnknownFields = Rules.UnknownFields

/// What decides what payments become, and how a batch is read; each as the command's option of that name.
public struct SettlementOptions: Sendable {
  /// The path of the fee schedule; nil for the published one, which is built in.
  public var fees: String?
  /// The path of the profiles of receivers that payments may name; nil for none.
  public var splits: String?
  /// The path of the tax rates that payments are held against; nil if taxes are not checked.
  public var taxes: String?
  /// Whether an item's total price below price times count is an error, and no discount.
  public var strictItems = false
  /// What becomes of a field that its object does not have.
  public var unknownFields = UnknownFields.suspect
  /// The most days between the run that settled a payment and the run that refunds it, from 0 to 36500.
  public var refundWindow = 180
  /// Whether a batch without a trailer is a batch error, also if it has no header.
  public var requiresTrailer = false
  /// Whether a trailer that disagrees with what was read is a batch error; else the batch is settled all the same.
  public var enforcesControlTotals = true
  /// How many records may be rejected before the batch is not settled; nil for any number.
  public var mostRejected: RejectionLimit?
  /// The rules that were asked for, though they may be the defaults.
  package var givenRules: Set<RuleOption> = []
  /// The number of worker threads, from 1 to 1024: as many as the machine has cores. It changes no result.
  public var threads = min(1024, ProcessInfo.processInfo.activeProcessorCount)

  /// The defaults of the command line.
  public init() {}

  /// What a run over these files is asked; the files of the options are read.
  package func runOptions(for batch: [String]) throws(RunFailure) -> RunOptions {
    guard (batch + [fees, splits, taxes].compactMap(\.self)).count(where: { $0 == "-" }) <= 1 else {
      throw .usage("standard input (-) can be read only once")
    }
    var options = RunOptions(
      rules: SettlementRules(
        schedule: try RuleFile.readFees(fees),
        profiles: try RuleFile.read(splits, "the profiles", tooLarge: "these are no profiles", SplitProfiles.init)
          ?? SplitProfiles(),
        taxes: try RuleFile.read(taxes, "the tax rates", tooLarge: "these are no tax rates", TaxTable.init),
        strictItems: strictItems, unknownFields: unknownFields),
      threads: threads, enforcesControlTotals: enforcesControlTotals)
    options.rules.refundWindow = refundWindow
    options.givenRules = givenRules
    options.requiresTrailer = requiresTrailer
    options.mostRejected = mostRejected
    return options
  }
}
