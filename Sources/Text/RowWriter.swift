import ExactArithmetic

/// Writes a row into room that was made for all of it.
///
/// (Unsafe: `end` is within the room, whose last byte is before `limit`; each append checks that. The end is in a register, so
/// this costs half of what appending to a buffer does.)
@safe
public struct RowWriter: ~Copyable {
  @usableFromInline var end: UnsafeMutablePointer<UInt8>
  @usableFromInline let limit: UnsafeMutablePointer<UInt8>

  @inlinable @inline(__always)
  init(_ room: UnsafeMutablePointer<UInt8>, count: Int) { unsafe (end, limit) = (room, room + count) }

  /// Appends one byte.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    unsafe precondition(end < limit)
    unsafe end.pointee = byte
    unsafe end += 1
  }

  /// Appends a text and a separator.
  @inlinable @inline(__always)
  public mutating func append(_ text: Span<UInt8>, _ separator: UInt8) {
    unsafe precondition(text.count < limit - end)
    unsafe text.withUnsafeBufferPointer { text in
      if let start = text.baseAddress { unsafe ByteCopy.copy(start, count: text.count, to: end) }
    }
    unsafe end[text.count] = separator
    unsafe end += text.count &+ 1
  }

  /// Appends a decimal in plain notation, with the number of decimals that its exponent says, and a separator.
  @inlinable @inline(__always)
  public mutating func append(_ decimal: ExactDecimal, _ separator: UInt8) {
    unsafe precondition(decimal.maximumPlainLength < limit - end)
    let count = unsafe decimal.writePlain(to: end)
    unsafe end[count] = separator
    unsafe end += count &+ 1
  }
}

extension TextBuffer {
  /// Appends what `write` writes, at most `most` bytes.
  @inlinable @inline(__always)
  public mutating func appendRow(atMost most: Int, _ write: (inout RowWriter) -> Void) {
    let room = unsafe reserve(most)
    var row = unsafe RowWriter(room, count: most)
    write(&row)
    length &+= unsafe row.end - room
  }
}
