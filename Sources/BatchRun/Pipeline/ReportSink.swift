import Records

/// Where the texts of a run go, in batch order.
package protocol ReportSink: AnyObject {
  /// Told when the batch was made, where its header says so, before anything else is taken.
  func begin(createdAt: UTCTime?) throws(RunFailure)
  /// Takes rows of settled parties, or entries; those of a payment are never parted.
  func takeSettlement(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
  /// Takes whole rows of `exceptions.csv`, or lines of a validation.
  func takeRows(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
}

extension ReportSink {
  package func begin(createdAt: UTCTime?) {}
}
