import Text

extension RecordScanner {
  /// Scans one value of any kind. If it is an object or array, `depth` is its level.
  ///
  /// - Returns: its slice, or the absent slice if there is no RFC 8259 value.
  @inline(__always)
  mutating func scanValue(_ cursor: inout LineCursor, depth: Int) -> JSONSlice {
    switch cursor.byte {
    case UInt8(ascii: "\""):
      return scanString(&cursor)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return scanNumber(&cursor)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let kind = cursor.byte == UInt8(ascii: "{") ? JSONKind.object : .array
      let start = cursor
      guard skipNested(&cursor, depth: depth) else { return .absent }
      return JSONSlice(kind, start: scanned.offset(of: start), length: cursor.distance(from: start))
    default:
      return scanLiteral(&cursor)
    }
  }

  /// Scans a string. The cursor is at its opening quote.
  @inline(__always)
  mutating func scanString(_ cursor: inout LineCursor) -> JSONSlice {
    cursor.skip(UInt8(ascii: "\""))
    let start = cursor
    cursor.skipCharacters(&highBits)
    let end = cursor
    if cursor.skip(UInt8(ascii: "\"")) {
      return JSONSlice(.string, start: scanned.offset(of: start), length: end.distance(from: start))
    }
    guard cursor.byte == UInt8(ascii: "\\") else { return .absent }
    return scanEscapedString(&cursor, start: start)
  }

  /// Scans the rest of a string from its first backslash on.
  @inline(never)
  private mutating func scanEscapedString(_ cursor: inout LineCursor, start: LineCursor) -> JSONSlice {
    while cursor.skip(UInt8(ascii: "\\")) {
      guard Self.skipEscape(&cursor) else { return .absent }
      cursor.skipCharacters(&highBits)
    }
    let end = cursor
    guard cursor.skip(UInt8(ascii: "\"")) else { return .absent }
    return JSONSlice(.string, start: scanned.offset(of: start), length: end.distance(from: start), escaped: true)
  }

  /// Skips the rest of an escape, after its backslash. A lone surrogate is not an escape.
  private static func skipEscape(_ cursor: inout LineCursor) -> Bool {
    switch cursor.byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return cursor.skip(cursor.byte)
    case UInt8(ascii: "u"):
      guard let unit = skipUnit(&cursor) else { return false }
      if unit & 0xF800 != 0xD800 { return true }
      guard unit < 0xDC00, cursor.skip(UInt8(ascii: "\\")), let low = skipUnit(&cursor) else { return false }
      return low & 0xFC00 == 0xDC00
    default:
      return false
    }
  }

  /// Skips a `u` and four hexadecimal digits, and returns them as a number; nil if they are something else.
  private static func skipUnit(_ cursor: inout LineCursor) -> UInt32? {
    guard cursor.skip(UInt8(ascii: "u")) else { return nil }
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = cursor.byte
      guard let digit = UTF8Text.digit(byte) else { return nil }
      cursor.skip(byte)
      value = value << 4 | digit
    }
    return value
  }

  /// The number or literal at a place, or the absent slice, and the place after it. (Without `inout`, which would keep the
  /// caller's cursor in memory.)
  @inline(never)
  mutating func scalar(at start: LineCursor) -> (JSONSlice, end: LineCursor) {
    var cursor = start
    let value =
      switch cursor.byte {
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): scanNumber(&cursor)
      case UInt8(ascii: "a")...UInt8(ascii: "z"): scanLiteral(&cursor)
      default: JSONSlice.absent
      }
    return (value, cursor)
  }

  /// Scans a number by the grammar of RFC 8259.
  @inline(__always)
  mutating func scanNumber(_ cursor: inout LineCursor) -> JSONSlice {
    let start = cursor
    cursor.skip(UInt8(ascii: "-"))
    if !cursor.skip(UInt8(ascii: "0")) {
      guard cursor.skipDigits() else { return .absent }
    }
    if cursor.skip(UInt8(ascii: ".")) {
      guard cursor.skipDigits() else { return .absent }
    }
    if cursor.skip(letter: UInt8(ascii: "e")) {
      if !cursor.skip(UInt8(ascii: "+")) { cursor.skip(UInt8(ascii: "-")) }
      guard cursor.skipDigits() else { return .absent }
    }
    return JSONSlice(.number, start: scanned.offset(of: start), length: cursor.distance(from: start))
  }

  private mutating func scanLiteral(_ cursor: inout LineCursor) -> JSONSlice {
    let start = scanned.offset(of: cursor)
    if cursor.skip(word: 0x6C6C_756E, count: 4) { return JSONSlice(.null, start: start, length: 4) }
    if cursor.skip(word: 0x6575_7274, count: 4) { return JSONSlice(.yes, start: start, length: 4) }
    if cursor.skip(word: 0x65_736C_6166, count: 5) { return JSONSlice(.no, start: start, length: 5) }
    return .absent
  }

  /// Skips an object or array that has no known fields. It is checked as strictly as any other.
  @inline(never)
  private mutating func skipNested(_ cursor: inout LineCursor, depth: Int) -> Bool {
    guard depth <= Self.maximumDepth else { return false }
    let isObject = cursor.skip(UInt8(ascii: "{"))
    if !isObject { cursor.skip(UInt8(ascii: "[")) }
    let closing = UInt8(ascii: isObject ? "}" : "]")
    cursor.skipSpace()
    if cursor.skip(closing) { return true }
    while true {
      if isObject, !skipName(&cursor) { return false }
      if scanValue(&cursor, depth: depth + 1).kind == .absent { return false }
      if cursor.skipComma() { continue }
      return cursor.skip(closing)
    }
  }

  private mutating func skipName(_ cursor: inout LineCursor) -> Bool {
    guard cursor.byte == UInt8(ascii: "\""), scanString(&cursor).kind != .absent else { return false }
    cursor.skipSpace()
    guard cursor.skip(UInt8(ascii: ":")) else { return false }
    cursor.skipSpace()
    return true
  }
}
