import Failures
import FileSystem
import FoundationEssentials
import Records
import Rules

/// What a run should do, besides reading its files.
public struct RunOptions: Sendable {
  /// The rules that decide what a record becomes.
  public var rules: SettlementRules
  /// The rules that an option asked for. If a batch is settled again with a ledger, other rules that have their
  /// defaults come from its run.
  public var givenRules: Set<RuleOption> = []
  /// The number of worker threads, at least 1. It changes no byte of the reports.
  public var threads: Int
  /// Whether a trailer that disagrees with the records ends the run; else the run settles and reports it.
  public var enforcesControlTotals: Bool
  /// Whether a batch without a trailer is a batch error, even if it has no header.
  public var requiresTrailer = false
  /// Whether trailers are passed over, to make the one that the batch should have.
  package var passesOverTrailers = false
  /// How many records may be rejected before the batch is not settled; nil for any number. Like the trailer options it
  /// decides only whether there is a result, not which.
  public var mostRejected: RejectionLimit?
  /// The bytes of plain text in a chunk; tests make it small. It changes no byte of the reports.
  public var plainChunkLength: Int
  /// Unnamed files for what does not fit into memory are created next to this path.
  public var scratch = FileManager.default.temporaryDirectory.appending(path: "settle").path
  /// What reports call the batch's files, one escaped name for each; nil for the names as given.
  public var fileNames: [String]?
  /// How reports describe the batch's files; nil for the files as read. Republished reports of a run keep their bytes,
  /// even if the batch is renamed or compressed differently now.
  package var reportedFiles: [StoredFile]?
  /// Whether the summary names the rules; false if it is made again for a run from before rules were kept.
  package var namesRules = true

  /// Whether an earlier run of the ledger shows the names of fees.
  package var earlierShowsNames = false
  /// Whether the night shows the names of fees (`fees.md`).
  package var showsNames: Bool { earlierShowsNames || rules.schedule.hasNames }

  /// The bytes of text that a stretch holds before it is committed. A full stretch waits for its turn: with one
  /// thread that costs nothing, with several it should be rare.
  package var textBudget: Int { threads == 1 ? 1 << 20 : max(1 << 20, (8 << 20) / threads) }

  /// Options with the command line's defaults.
  public init(
    rules: SettlementRules = SettlementRules(), threads: Int, enforcesControlTotals: Bool = true,
    plainChunkLength: Int = 1 << 20
  ) {
    precondition(threads >= 1, "a run needs a thread")
    self.rules = rules
    self.threads = threads
    self.enforcesControlTotals = enforcesControlTotals
    self.plainChunkLength = plainChunkLength
  }
}

/// The days of a run in a ledger (`accounts.md`).
public struct RunDays: Sendable, Equatable {
  /// The settlement day: that of the header's `createdAt` in UTC, otherwise the day of entry.
  public let settled: CalendarDay
  /// The booking day: the latest of the run's day and the booking days of everything entered before it.
  public let booked: CalendarDay

  package init(settled: CalendarDay, booked: CalendarDay) { (self.settled, self.booked) = (settled, booked) }
}

/// The result of a run over a batch.
public struct RunResult: Sendable {
  /// Counts and sums.
  public let totals: ControlTotals
  /// The batch's identifier, if its header gives one.
  public let batchID: String?
  public let controlTotals: ControlTotalsState
  /// If they disagree and the run went on: what the trailer says and what was read.
  public let controlMismatch: BatchError?
  /// The batch's files.
  public let files: [StoredFile]
  /// The accounts and currencies that received money.
  public let accounts: Int
  /// The bytes of decompressed text.
  public let textBytes: Int
  /// The digests of each file's decompressed text; empty without a ledger.
  package let textDigests: [TextDigest]
  /// The digest of the beginning of the first text (`TextOpening`); empty without a ledger.
  package var opening: [UInt8] = []
  /// The rules that the batch was settled by; nil if the summary does not name them.
  public let rules: RuleValues?
  /// The header's place; nil if there is no header.
  package let headerPlace: BatchEnvelope.Place?
  /// When the batch was made, if its header says so.
  public let createdAt: UTCTime?
  /// Whether the night shows the names of fees.
  package let showsNames: Bool
  /// The days of the run in a ledger; nil without one.
  package var days: RunDays?

  package init(
    totals: ControlTotals, batchID: String?, controlTotals: ControlTotalsState, controlMismatch: BatchError?,
    files: [StoredFile], accounts: Int, textBytes: Int, textDigests: [TextDigest], rules: RuleValues?,
    headerPlace: BatchEnvelope.Place?, createdAt: UTCTime?, showsNames: Bool
  ) {
    self.totals = totals
    self.batchID = batchID
    self.controlTotals = controlTotals
    self.controlMismatch = controlMismatch
    self.files = files
    self.accounts = accounts
    self.textBytes = textBytes
    self.textDigests = textDigests
    self.rules = rules
    self.headerPlace = headerPlace
    self.createdAt = createdAt
    self.showsNames = showsNames
  }

  /// The process's exit code: 1 if a record was rejected, else 0.
  public var exitCode: Int32 { totals[.rejected] > 0 ? 1 : 0 }
}
