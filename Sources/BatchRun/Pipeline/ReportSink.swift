import Records
import Text

/// Takes what becomes of a batch, in batch order; by one thread at a time, though not always the same.
public protocol ReportSink: AnyObject {
  /// Told when the batch was made, where its header says so, before the first record is taken. What this throws ends the
  /// run.
  func begin(createdAt: UTCTime?) throws(RunFailure)

  /// Takes rows of settled parties, or entries; those of a payment are never parted. `text` is good for the call alone.
  func takeSettlement(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)

  /// The same of a text whose memory may be kept, if that of another one is left in its place.
  func takeSettlement(_ text: inout TextBuffer) throws(RunFailure)

  /// Takes whole rows of `exceptions.csv`, or lines of a validation; entries have none.
  func takeRows(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)

  /// Takes whole rows of `refunds.csv`.
  func takeRefund(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
}

extension ReportSink {
  /// Nothing begins with the batch.
  public func begin(createdAt: UTCTime?) {}

  /// Takes the text, and its memory stays.
  public func takeSettlement(_ text: inout TextBuffer) throws(RunFailure) {
    try takeSettlement(text.bytes, count: text.count)
  }

  /// Only a settlement has the report.
  public func takeRefund(_ text: UnsafePointer<UInt8>, count: Int) {}

  /// Traps: it takes entries.
  public func takeRows(_ text: UnsafePointer<UInt8>, count: Int) { preconditionFailure("entries have no rows") }
}
