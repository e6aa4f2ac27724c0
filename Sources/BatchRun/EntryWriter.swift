import Documents
import Failures
import Postings
import Records
import Rules
import Text

/// Makes a text of each settled payment and refund, for `BatchRun.entries`.
public struct EntryWriter: Sendable {
  /// Appends the text for a settled entry, or nothing. Several threads call it at a time, in no particular order, so it
  /// must depend on the entry alone. If a payment's pay key turns out to be repeated, its text is dropped. For refunds
  /// it is called once the batch has ended.
  public let write: @Sendable (SettledEntry, EntryTexts, EntryFees, inout TextBuffer) -> Void
  /// The sides whose sums are wanted in the end: receivers, senders, or neither. They take time and memory.
  public let sums: [AccountSide]

  /// - Parameters:
  ///   - sums: the value of `sums`.
  ///   - write: the value of `write`.
  public init(
    sums: [AccountSide], write: @escaping @Sendable (SettledEntry, EntryTexts, EntryFees, inout TextBuffer) -> Void
  ) {
    self.write = write
    self.sums = sums
  }
}

/// Takes entries, in batch order; those of one payment together.
public protocol EntryDestination: ReportWriter {
  /// Receives the batch's creation time, if its header gives one, before the first record is taken. An error thrown
  /// here ends the run.
  func begin(createdAt: UTCTime?) throws(Failure)
}
