import Input
import SampleBatch

/// Batches that are designed to take a long time, or much memory, for their size.
///
/// None has a header or a trailer. A batch of a given size has the same bytes everywhere.
public enum HostileBatch: String, CaseIterable, Sendable {
  /// Pay keys, senders and receivers that collide under hash functions without a key (`CollidingTexts`).
  case floodedKeys = "flooded-keys"
  /// Six receivers per payment, each with its own account: a million accounts at 120 MB.
  case millionAccounts = "million-accounts"
  /// Every payment goes to the same account.
  case oneAccount = "one-account"
  /// Lines at the size limit: one long text in an unknown field.
  case longestText = "longest-lines-text"
  /// Lines at the size limit: a text that consists of escapes.
  case longestEscapes = "longest-lines-escapes"
  /// Lines at the size limit: hundreds of thousands of unknown fields.
  case longestFields = "longest-lines-fields"
  /// Lines at the size limit: thousands of invoice items.
  case longestItems = "longest-lines-items"
  /// Lines at the size limit: thousands of receivers, although only six are allowed.
  case longestReceivers = "longest-lines-receivers"
  /// Lines at the size limit: brackets, as deep as allowed.
  case longestNesting = "longest-lines-nesting"
  /// Empty lines, compressed as much as LZ4 can: about 250 to 1.
  case emptyLines = "empty-lines"
  /// One payment repeated, compressed 250 to 1: all except the first are rejected for their pay key.
  case repeatedPayments = "repeated-payments"
  /// Realistic payments, each with one defect; all error codes take turns.
  case oneErrorEach = "one-error-each"
  /// Payments in which every field is wrong.
  case everyFieldWrong = "every-field-wrong"
  /// Payments that lack their last brace.
  case malformed = "malformed"
  /// The shortest possible payments.
  case shortestPayments = "shortest-payments"
  /// The most rows of `exceptions.csv` per byte: empty objects, one per line.
  case emptyObjects = "empty-objects"
  /// The most rows per record: empty receivers, up to the size limit.
  case emptyReceivers = "empty-receivers"

  /// Whether the reports must be more than twice as large as the batch, so that no engine could keep up with its size.
  public var isMostlyOutput: Bool {
    switch self {
    case .everyFieldWrong, .shortestPayments, .emptyObjects, .emptyReceivers: true
    default: false
    }
  }

  /// The longest allowed record (`batch.md`, "Limits").
  private static let longestRecord = 1_048_576

  /// The size of a written batch.
  public struct Written: Sendable, Equatable {
    /// Records, empty lines not counted.
    public var records: Int
    /// The bytes of text.
    public var bytes: Int
    /// The bytes as stored.
    public var storedBytes: Int
  }

  /// Writes the batch as an LZ4 frame of about `bytes` bytes of text: complete records, at least one.
  ///
  /// If there is no room for a record at the size limit, the record in such a batch is as long as the batch.
  ///
  /// - Parameter output: takes the bytes in order, in pieces of any length.
  public func write(bytes: Int, to output: (Span<UInt8>) throws -> Void) throws -> Written {
    if self == .oneErrorEach {
      // A payment has 1,465 bytes on average.
      let options = SampleBatchOptions(
        payments: max(1, bytes / 1465), seed: 1, defectsPerMillion: 1_000_000, threads: 2)
      let summary = try SampleBatch.write(options, isLZ4: true, output: output)
      return Written(
        records: summary.payments, bytes: Int(summary.bytes), storedBytes: Int(summary.storedBytes))
    }
    return try withoutActuallyEscaping(output) { output in
      var storedBytes = 0
      let frame = try HostileFrame { run in
        storedBytes += run.count
        try output(run)
      }
      var records = HostileRecords(self, longest: max(1000, min(bytes, Self.longestRecord)))
      var count = 0
      repeat {
        try frame.append { records.append(count, to: &$0) }
        count += 1
      } while frame.count < bytes
      try frame.finish()
      return Written(records: self == .emptyLines ? 0 : count, bytes: frame.bytes, storedBytes: storedBytes)
    }
  }
}
