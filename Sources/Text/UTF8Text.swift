import CByteScan

/// UTF-8 and JSON's escapes, on bytes.
public enum UTF8Text {
  /// Whether `count` bytes at `bytes` are UTF-8 (RFC 3629: no overlong forms, no surrogates, up to U+10FFFF).
  public static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    validLength(bytes, count: count) == count
  }

  /// The number of bytes at `bytes`, at most `count`, that are UTF-8 from the first on.
  public static func validLength(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    var at = 0
    while at < count {
      while at <= count &- 16, settle_not_ascii(bytes + at) == 0 { at &+= 16 }
      if at <= count &- 16 { at &+= settle_not_ascii(bytes + at).trailingZeroBitCount }
      if at == count { break }
      let length = sequenceLength(bytes + at, count: count - at)
      if length == 0 { break }
      at += length
    }
    return at
  }

  /// The length in bytes of the well-formed sequence at the start of `bytes`, or 0 if there is none.
  public static func sequenceLength(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    guard count >= 1 else { return 0 }
    let lead = bytes[0]
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
    guard count >= length, bytes[1] >= lowest, bytes[1] <= highest else { return 0 }
    for index in 2..<max(2, length) where bytes[index] & 0xC0 != 0x80 {
      return 0
    }
    return length
  }

  /// The code point of a control character (below 0x20, or 0x7F to 0x9F), or of one that changes the writing direction
  /// (U+202A to U+202E, U+2066 to U+2069); nil for any other.
  ///
  /// - Parameter length: the result of `sequenceLength`.
  public static func control(_ bytes: UnsafePointer<UInt8>, length: Int) -> UInt16? {
    let point: UInt16
    switch (length, bytes[0]) {
    case (1, let byte): point = UInt16(byte)
    case (2, 0xC2): point = UInt16(bytes[1])
    case (3, 0xE2): point = 0x2000 | UInt16(bytes[1] & 0x3F) << 6 | UInt16(bytes[2] & 0x3F)
    default: return nil
    }
    switch point {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: return point
    default: return nil
    }
  }

  /// The character of a well-formed sequence; nil if its length is 0.
  static func scalar(_ bytes: UnsafePointer<UInt8>, length: Int) -> Unicode.Scalar? {
    String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self).unicodeScalars.first
  }

  /// The number of Unicode scalar values in well-formed UTF-8.
  public static func scalarCount(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    UnsafeBufferPointer(start: bytes, count: count).count { $0 & 0xC0 != 0x80 }
  }

  /// Writes a JSON string's characters as UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: the string as written, without its quotes; the record scanner has checked it.
  ///   - text: room for `count` bytes: no escape is shorter than its character.
  /// - Returns: the number of bytes written.
  public static func unescape(
    _ bytes: UnsafePointer<UInt8>, count: Int, into text: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var at = 0
    var written = 0
    while at < count {
      guard bytes[at] == UInt8(ascii: "\\") else {
        text[written] = bytes[at]
        at += 1
        written += 1
        continue
      }
      if bytes[at + 1] != UInt8(ascii: "u") {
        text[written] = simpleEscape(bytes[at + 1])
        at += 2
        written += 1
        continue
      }
      var scalar = hexadecimal(bytes + at + 2)!
      at += 6
      if scalar & 0xFC00 == 0xD800 {
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (hexadecimal(bytes + at + 2)! - 0xDC00)
        at += 6
      }
      // A checked string contains no half of a surrogate pair.
      for byte in UTF8.encode(Unicode.Scalar(scalar)!)! {
        text[written] = byte
        written += 1
      }
    }
    return written
  }

  /// Four hexadecimal digits as a number; nil if they are not digits.
  public static func hexadecimal(_ digits: UnsafePointer<UInt8>) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      let digit = digits[index]
      let lower = digit | 0x20
      if digit &- UInt8(ascii: "0") <= 9 {
        value = value << 4 | UInt32(digit - UInt8(ascii: "0"))
      } else if lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "f") {
        value = value << 4 | UInt32(lower - UInt8(ascii: "a") + 10)
      } else {
        return nil
      }
    }
    return value
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
