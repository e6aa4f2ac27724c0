import BatchFile

/// Where the texts of a run go, in batch order.
protocol ReportSink: AnyObject {
  /// Takes rows of settled parties.
  func takeSettlement(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
  /// Takes whole rows of `exceptions.csv`, or lines of a validation.
  func takeRows(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
}
