import Failures
import FileSystem
import LedgerRuns
import Documents

/// The messages of a published settlement, for records with an `ipnUrl` (`messages.md`).
public enum Outbox {
  /// The number of messages of each kind.
  public struct Counts: Sendable, Equatable {
    /// Messages of settled payments.
    public internal(set) var payments = 0
    /// Messages of refunds.
    public internal(set) var refunds = 0
    /// Messages of agreements that were confirmed or canceled.
    public internal(set) var preapprovals = 0
  }

  /// Writes the messages of everything that a directory reports as settled: payments, then refunds, then preapprovals.
  ///
  /// Batch and reports are read once, side by side. The caller must not publish any output before this returns.
  ///
  /// - Parameters:
  ///   - directory: the reports, as a run published them.
  ///   - paths: the files of their batch, in order; `-` is standard input.
  ///   - earlier: files of batches of earlier nights, in which refunded payments of those nights are looked for.
  ///   - key: the key that signs bodies; nil if they are not signed.
  ///   - scratch: a path next to which unnamed files may be made.
  ///   - output: takes JSON Lines, piece by piece.
  /// - Throws: what reading a batch throws; `.notOfOneSettlement` if the reports are not as they were published, or if
  ///   they are of another batch.
  public static func write(
    _ directory: String, batch paths: [String], earlier: [String] = [], key: [UInt8]?, scratch: String,
    output: @escaping (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> Counts {
    let shown = OutputPlace.shown(directory)
    let reports = try PublishedDirectory(
      directory, missing: Failure.notOfOneSettlement, failure: Failure.notOfOneSettlement)
    guard paths.count == reports.summary.files.count else {
      throw .notOfOneSettlement(
        "\(shown): the number of files that it was settled from is \(reports.summary.files.count), not \(paths.count)")
    }
    let messages = try BatchMessages(
      reports, hasEarlier: !earlier.isEmpty, key: key, scratch: scratch, output: output)
    let files = try BatchReading.forEachRecord(paths, hashes: true) { record throws(Failure) in
      try messages.read(record)
    }
    if !earlier.isEmpty {
      _ = try BatchReading.forEachRecord(earlier, hashes: false) { record throws(Failure) in
        try messages.readEarlier(record)
      }
    }
    let isWhole = messages.isWhole
    if isWhole { try messages.finish() }
    try reports.finish()
    for (file, known) in zip(files, reports.summary.files) where file.sha256 != known.sha256 {
      throw .notOfOneSettlement(
        "\(file.name): is not the batch that \(shown) was settled from: its SHA-256 is \(file.sha256); "
          + "summary.json has \(known.sha256) for \(known.name)")
    }
    guard isWhole else {
      throw .notOfOneSettlement("\(shown): its reports contain payments or refunds that the batch does not have")
    }
    return messages.counts
  }
}
