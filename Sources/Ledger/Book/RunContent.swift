import Claims
import FileSystem
import Postings

/// What distinguishes a run from others: the same identity is the same run (`ledger.md`). All digests are SHA-256, 32
/// bytes.
public struct RunIdentity: Sendable, Equatable {
  /// The digest of the digests of the decompressed texts, file by file.
  public var content: [UInt8]
  /// The digest of the fee schedule.
  public var schedule: [UInt8]
  /// The options that change results, as a text.
  public var options: String
  /// Whether the texts' digests are plain SHA-256, as earlier versions computed them, and not in pieces.
  public var isPlain: Bool

  /// An identity.
  public init(content: [UInt8], schedule: [UInt8], options: String, isPlain: Bool = false) {
    self.content = content
    self.schedule = schedule
    self.options = options
    self.isPlain = isPlain
  }
}

/// A run in a ledger.
public typealias RunEntry = Entry<RunContent>

/// What was moved in a currency.
public struct RunTotal: Sendable, Equatable {
  /// The currency's code.
  public var currency: String
  /// The figures, with the currency's decimals.
  public var moved: TrialBalance

  /// What was moved in a currency.
  public init(currency: String, moved: TrialBalance) { (self.currency, self.moved) = (currency, moved) }
}

/// The number of records by outcome.
public struct RecordCounts: Sendable, Equatable {
  /// All records, except header and trailer.
  public var read: Int
  /// Settled records.
  public var settled: Int
  /// Rejected records.
  public var rejected: Int
  /// Pending records.
  public var pending: Int
  /// Held records.
  public var held: Int
  /// Refunds that were made.
  public var refunded: Int
  /// Preapproval records that took effect.
  public var preapprovals: Int

  /// The numbers of records.
  public init(
    read: Int, settled: Int, rejected: Int, pending: Int, held: Int, refunded: Int = 0, preapprovals: Int = 0
  ) {
    self.read = read
    self.settled = settled
    self.rejected = rejected
    self.pending = pending
    self.held = held
    self.refunded = refunded
    self.preapprovals = preapprovals
  }
}

/// What only runs have.
public struct RunContent: EntryContent {
  public static let kind = EntryKind.run

  /// What distinguishes it from other runs.
  public var identity: RunIdentity
  /// The digest of the first 64 KiB of the first file's decompressed text: if it differs, so does the content.
  public var opening: [UInt8]
  /// The fingerprint of the batch id, if the header has one.
  public var batchKey: Fingerprint?
  /// The batch id, in a form that is safe to show.
  public var batchID: String?
  /// The UTC date of the header's `createdAt`, in days since 1970-01-01, if it has one.
  public var day: Int?
  /// The batch's files.
  public var files: [StoredFile]
  /// The number of records by outcome.
  public var records: RecordCounts
  /// The result of the control totals: `verified`, `mismatch` or `absent`.
  public var controlTotals: String
  /// What was moved, by currency in the order of the codes.
  public var totals: [RunTotal]
  /// The SHA-256 of each rule text that the batch was settled by, by name; empty if it was entered before they were
  /// kept.
  public var rules: [String: [UInt8]]
  /// The number of payments whose details the ledger has; nil if they were pruned, or if the run was entered before
  /// details were kept.
  var detailCount: Int?
  /// The last run when the details were pruned; nil if they are kept, or if that is not known.
  var prunedAfter: Int?
  /// The number of amounts of accounts that the ledger has; nil if it was entered before these were kept.
  public internal(set) var balanceCount: Int?

  /// The exit code of `settle run`: 1 if a record was rejected, else 0.
  public var exitCode: Int32 { records.rejected > 0 ? 1 : 0 }
}

extension Entry<RunContent> {
  /// A run to be entered.
  public init(
    time: String, engine: String, identity: RunIdentity, opening: [UInt8], batchKey: Fingerprint?, batchID: String?,
    day: Int? = nil, files: [StoredFile], records: RecordCounts, controlTotals: String, totals: [RunTotal],
    directory: [UInt8], sums: String, rules: [String: [UInt8]] = [:]
  ) {
    self.time = time
    self.engine = engine
    self.directory = directory
    self.sums = sums
    content = RunContent(
      identity: identity, opening: opening, batchKey: batchKey, batchID: batchID, day: day, files: files,
      records: records, controlTotals: controlTotals, totals: totals, rules: rules)
  }
}
