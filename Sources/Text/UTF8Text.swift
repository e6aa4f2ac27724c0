/// UTF-8 and JSON's escapes, on bytes.
public enum UTF8Text {
  /// Whether a text is UTF-8 (RFC 3629: no overlong forms, no surrogates, up to U+10FFFF).
  public static func isValid(_ text: Span<UInt8>) -> Bool { validLength(text) == text.count }

  /// The number of bytes that are UTF-8 from the first on.
  public static func validLength(_ text: Span<UInt8>) -> Int {
    var at = 0
    while at < text.count {
      at += text.countOfASCII(from: at)
      if at == text.count { break }
      let length = sequenceLength(text, at: at)
      if length == 0 { break }
      at += length
    }
    return at
  }

  /// The length in bytes of the well-formed sequence at a place, or 0 if the bytes there are not well-formed.
  public static func sequenceLength(_ text: Span<UInt8>, at place: Int = 0) -> Int {
    guard place < text.count else { return 0 }
    let lead = text[place]
    if lead < 0x80 { return 1 }
    let length: Int
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { lowest = 0xA0 }
      if lead == 0xED { highest = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { lowest = 0x90 }
      if lead == 0xF4 { highest = 0x8F }
    default: return 0
    }
    guard text.count - place >= length, text[place + 1] >= lowest, text[place + 1] <= highest else { return 0 }
    for index in 2..<max(2, length) where text[place + index] & 0xC0 != 0x80 {
      return 0
    }
    return length
  }

  /// The code point of a control character (below 0x20, or 0x7F to 0x9F), or of one that changes the writing direction
  /// (U+202A to U+202E, U+2066 to U+2069); nil for any other.
  ///
  /// - Parameter length: the result of `sequenceLength`.
  public static func control(_ text: Span<UInt8>, at place: Int, length: Int) -> UInt16? {
    let point: UInt16
    switch (length, text[place]) {
    case (1, let byte): point = UInt16(byte)
    case (2, 0xC2): point = UInt16(text[place + 1])
    case (3, 0xE2): point = 0x2000 | UInt16(text[place + 1] & 0x3F) << 6 | UInt16(text[place + 2] & 0x3F)
    default: return nil
    }
    switch point {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: return point
    default: return nil
    }
  }

  /// The character of a well-formed sequence; nil if its length is 0.
  static func scalar(_ text: Span<UInt8>, at place: Int, length: Int) -> Unicode.Scalar? {
    String(decoding: text.extracting(place..<place + length)).unicodeScalars.first
  }

  /// The number of Unicode scalar values in well-formed UTF-8.
  public static func scalarCount(_ text: Span<UInt8>) -> Int {
    var count = 0
    for place in text.indices where text[place] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// The characters of a JSON string as UTF-8.
  public static func unescaped(_ string: Span<UInt8>) -> [UInt8] {
    [UInt8](capacity: string.count) { text in unescape(string, into: &text) }
  }

  /// Writes a JSON string's characters as UTF-8.
  ///
  /// - Parameters:
  ///   - string: the string as written, without its quotes; the record scanner has checked it.
  ///   - text: has room for as many bytes: no escape is shorter than its character.
  public static func unescape(_ string: Span<UInt8>, into text: inout OutputSpan<UInt8>) {
    var at = 0
    while at < string.count {
      guard string[at] == UInt8(ascii: "\\") else {
        text.append(string[at])
        at += 1
        continue
      }
      if string[at + 1] != UInt8(ascii: "u") {
        text.append(simpleEscape(string[at + 1]))
        at += 2
        continue
      }
      var scalar = hexadecimal(string, at: at + 2)!
      at += 6
      if scalar & 0xFC00 == 0xD800 {
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (hexadecimal(string, at: at + 2)! - 0xDC00)
        at += 6
      }
      // A checked string contains no half of a surrogate pair.
      for byte in UTF8.encode(Unicode.Scalar(scalar)!)! { text.append(byte) }
    }
  }

  /// Four hexadecimal digits as a number; nil if they are not digits.
  public static func hexadecimal(_ text: Span<UInt8>, at place: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in place..<place + 4 {
      guard let digit = digit(text[index]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  /// A hexadecimal digit as a number; nil if it is not a digit.
  @inlinable
  public static func digit(_ byte: UInt8) -> UInt32? {
    let lower = byte | 0x20
    if byte &- UInt8(ascii: "0") <= 9 { return UInt32(byte - UInt8(ascii: "0")) }
    if lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "f") { return UInt32(lower - UInt8(ascii: "a") + 10) }
    return nil
  }

  private static func simpleEscape(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: byte
    }
  }
}
