/// Fields of a CSV file (RFC 4180), quoted only if necessary.
public enum CSV {
  /// Appends a field. If it contains a comma, a quote, a CR or an LF, it is quoted, with its own quotes doubled.
  public static func append(_ field: Span<UInt8>, to text: inout TextBuffer) {
    for index in field.indices {
      switch field[index] {
      case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0D, 0x0A: return appendQuoted(field, to: &text)
      default: continue
      }
    }
    text.append(field)
  }

  public static func append(_ field: String, to text: inout TextBuffer) {
    append(Array(field.utf8).span, to: &text)
  }

  /// A text that no spreadsheet takes for a formula: one that begins with `=`, `+`, `-`, `@`, tab or CR gets a `'` before
  /// it.
  public static func protected(_ text: [UInt8]) -> [UInt8] {
    guard let first = text.first, "=+-@\t\r".utf8.contains(first) else { return text }
    return [UInt8(ascii: "'")] + text
  }

  private static func appendQuoted(_ field: Span<UInt8>, to text: inout TextBuffer) {
    text.append(UInt8(ascii: "\""))
    for index in field.indices {
      if field[index] == UInt8(ascii: "\"") { text.append(UInt8(ascii: "\"")) }
      text.append(field[index])
    }
    text.append(UInt8(ascii: "\""))
  }
}
