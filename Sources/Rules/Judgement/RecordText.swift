/// Where a text of a record is: in its line, or in a copy that was unescaped or put into lower case. `RecordReader` has
/// the bytes, until the next record is judged.
@usableFromInline
struct RecordText: BitwiseCopyable, Sendable {
  /// No text.
  static let none = RecordText(start: 0, count: 0, isCopy: false)

  @usableFromInline let first: UInt32
  /// Twice the length, and whether it is a copy.
  @usableFromInline let meta: UInt32

  @inline(__always)
  init(start: Int, count: Int, isCopy: Bool) {
    precondition(start >> 32 == 0 && count >> 31 == 0, "a text beyond its record")
    first = UInt32(truncatingIfNeeded: start)
    meta = UInt32(truncatingIfNeeded: count << 1) | (isCopy ? 1 : 0)
  }

  /// The offset of its first byte.
  @inlinable var start: Int { Int(first) }
  /// The length in bytes.
  @inlinable var count: Int { Int(meta >> 1) }
  /// Whether it is in the reader's copies.
  @inlinable var isCopy: Bool { meta & 1 != 0 }

  var isEmpty: Bool { count == 0 }
  /// Its place in the line or among the copies.
  @inlinable var range: Range<Int> { start..<start + count }
}
