import ExactArithmetic

/// Writes a row into room that was made for all of it.
///
/// (Unsafe: the caller of `appendRow` makes the room. Each row is checked at its end, in builds for debugging each append
/// too. The end is in a register, so this costs half of what appending to a buffer does.)
@safe
public struct RowWriter: ~Copyable {
  @usableFromInline var end: UnsafeMutablePointer<UInt8>
  @usableFromInline let limit: UnsafeMutablePointer<UInt8>

  @inlinable @inline(__always)
  init(_ room: UnsafeMutablePointer<UInt8>, count: Int) { unsafe (end, limit) = (room, room + count) }

  /// Appends one byte.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    unsafe assert(end < limit)
    unsafe end.pointee = byte
    unsafe end += 1
  }

  /// Appends a text.
  @inlinable @inline(__always)
  public mutating func append(_ text: Span<UInt8>) {
    unsafe assert(text.count <= limit - end)
    unsafe text.copy(to: end)
    unsafe end += text.count
  }

  /// Appends a text and a separator.
  @inlinable @inline(__always)
  public mutating func append(_ text: Span<UInt8>, _ separator: UInt8) {
    append(text)
    append(separator)
  }

  /// Appends a decimal in plain notation, with the number of decimals that its exponent says.
  @inlinable @inline(__always)
  public mutating func append(_ decimal: ExactDecimal) {
    unsafe assert(decimal.maximumPlainLength <= limit - end)
    unsafe end += decimal.writePlain(to: end)
  }

  /// Appends a decimal and a separator.
  @inlinable @inline(__always)
  public mutating func append(_ decimal: ExactDecimal, _ separator: UInt8) {
    append(decimal)
    append(separator)
  }
}

extension TextBuffer {
  /// Appends what `write` writes, which must be at most `most` bytes.
  @unsafe @inlinable @inline(__always)
  public mutating func appendRow(atMost most: Int, _ write: (inout RowWriter) -> Void) {
    let room = unsafe reserve(most)
    var row = unsafe RowWriter(room, count: most)
    write(&row)
    let written = unsafe row.end - room
    precondition(written <= most, "a row is longer than the room made for it")
    length &+= written
  }
}
