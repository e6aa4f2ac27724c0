import BatchRun
import FileSystem

/// What is known of a settlement directory once it was gone through.
public struct VerificationResult: Sendable {
  /// What is wrong, in the order in which it was found; of one file at most twenty findings.
  public let findings: [ReportFinding]
  /// How many things are wrong, listed or not.
  public let count: Int
  /// How many findings of a file are not listed.
  public let unlisted: [(file: String, count: Int)]
  /// Which files of the batch are named or stored in another way than when they were settled, though not changed.
  public let notes: [String]
  /// The settled payments.
  public let payments: Int
  /// The rows of `settlement.csv`.
  public let rows: Int
  /// The accounts and currencies that received money.
  public let receivers: Int
  /// The currencies of settled payments.
  public let currencies: Int
  /// The records that are rejected because an earlier run settled their pay key: that one did is taken as told.
  public let settledEarlier: Int

  /// Whether nothing is wrong.
  public var isGood: Bool { count == 0 }

  /// The process's exit code: 0 if nothing is wrong, else 1.
  public var exitCode: Int32 { isGood ? 0 : 1 }
}

/// Goes through a published settlement directory and holds its reports against each other.
///
/// What one report says and another must agree with is proven: digests, every payment's zero sum, the sums by account
/// and currency, the trial balance, where the batch's money went, the counts. What only the batch can prove (messages,
/// lines and offsets, senders' accounts, notices, the files' digests) takes the batch, which is then settled again.
///
/// That earlier runs settled a pay key is taken as `exceptions.csv` tells, unless the ledger is there to be asked.
/// What follows from it is proven: every record of the batch with that key is then rejected, each with that row, and
/// every other record is settled as if there were no ledger. So a forged row hides a payment, and no forged row makes one.
///
/// The directory may hold anything. Memory is that of a run over the same batch.
public enum Verification {
  /// The batch that was settled, to be settled again.
  public struct Batch: Sendable {
    /// Its files in order; `-` is standard input.
    public let paths: [String]
    /// The options of the run, its fee schedule among them.
    public let options: RunOptions
    /// Tells what earlier runs settled; nil if the reports are believed.
    public let ledger: ReadLedger?

    /// A batch and how it was settled; a ledger must be opened for the same files and options.
    public init(paths: [String], options: RunOptions, ledger: ReadLedger? = nil) {
      self.paths = paths
      self.options = options
      self.ledger = ledger
    }
  }

  /// Verifies a directory, and with a batch that settling it again gives the same bytes.
  ///
  /// Throws if the directory cannot be opened or read, or holds no reports, and where the batch cannot be settled again.
  /// What is wrong with the reports is no failure but the result.
  ///
  /// - Parameters:
  ///   - threads: how many may be at work at once, if there is something to share.
  ///   - progress: told how far the batch is settled again.
  public static func verify(
    _ path: String, batch: Batch? = nil, threads: Int = 1, progress: RunProgress? = nil
  ) throws(RunFailure) -> VerificationResult {
    let folder = try ReportFolder(path: path)
    guard try folder.hasReports else {
      throw .unreadable("\(OutputPlace.shown(path)): this directory holds no reports")
    }
    let audit = DirectoryAudit(folder, threads: threads)
    try audit.holdTogether(isSettledAgain: batch != nil)
    if let batch { try audit.settleAgain(batch, progress: progress) }
    return audit.result
  }
}
