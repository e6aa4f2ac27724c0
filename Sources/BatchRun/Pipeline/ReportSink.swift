import Records
import Text

/// Takes the results of a batch, in batch order. One thread calls it at a time, but not always the same one.
public protocol ReportSink: AnyObject {
  /// Receives the batch's creation time, if its header gives one, before the first record is taken. An error thrown
  /// here ends the run.
  func begin(createdAt: UTCTime?) throws(RunFailure)

  /// Takes rows of settled parties, or entries; those of one payment together. `text` is valid only during the call.
  func takeSettlement(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)

  /// The same, but it may keep the text's memory if it leaves other memory in its place.
  func takeSettlement(_ text: inout TextBuffer) throws(RunFailure)

  /// Takes whole rows of `exceptions.csv`, or lines of a validation; entries have no rows.
  func takeRows(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)

  /// Takes whole rows of `refunds.csv`.
  func takeRefund(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
}

extension ReportSink {
  /// Does nothing.
  public func begin(createdAt: UTCTime?) {}

  /// Takes the text without keeping its memory.
  public func takeSettlement(_ text: inout TextBuffer) throws(RunFailure) {
    try takeSettlement(text.bytes, count: text.count)
  }

  /// Does nothing: only a settlement has this report.
  public func takeRefund(_ text: UnsafePointer<UInt8>, count: Int) {}

  /// Traps: entries have no rows.
  public func takeRows(_ text: UnsafePointer<UInt8>, count: Int) { preconditionFailure("entries have no rows") }
}
