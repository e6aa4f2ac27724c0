/// Where a text of a record is: in its line, or in a copy that was unescaped or put into lower case. `RecordReader` has
/// the bytes, until the next record is judged.
@usableFromInline
struct RecordText: BitwiseCopyable, Sendable {
  /// No text.
  static let none = RecordText(start: 0, count: 0, isCopy: false)

  /// The offset of its first byte.
  @usableFromInline let start: Int
  /// The length in bytes.
  @usableFromInline let count: Int
  /// Whether it is in the reader's copies.
  @usableFromInline let isCopy: Bool

  @inline(__always)
  init(start: Int, count: Int, isCopy: Bool) {
    self.start = start
    self.count = count
    self.isCopy = isCopy
  }

  var isEmpty: Bool { count == 0 }
  /// Its place in the line or among the copies.
  var range: Range<Int> { start..<start + count }
}
