import BatchFile
import Payments

/// Where the texts of a run go, in batch order.
protocol ReportSink: AnyObject {
  /// Told of the batch's header, before anything else is taken.
  func takeHeader(createdAt: UTCTime?)
  /// Takes rows of settled parties, or entries; those of a payment are never parted.
  func takeSettlement(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
  /// Takes whole rows of `exceptions.csv`, or lines of a validation.
  func takeRows(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
}

extension ReportSink {
  func takeHeader(createdAt: UTCTime?) {}
}
