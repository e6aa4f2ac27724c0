import CByteScan
import Text

/// Where a scanner reads a line.
public struct LinePlacement: Sendable {
  fileprivate let isInPlace: Bool

  /// In a copy that it makes.
  public static let copied = LinePlacement(isInPlace: false)
  /// Where it is. The line must stay there, unchanged, until the next one is scanned. A line feed, alone or after a
  /// carriage return, must follow it, and 16 bytes from it on must be readable.
  @unsafe public static let inPlace = LinePlacement(isInPlace: true)
}

/// The line that is being scanned.
///
/// (Unsafe: the line stays in place until the next one is set, in the copy here or as `LinePlacement` requires, and
/// `RecordScanner.lineEnd` follows it.)
@safe @usableFromInline
struct ScannedLine: ~Copyable {
  @usableFromInline var start = unsafe RecordScanner.lineEnd.utf8Start
  @usableFromInline var count = 0
  /// A line that was not scanned in place, and what must follow it.
  private var copy = TextBuffer()

  /// Sets the next line, which has no line feed.
  mutating func set(_ line: Span<UInt8>, _ placement: LinePlacement) {
    count = line.count
    if placement.isInPlace {
      unsafe start = unsafe line.withUnsafeBufferPointer { unsafe $0.baseAddress ?? RecordScanner.lineEnd.utf8Start }
    } else {
      copy.removeAll(keeping: 1 << 16)
      copy.append(line)
      copy.append(RecordScanner.lineEnd)
      unsafe start = unsafe copy.span.withUnsafeBufferPointer { $0.baseAddress! }
    }
    unsafe assert(start[count] == 0x0A || (start[count] == 0x0D && start[count + 1] == 0x0A))
  }

  @inlinable
  var text: Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get {
      let line = unsafe Span(_unsafeStart: start, count: count)
      return unsafe _overrideLifetime(line, borrowing: self)
    }
  }

  func cursor(at offset: Int) -> LineCursor {
    precondition(offset >= 0 && offset <= count)
    return unsafe LineCursor(place: start + offset)
  }

  @inline(__always)
  func offset(of cursor: LineCursor) -> Int { unsafe cursor.place - start }
}

/// A place in a line that is being scanned.
///
/// (Unsafe: it moves only past bytes that it has compared, none of them a line feed, so it is never after the line feed
/// that follows the line. It reads at most 15 bytes more than those that it moves past, and they are readable.)
@safe
struct LineCursor {
  fileprivate var place: UnsafePointer<UInt8>

  @inline(__always)
  var byte: UInt8 { unsafe place.pointee }

  /// The number of bytes after an earlier place.
  @inline(__always)
  func distance(from earlier: LineCursor) -> Int { unsafe place - earlier.place }

  /// Moves past a byte, which is not a line feed, if it is at the cursor.
  @inline(__always) @discardableResult
  mutating func skip(_ byte: UInt8) -> Bool {
    guard unsafe place.pointee == byte else { return false }
    unsafe place += 1
    return true
  }

  /// Moves past a letter, small or capital; `small` is the small one.
  @inline(__always)
  mutating func skip(letter small: UInt8) -> Bool {
    guard unsafe place.pointee | 0x20 == small else { return false }
    unsafe place += 1
    return true
  }

  /// Moves past a word of up to eight bytes, the first of them the lowest.
  @inline(__always)
  mutating func skip(word: UInt64, count: Int) -> Bool {
    let bytes = unsafe UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
    guard bytes &<< UInt64(64 &- 8 &* count) == word &<< UInt64(64 &- 8 &* count) else { return false }
    unsafe place += count
    return true
  }

  /// Moves past spaces.
  @inline(__always)
  mutating func skipSpace() {
    while unsafe place.pointee <= 0x20 {
      let byte = unsafe place.pointee
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D else { return }
      unsafe place += 1
    }
  }

  /// Moves past a comma and the space around it. If there is no comma, moves only past the space and returns false.
  @inline(__always)
  mutating func skipComma() -> Bool {
    skipSpace()
    guard skip(UInt8(ascii: ",")) else { return false }
    skipSpace()
    return true
  }

  /// Moves past digits; false if the byte here is not a digit.
  @inline(__always)
  mutating func skipDigits() -> Bool {
    guard unsafe place.pointee &- UInt8(ascii: "0") <= 9 else { return false }
    repeat { unsafe place += 1 } while unsafe place.pointee &- UInt8(ascii: "0") <= 9
    return true
  }

  /// Moves past a number of one digit; false for any other number, and for one that neither a comma nor a brace follows.
  @inline(__always)
  mutating func skipShortNumber() -> Bool {
    let pair = unsafe UInt16(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt16.self))
    let end = UInt8(truncatingIfNeeded: pair &>> 8)
    guard UInt8(truncatingIfNeeded: pair) &- UInt8(ascii: "0") <= 9,
      end == UInt8(ascii: ",") || end == UInt8(ascii: "}")
    else { return false }
    unsafe place += 1
    return true
  }

  /// Moves to a quote that follows a mark at the cursor; false if there is no such pair.
  @inline(__always)
  mutating func skipToQuote(after mark: UInt8) -> Bool {
    let pair = unsafe UInt16(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt16.self))
    guard pair == UInt16(mark) | UInt16(UInt8(ascii: "\"")) << 8 else { return false }
    unsafe place += 1
    return true
  }

  /// Moves past a mark and the quote that follows it; false if there is no such pair.
  @inline(__always)
  mutating func skipQuote(after mark: UInt8) -> Bool {
    guard skipToQuote(after: mark) else { return false }
    unsafe place += 1
    return true
  }

  /// Moves to the end of a string, its next backslash, or a control character, such as the line feed.
  ///
  /// - Parameter high: becomes nonzero if a byte passed is not ASCII. Bytes after the string's end may set it too: that
  ///   does no harm, and checking UTF-8 costs less than leaving them out.
  @inline(__always)
  mutating func skipCharacters(_ high: inout UInt32) { unsafe place = unsafe settle_string_stop(place, &high) }

  // MARK: Names

  /// Sixteen bytes from the one after the quote at the cursor.
  @inline(__always)
  var name: SIMD16<UInt8> { unsafe UnsafeRawPointer(place + 1).loadUnaligned(as: SIMD16<UInt8>.self) }

  /// Four of the bytes of `name`, by their offset; -1 is the quote.
  @inline(__always)
  func fourBytes(ofName offset: Int) -> UInt32 {
    precondition(offset >= -1 && offset <= 12)
    return unsafe UInt32(littleEndian: UnsafeRawPointer(place + 1 + offset).loadUnaligned(as: UInt32.self))
  }

  /// Moves past a quoted name of `length` bytes, if the bytes of `name` that `mask` has are those of `head`: the name's and
  /// the closing quote. Bit 16 is for no byte, so with it no name matches.
  @inline(__always)
  mutating func skipName(_ head: SIMD16<UInt8>, mask: UInt32, length: Int) -> Bool {
    guard ~settle_equal(name, head) & mask == 0 else { return false }
    unsafe place += length &+ 2
    return true
  }
}
