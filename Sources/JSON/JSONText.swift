import Text

/// Strings of a JSON text.
public enum JSONText {
  /// Appends a string in quotes. Well-formed UTF-8 is unchanged, except quotes, backslashes and control characters.
  public static func append(_ string: Span<UInt8>, to text: inout TextBuffer) {
    text.append(UInt8(ascii: "\""))
    for index in string.indices {
      let byte = string[index]
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
    append(Array(string.utf8).span, to: &text)
  }
}
