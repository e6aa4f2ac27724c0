/// The limits of a record (`batch.md`, "Limits").
enum RecordLimits {
  /// The most bytes of a record, its line ending not counted.
  static let maximumLength = 1_048_576
  /// The most receivers, items and so on of a record that a worker takes; wider ones are taken one at a time.
  static let widthLimit = 4096
}
