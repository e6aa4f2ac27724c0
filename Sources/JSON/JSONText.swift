import Text

/// Strings of a JSON text.
public enum JSONText {
  /// Appends a string in quotes. Well-formed UTF-8 is unchanged, except quotes, backslashes and control characters.
  public static func append(_ bytes: UnsafePointer<UInt8>, count: Int, to text: inout TextBuffer) {
    text.append(UInt8(ascii: "\""))
    for index in 0..<count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        text.append(UInt8(ascii: "\\"))
        text.append(byte)
      case 0..<0x20: text.append(escaping: UInt16(byte))
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  /// Appends a string in quotes.
  public static func append(_ string: String, to text: inout TextBuffer) {
    append(Array(string.utf8), count: string.utf8.count, to: &text)
  }
}
