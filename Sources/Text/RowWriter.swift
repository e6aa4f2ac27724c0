import ExactArithmetic

/// Writes a row into room that was made for all of it.
///
/// (Unsafe: each append traps before it writes past the room. The end is in a register, so this costs less than appending
/// to a buffer does.)
@safe
public struct RowWriter: ~Copyable {
  @usableFromInline var end: UnsafeMutablePointer<UInt8>
  @usableFromInline let limit: UnsafeMutablePointer<UInt8>

  @inlinable @inline(__always)
  init(_ room: UnsafeMutablePointer<UInt8>, count: Int) { unsafe (end, limit) = (room, room + count) }

  /// Traps unless there is room for `count` more bytes.
  @inlinable @inline(__always)
  func expectRoom(for count: Int) {
    unsafe precondition(count <= limit - end, "a row is longer than the room made for it")
  }

  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    expectRoom(for: 1)
    unsafe end.pointee = byte
    unsafe end += 1
  }

  @inlinable @inline(__always)
  public mutating func append(_ text: Span<UInt8>) {
    expectRoom(for: text.count)
    unsafe text.copy(to: end)
    unsafe end += text.count
  }

  @inlinable @inline(__always)
  public mutating func append(_ text: Span<UInt8>, _ separator: UInt8) {
    expectRoom(for: text.count &+ 1)
    unsafe text.copy(to: end)
    unsafe end += text.count
    unsafe end.pointee = separator
    unsafe end += 1
  }

  /// Appends a text of at most 255 bytes after its length.
  @inlinable @inline(__always)
  public mutating func append(counted text: Span<UInt8>) {
    expectRoom(for: text.count &+ 1)
    unsafe end.pointee = UInt8(text.count)
    unsafe text.copy(to: end + 1)
    unsafe end += text.count &+ 1
  }

  /// Appends a number as `Varint` does. There must be room for the longest.
  @inlinable @inline(__always)
  public mutating func append(varint number: UInt64) {
    expectRoom(for: Varint.longest)
    var last = unsafe end
    Varint.write(number) {
      unsafe last.pointee = $0
      unsafe last += 1
    }
    unsafe end = last
  }
}

extension TextBuffer {
  /// Appends a row: texts, a code, amounts in plain notation and a last text, with commas between them and a line feed.
  ///
  /// (Unsafe: the room is the sum of the most that each takes, so no write needs a check.)
  @inlinable @inline(__always)
  public mutating func appendRow(
    _ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>, _ fourth: Span<UInt8>,
    _ code: (UInt8, UInt8, UInt8),
    _ amounts: (InlineDecimal, InlineDecimal, InlineDecimal, InlineDecimal), _ last: Span<UInt8>
  ) {
    let figures =
      amounts.0.maximumPlainLength &+ amounts.1.maximumPlainLength &+ amounts.2.maximumPlainLength
      &+ amounts.3.maximumPlainLength &+ 4
    var end = unsafe beginRow(first, second, third, fourth, code, room: figures &+ last.count &+ 1)
    unsafe Self.write(amounts.0, to: &end)
    unsafe Self.write(amounts.1, to: &end)
    unsafe Self.write(amounts.2, to: &end)
    unsafe Self.write(amounts.3, to: &end)
    unsafe Self.write(last, UInt8(ascii: "\n"), to: &end)
    length = unsafe end - base
  }

  /// Appends the same with two amounts.
  @inlinable @inline(__always)
  public mutating func appendRow(
    _ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>, _ fourth: Span<UInt8>,
    _ code: (UInt8, UInt8, UInt8), _ amounts: (InlineDecimal, InlineDecimal), _ last: Span<UInt8>
  ) {
    let figures = amounts.0.maximumPlainLength &+ amounts.1.maximumPlainLength &+ 2
    var end = unsafe beginRow(first, second, third, fourth, code, room: figures &+ last.count &+ 1)
    unsafe Self.write(amounts.0, to: &end)
    unsafe Self.write(amounts.1, to: &end)
    unsafe Self.write(last, UInt8(ascii: "\n"), to: &end)
    length = unsafe end - base
  }

  /// Writes the texts and the code of a row after the text, and returns where they end: before `more` bytes of room.
  @unsafe @inlinable @inline(__always)
  mutating func beginRow(
    _ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>, _ fourth: Span<UInt8>,
    _ code: (UInt8, UInt8, UInt8), room more: Int
  ) -> UnsafeMutablePointer<UInt8> {
    var end = unsafe reserve(first.count &+ second.count &+ third.count &+ fourth.count &+ 8 &+ more)
    unsafe Self.write(first, UInt8(ascii: ","), to: &end)
    unsafe Self.write(second, UInt8(ascii: ","), to: &end)
    unsafe Self.write(third, UInt8(ascii: ","), to: &end)
    unsafe Self.write(fourth, UInt8(ascii: ","), to: &end)
    unsafe (end[0], end[1], end[2], end[3]) = (code.0, code.1, code.2, UInt8(ascii: ","))
    return unsafe end + 4
  }

  @unsafe @inlinable @inline(__always)
  static func write(_ text: Span<UInt8>, _ separator: UInt8, to end: inout UnsafeMutablePointer<UInt8>) {
    unsafe text.copy(to: end)
    unsafe end[text.count] = separator
    unsafe end += text.count &+ 1
  }

  @unsafe @inlinable @inline(__always)
  static func write(_ amount: InlineDecimal, to end: inout UnsafeMutablePointer<UInt8>) {
    unsafe end += amount.writePlain(to: end)
    unsafe end.pointee = UInt8(ascii: ",")
    unsafe end += 1
  }

  /// Appends what `write` writes, which must be at most `most` bytes.
  @inlinable @inline(__always)
  public mutating func appendRow(atMost most: Int, _ write: (inout RowWriter) -> Void) {
    let room = unsafe reserve(most)
    var row = unsafe RowWriter(room, count: most)
    write(&row)
    length &+= unsafe row.end - room
  }
}
