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

  @inlinable @inline(__always)
  public mutating func append(_ code: (UInt8, UInt8, UInt8), _ separator: UInt8) {
    expectRoom(for: 4)
    unsafe (end[0], end[1], end[2], end[3]) = (code.0, code.1, code.2, separator)
    unsafe end += 4
  }
}

extension TextBuffer {
  /// Appends decimals in plain notation, each with the number of decimals that its exponent says and a separator.
  ///
  /// (Unsafe: the room is the sum of the most that each takes, so no write needs a check.)
  @inlinable @inline(__always)
  public mutating func append(
    _ first: ExactDecimal, _ second: ExactDecimal, _ third: ExactDecimal, _ fourth: ExactDecimal, _ separator: UInt8
  ) {
    let most =
      first.maximumPlainLength &+ second.maximumPlainLength &+ third.maximumPlainLength &+ fourth.maximumPlainLength
    let room = unsafe reserve(most &+ 4)
    var end = unsafe room + first.writePlain(to: room)
    unsafe end.pointee = separator
    unsafe end += 1 + second.writePlain(to: end + 1)
    unsafe end.pointee = separator
    unsafe end += 1 + third.writePlain(to: end + 1)
    unsafe end.pointee = separator
    unsafe end += 1 + fourth.writePlain(to: end + 1)
    unsafe end.pointee = separator
    length &+= unsafe end + 1 - room
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
