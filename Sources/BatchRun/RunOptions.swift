import Digests
import FileSystem
import FoundationEssentials
import Records
import Reports
import Rules

/// What a run is asked to do, beyond its files.
public struct RunOptions: Sendable {
  /// What decides what a record becomes.
  public var rules: SettlementRules
  /// The rules that were asked for by an option. Others, where they are the defaults, are taken from the run of a batch by
  /// those who settle it again with a ledger.
  public var givenRules: Set<RuleOption> = []
  /// The number of worker threads, at least 1. It changes no byte of the reports.
  public var threads: Int
  /// Whether a trailer that disagrees with what was read ends the run; else the run settles and says so.
  public var enforcesControlTotals: Bool
  /// Whether a batch without a trailer is a batch error, also if it has no header.
  public var requiresTrailer = false
  /// How many records may be rejected before the batch is not settled; nil for any number. Like what is asked of the
  /// trailer it changes no result, but whether there is one.
  public var mostRejected: RejectionLimit?
  /// Bytes of plain text in a chunk; tests make it small. It changes no byte of the reports.
  public var plainChunkLength: Int
  /// Beside what files without a name are made, for what does not fit into memory.
  public var scratch = FileManager.default.temporaryDirectory.appending(path: "settle").path
  /// What reports call the batch's files, one escaped name for each; nil if they are called as given.
  public var fileNames: [String]?
  /// What reports say of the batch's files; nil for what is read. A run's reports that are made again have the same bytes,
  /// however the batch is called and compressed by now.
  var reportedFiles: [StoredFile]?
  /// Whether the summary names the rules: not where it is made again for a run before they were kept.
  var namesRules = true

  /// The bytes of text that a chunk's part holds before it is committed. A full part waits for its turn: alone that costs
  /// nothing, among others it should be rare.
  var textBudget: Int { threads == 1 ? 1 << 20 : max(1 << 20, (8 << 20) / threads) }

  /// Options with the defaults of the command line.
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

/// What a run made of a batch.
public struct RunResult: Sendable {
  /// Counts and sums.
  public let totals: ControlTotals
  /// The batch's identifier, where its header gives one.
  public let batchID: String?
  /// How the control totals stand.
  public let controlTotals: ControlTotalsState
  /// Where they disagree and the run went on: what the trailer says and what was read.
  public let controlMismatch: BatchError?
  /// The batch's files.
  public let files: [StoredFile]
  /// The accounts and currencies that received money.
  public let accounts: Int
  /// The bytes of decompressed text.
  public let textBytes: Int
  /// The digests of each file's decompressed text; none if no ledger asks for them.
  let textDigests: [TextDigest]
  /// The rules that the batch was settled by; nil if the summary is not to name them.
  public let rules: SummaryReport.SettledBy?
  /// Where the header stands; nil if there is none.
  let headerPlace: BatchEnvelope.Place?
  /// When the batch was made, where its header says so.
  public let createdAt: UTCTime?

  /// The process's exit code: 1 if a record was rejected, else 0.
  public var exitCode: Int32 { totals[.rejected] > 0 ? 1 : 0 }
}

extension SummaryReport.SettledBy {
  init(_ rules: SettlementRules) { self.init(rules) { SHA256.digest(of: $0).hexadecimal } }
}
