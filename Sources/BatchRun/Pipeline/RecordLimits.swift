/// The limits of a record (`batch.md`, "Limits").
package enum RecordLimits {
  /// The most bytes of a record, its line ending not counted.
  package static let maximumLength = 1_048_576
  /// The most receivers, items and so on of a record that one of several workers takes; wider records are taken one at
  /// a time.
  ///
  /// Receivers take about 300 bytes each while they are judged, so that all workers together need 20 MB for them.
  package static func widthLimit(threads: Int) -> Int { max(4096, 65536 / threads) }
}
