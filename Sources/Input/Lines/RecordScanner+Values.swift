import CByteScan
import Text

extension RecordScanner {
  /// Scans one value of any kind. If it is an object or array, `depth` is its level.
  ///
  /// - Returns: its slice, or the absent slice if there is no RFC 8259 value.
  @inline(__always)
  mutating func scanValue(_ cursor: inout Cursor, depth: Int) -> JSONSlice {
    switch cursor.pointee {
    case UInt8(ascii: "\""):
      return scanString(&cursor)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return scanNumber(&cursor)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let kind = cursor.pointee == UInt8(ascii: "{") ? JSONKind.object : .array
      let start = cursor - lineStart
      guard skipNested(&cursor, depth: depth) else { return .absent }
      return JSONSlice(kind, start: start, length: cursor - lineStart - start)
    default:
      return scanLiteral(&cursor)
    }
  }

  @inline(__always)
  static func skipSpace(_ cursor: inout Cursor) {
    while cursor.pointee <= 0x20 {
      let byte = cursor.pointee
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D else { return }
      cursor += 1
    }
  }

  /// Skips a comma and the space around it. If there is no comma, skips only the space and returns false.
  @inline(__always)
  static func skipComma(_ cursor: inout Cursor) -> Bool {
    skipSpace(&cursor)
    guard cursor.pointee == UInt8(ascii: ",") else { return false }
    cursor += 1
    skipSpace(&cursor)
    return true
  }

  /// Scans a string. The cursor is at its opening quote.
  @inline(__always)
  mutating func scanString(_ cursor: inout Cursor) -> JSONSlice {
    let start = cursor + 1
    // A control character stops it, and so does the line feed after the line. Bytes after the string's end may set
    // `highBits` too: that does no harm, and checking UTF-8 costs less than leaving them out.
    cursor = settle_string_stop(start, &highBits)
    if cursor.pointee == UInt8(ascii: "\"") {
      defer { cursor += 1 }
      return JSONSlice(.string, start: start - lineStart, length: cursor - start)
    }
    guard cursor.pointee == UInt8(ascii: "\\") else { return .absent }
    return scanEscapedString(&cursor, start: start)
  }

  /// Scans the rest of a string from its first backslash on.
  @inline(never)
  private mutating func scanEscapedString(_ cursor: inout Cursor, start: Cursor) -> JSONSlice {
    while cursor.pointee == UInt8(ascii: "\\") {
      guard Self.skipEscape(&cursor) else { return .absent }
      cursor = settle_string_stop(cursor, &highBits)
    }
    guard cursor.pointee == UInt8(ascii: "\"") else { return .absent }
    defer { cursor += 1 }
    return JSONSlice(.string, start: start - lineStart, length: cursor - start, escaped: true)
  }

  /// Skips an escape. The cursor is at its backslash. A lone surrogate is not an escape.
  private static func skipEscape(_ cursor: inout Cursor) -> Bool {
    switch cursor[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      cursor += 2
      return true
    case UInt8(ascii: "u"):
      guard let unit = hexadecimal(cursor + 2) else { return false }
      cursor += 6
      if unit & 0xF800 != 0xD800 { return true }
      guard unit < 0xDC00, cursor[0] == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u"),
        let low = hexadecimal(cursor + 2), low & 0xFC00 == 0xDC00
      else { return false }
      cursor += 6
      return true
    default:
      return false
    }
  }

  /// Four hexadecimal digits as a number; nil if they are not digits.
  private static func hexadecimal(_ digits: Cursor) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      guard let digit = UTF8Text.digit(digits[index]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  /// Scans a number by the grammar of RFC 8259.
  @inline(__always)
  mutating func scanNumber(_ cursor: inout Cursor) -> JSONSlice {
    let start = cursor
    if cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
    if cursor.pointee == UInt8(ascii: "0") {
      cursor += 1
    } else {
      guard Self.skipDigits(&cursor) else { return .absent }
    }
    if cursor.pointee == UInt8(ascii: ".") {
      cursor += 1
      guard Self.skipDigits(&cursor) else { return .absent }
    }
    if cursor.pointee | 0x20 == UInt8(ascii: "e") {
      cursor += 1
      if cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
      guard Self.skipDigits(&cursor) else { return .absent }
    }
    return JSONSlice(.number, start: start - lineStart, length: cursor - start)
  }

  @inline(__always)
  private static func skipDigits(_ cursor: inout Cursor) -> Bool {
    guard cursor.pointee &- UInt8(ascii: "0") <= 9 else { return false }
    repeat { cursor += 1 } while cursor.pointee &- UInt8(ascii: "0") <= 9
    return true
  }

  private mutating func scanLiteral(_ cursor: inout Cursor) -> JSONSlice {
    let start = cursor - lineStart
    let word = UInt64(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self))
    if word & 0xFFFF_FFFF == 0x6C6C_756E {  // null
      cursor += 4
      return JSONSlice(.null, start: start, length: 4)
    }
    if word & 0xFFFF_FFFF == 0x6575_7274 {  // true
      cursor += 4
      return JSONSlice(.yes, start: start, length: 4)
    }
    if word & 0xFF_FFFF_FFFF == 0x65_736C_6166 {  // false
      cursor += 5
      return JSONSlice(.no, start: start, length: 5)
    }
    return .absent
  }

  /// Skips an object or array that has no known fields. It is checked as strictly as any other.
  @inline(never)
  private mutating func skipNested(_ cursor: inout Cursor, depth: Int) -> Bool {
    guard depth <= Self.maximumDepth else { return false }
    let isObject = cursor.pointee == UInt8(ascii: "{")
    let closing = UInt8(ascii: isObject ? "}" : "]")
    cursor += 1
    Self.skipSpace(&cursor)
    if cursor.pointee == closing {
      cursor += 1
      return true
    }
    while true {
      if isObject, !skipName(&cursor) { return false }
      if scanValue(&cursor, depth: depth + 1).kind == .absent { return false }
      if Self.skipComma(&cursor) { continue }
      defer { cursor += 1 }
      return cursor.pointee == closing
    }
  }

  private mutating func skipName(_ cursor: inout Cursor) -> Bool {
    guard cursor.pointee == UInt8(ascii: "\""), scanString(&cursor).kind != .absent else { return false }
    Self.skipSpace(&cursor)
    guard cursor.pointee == UInt8(ascii: ":") else { return false }
    cursor += 1
    Self.skipSpace(&cursor)
    return true
  }
}
