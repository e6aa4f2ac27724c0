import BatchRun
import Publication
import Reports

/// A report that is kept in memory.
package final class CollectedText: ReportWriter {
  /// What was written.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package func write(_ bytes: UnsafePointer<UInt8>, count: Int) {
    self.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
  }
}
