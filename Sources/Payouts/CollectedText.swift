import Documents

/// A report that is kept in memory.
package final class CollectedText: ReportWriter {
  /// What was written.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package func write(_ text: Span<UInt8>) { bytes.append(text) }
}
