import Documents
import BatchRun
import Failures
import FileSystem
import Ledger
import LedgerRuns

/// The result of verifying a settlement directory.
public struct VerificationResult: VerifiedFolder {
  public let verdict: FolderVerdict
  /// Files of the batch that have another name or another compression than when they were settled, but the same text.
  public let notes: [String]
  /// The number of settled payments.
  public let payments: Int
  /// The number of rows of `settlement.csv`.
  public let rows: Int
  /// The number of accounts and currencies that received money.
  public let receivers: Int
  /// The number of currencies of settled payments.
  public let currencies: Int
  /// The number of records that are rejected because an earlier run is said to have settled their pay key. Without a
  /// ledger that is not proven.
  public let settledEarlier: Int
  /// The version that made the reports, if that is another one and they were compared with those of this one: then their
  /// messages were not compared.
  public let otherVersion: String?
  /// The run that published the reports; nil if no ledger was asked, or if no run of it did.
  public let run: RunEntry?

  /// Whether nothing is wrong.
  public var isGood: Bool { count == 0 }

  /// The process's exit code: 0 if nothing is wrong, otherwise 1.
  public var exitCode: Int32 { isGood ? 0 : 1 }
}

/// Verifies a published settlement directory by comparing its reports with each other.
///
/// Everything on which two reports must agree is proven: digests, every payment's zero sum, the sums by account and
/// currency, the trial balance, where the batch's money went, and the counts. The rest (messages, lines and offsets,
/// senders' accounts, notices, the files' digests) can only be proven with the batch, which is then settled again.
///
/// Without a ledger, `exceptions.csv` is believed if it says that an earlier run settled a pay key. The consequences
/// are proven: every record of the batch with that key is rejected and has that row, and every other record is settled
/// as if there were no ledger. So a forged row can hide a payment, but cannot make one.
///
/// The directory may contain anything. Memory is that of a run over the same batch.
public enum Verification {
  /// The batch that was settled, which is settled again.
  public struct SettledBatch: Sendable {
    /// Its files in order; `-` is standard input.
    public let paths: [String]
    /// The options of the run, including its fee schedule.
    public let options: RunOptions
    /// Knows what earlier runs settled; nil to believe the reports.
    public let ledger: BatchLedger?

    /// A batch and how it was settled; a ledger must be opened for the same files and options.
    public init(paths: [String], options: RunOptions, ledger: BatchLedger? = nil) {
      self.paths = paths
      self.options = options
      self.ledger = ledger
    }
  }

  /// Verifies a directory and, with a batch, that settling it again gives the same bytes.
  ///
  /// Throws if the directory cannot be opened or read, or holds no reports, or if the batch cannot be settled again.
  /// Faults of the reports are not errors, but the result.
  ///
  /// - Parameters:
  ///   - history: the ledger that must have a run with these reports; nil if none is asked.
  ///   - threads: the most threads, if the work can be divided.
  ///   - progress: receives the progress of settling the batch again.
  public static func verify(
    _ path: String, batch: SettledBatch? = nil, history: LedgerHistory? = nil, threads: Int = 1,
    progress: RunProgress? = nil
  ) throws(Failure) -> VerificationResult {
    let audit = try DirectoryAudit(path: path, threads: threads)
    guard try audit.folder.hasReports else {
      throw .unreadable("\(OutputPlace.shown(path)): this directory holds no reports")
    }
    try audit.holdTogether(isSettledAgain: batch != nil)
    if let history { try audit.findRun(history) }
    if let batch { try audit.settleAgain(batch, progress: progress) }
    return audit.result
  }
}
