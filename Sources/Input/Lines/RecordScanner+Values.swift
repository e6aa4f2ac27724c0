import CByteScan
import Text

extension RecordScanner {
  /// Scans one value of any kind. If it is an object or array, `depth` is its level.
  ///
  /// - Returns: its slice, or the absent slice if there is no RFC 8259 value.
  @inline(__always)
  mutating func scanValue(_ cursor: inout Cursor, depth: Int) -> JSONSlice {
    switch unsafe cursor.pointee {
    case UInt8(ascii: "\""):
      return unsafe scanString(&cursor)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return unsafe scanNumber(&cursor)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let kind = unsafe cursor.pointee == UInt8(ascii: "{") ? JSONKind.object : .array
      let start = unsafe cursor - lineStart
      guard unsafe skipNested(&cursor, depth: depth) else { return .absent }
      return unsafe JSONSlice(kind, start: start, length: cursor - lineStart - start)
    default:
      return unsafe scanLiteral(&cursor)
    }
  }

  @inline(__always)
  static func skipSpace(_ cursor: inout Cursor) {
    while unsafe cursor.pointee <= 0x20 {
      let byte = unsafe cursor.pointee
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D else { return }
      unsafe cursor += 1
    }
  }

  /// Skips a comma and the space around it. If there is no comma, skips only the space and returns false.
  @inline(__always)
  static func skipComma(_ cursor: inout Cursor) -> Bool {
    unsafe skipSpace(&cursor)
    guard unsafe cursor.pointee == UInt8(ascii: ",") else { return false }
    unsafe cursor += 1
    unsafe skipSpace(&cursor)
    return true
  }

  /// Scans a string. The cursor is at its opening quote.
  @inline(__always)
  mutating func scanString(_ cursor: inout Cursor) -> JSONSlice {
    let start = unsafe cursor + 1
    // A control character stops it, and so does the line feed after the line. Bytes after the string's end may set
    // `highBits` too: that does no harm, and checking UTF-8 costs less than leaving them out.
    unsafe cursor = unsafe settle_string_stop(start, &highBits)
    if unsafe cursor.pointee == UInt8(ascii: "\"") {
      defer { unsafe cursor += 1 }
      return unsafe JSONSlice(.string, start: start - lineStart, length: cursor - start)
    }
    guard unsafe cursor.pointee == UInt8(ascii: "\\") else { return .absent }
    return unsafe scanEscapedString(&cursor, start: start)
  }

  /// Scans the rest of a string from its first backslash on.
  @inline(never)
  private mutating func scanEscapedString(_ cursor: inout Cursor, start: Cursor) -> JSONSlice {
    while unsafe cursor.pointee == UInt8(ascii: "\\") {
      guard unsafe Self.skipEscape(&cursor) else { return .absent }
      unsafe cursor = unsafe settle_string_stop(cursor, &highBits)
    }
    guard unsafe cursor.pointee == UInt8(ascii: "\"") else { return .absent }
    defer { unsafe cursor += 1 }
    return unsafe JSONSlice(.string, start: start - lineStart, length: cursor - start, escaped: true)
  }

  /// Skips an escape. The cursor is at its backslash. A lone surrogate is not an escape.
  private static func skipEscape(_ cursor: inout Cursor) -> Bool {
    switch unsafe cursor[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      unsafe cursor += 2
      return true
    case UInt8(ascii: "u"):
      guard let unit = unsafe hexadecimal(cursor + 2) else { return false }
      unsafe cursor += 6
      if unit & 0xF800 != 0xD800 { return true }
      guard unit < 0xDC00, unsafe cursor[0] == UInt8(ascii: "\\"), unsafe cursor[1] == UInt8(ascii: "u"),
        let low = unsafe hexadecimal(cursor + 2), low & 0xFC00 == 0xDC00
      else { return false }
      unsafe cursor += 6
      return true
    default:
      return false
    }
  }

  /// Four hexadecimal digits as a number; nil if they are not digits.
  private static func hexadecimal(_ digits: Cursor) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      guard let digit = unsafe UTF8Text.digit(digits[index]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  /// Scans a number by the grammar of RFC 8259.
  @inline(__always)
  mutating func scanNumber(_ cursor: inout Cursor) -> JSONSlice {
    let start = unsafe cursor
    if unsafe cursor.pointee == UInt8(ascii: "-") { unsafe cursor += 1 }
    if unsafe cursor.pointee == UInt8(ascii: "0") {
      unsafe cursor += 1
    } else {
      guard unsafe Self.skipDigits(&cursor) else { return .absent }
    }
    if unsafe cursor.pointee == UInt8(ascii: ".") {
      unsafe cursor += 1
      guard unsafe Self.skipDigits(&cursor) else { return .absent }
    }
    if unsafe cursor.pointee | 0x20 == UInt8(ascii: "e") {
      unsafe cursor += 1
      if unsafe cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-") { unsafe cursor += 1 }
      guard unsafe Self.skipDigits(&cursor) else { return .absent }
    }
    return unsafe JSONSlice(.number, start: start - lineStart, length: cursor - start)
  }

  @inline(__always)
  private static func skipDigits(_ cursor: inout Cursor) -> Bool {
    guard unsafe cursor.pointee &- UInt8(ascii: "0") <= 9 else { return false }
    repeat { unsafe cursor += 1 } while unsafe cursor.pointee &- UInt8(ascii: "0") <= 9
    return true
  }

  private mutating func scanLiteral(_ cursor: inout Cursor) -> JSONSlice {
    let start = unsafe cursor - lineStart
    let word = unsafe UInt64(littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self))
    if word & 0xFFFF_FFFF == 0x6C6C_756E {  // null
      unsafe cursor += 4
      return JSONSlice(.null, start: start, length: 4)
    }
    if word & 0xFFFF_FFFF == 0x6575_7274 {  // true
      unsafe cursor += 4
      return JSONSlice(.yes, start: start, length: 4)
    }
    if word & 0xFF_FFFF_FFFF == 0x65_736C_6166 {  // false
      unsafe cursor += 5
      return JSONSlice(.no, start: start, length: 5)
    }
    return .absent
  }

  /// Skips an object or array that has no known fields. It is checked as strictly as any other.
  @inline(never)
  private mutating func skipNested(_ cursor: inout Cursor, depth: Int) -> Bool {
    guard depth <= Self.maximumDepth else { return false }
    let isObject = unsafe cursor.pointee == UInt8(ascii: "{")
    let closing = UInt8(ascii: isObject ? "}" : "]")
    unsafe cursor += 1
    unsafe Self.skipSpace(&cursor)
    if unsafe cursor.pointee == closing {
      unsafe cursor += 1
      return true
    }
    while true {
      if isObject, unsafe !skipName(&cursor) { return false }
      if unsafe scanValue(&cursor, depth: depth + 1).kind == .absent { return false }
      if unsafe Self.skipComma(&cursor) { continue }
      defer { unsafe cursor += 1 }
      return unsafe cursor.pointee == closing
    }
  }

  private mutating func skipName(_ cursor: inout Cursor) -> Bool {
    guard unsafe cursor.pointee == UInt8(ascii: "\""), unsafe scanString(&cursor).kind != .absent else { return false }
    unsafe Self.skipSpace(&cursor)
    guard unsafe cursor.pointee == UInt8(ascii: ":") else { return false }
    unsafe cursor += 1
    unsafe Self.skipSpace(&cursor)
    return true
  }
}
