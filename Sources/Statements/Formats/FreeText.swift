import Text

/// Texts of a batch made fit for a statement: they stand at the end of a buffer, as the batch has them, and are changed
/// there.
///
/// Card numbers are masked. Tabs and line endings stay, within quotes; any other control character becomes a space, and so
/// does U+2028 or U+2029: some consumers stop at a NUL, and others take each of these for the end of a line. Characters
/// that turn the line around are control characters, too.
enum FreeText {
  /// The most bytes of a Custom Field without a dot.
  static let longestWithoutDot = 20

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// Makes the text from `start` on a Custom Field's, without its quotes, and tells what was done to it.
  ///
  /// Backslashes at its end are removed, and so are those before a double quote, if a reader that takes a backslash
  /// for an escape (PHP's) loses its way. A text of more than 20 bytes without a dot is left out.
  static func makeCustomField(from start: Int, in text: inout TextBuffer) -> StatementLine.Flags {
    let given = takeText(from: start, of: &text)
    var bytes = withoutBackslashes(given)
    var flags: StatementLine.Flags = bytes.count < given.count ? [.lostBackslashes] : []
    if bytes.count > longestWithoutDot, !bytes.contains(UInt8(ascii: ".")) { return [.leftOutText] }
    if CardNumberMask.apply(to: &bytes, count: bytes.count) { flags.insert(.maskedCardNumber) }
    for byte in bytes {
      if byte == quote { text.append(quote) }
      text.append(byte)
    }
    return flags
  }

  /// Makes the text from `start` on a field of a CSV file by RFC 4180, quoted if it must be, and tells what was done.
  ///
  /// One that a spreadsheet could take for a formula, as it begins with `=`, `+`, `-`, `@`, tab or CR, is preceded by `'`.
  static func makeField(from start: Int, in text: inout TextBuffer) -> StatementLine.Flags {
    var bytes = takeText(from: start, of: &text)
    let isMasked = CardNumberMask.apply(to: &bytes, count: bytes.count)
    if let first = bytes.first, "=+-@\t\r".utf8.contains(first) { bytes.insert(UInt8(ascii: "'"), at: 0) }
    CSV.append(bytes, count: bytes.count, to: &text)
    return isMasked ? [.maskedCardNumber] : []
  }

  /// Makes the text from `start` on one for a page: whole, control characters as U+FFFD.
  static func makeWhole(from start: Int, in text: inout TextBuffer) -> StatementLine.Flags {
    let given = UnsafeBufferPointer(start: text.bytes + start, count: text.count - start)
    let scalars = String(decoding: given, as: UTF8.self).unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
    }
    var bytes = scalars.flatMap { Array(String($0).utf8) }
    let isMasked = CardNumberMask.apply(to: &bytes, count: bytes.count)
    text.truncate(to: start)
    text.append(bytes, count: bytes.count)
    return isMasked ? [.maskedCardNumber] : []
  }

  /// Takes the text off the buffer, each control character but tab, LF and CR, U+2028 and U+2029 replaced by a space.
  private static func takeText(from start: Int, of text: inout TextBuffer) -> [UInt8] {
    let bytes = Array(UnsafeBufferPointer(start: text.bytes + start, count: text.count - start))
    text.truncate(to: start)
    // Those from U+0080 on have two or three bytes.
    guard bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) else { return bytes }
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar {
      case "\t", "\n", "\r": scalar
      case "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}": " "
      default: scalar.properties.generalCategory == .control ? " " : scalar
      }
    }
    return scalars.flatMap { Array(String($0).utf8) }
  }

  /// The text without backslashes at its end and before a double quote.
  private static func withoutBackslashes(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(backslash) else { return bytes }
    var kept: [UInt8] = []
    // As if a quote stood at the end.
    for byte in bytes + [quote] {
      while byte == quote, kept.last == backslash { kept.removeLast() }
      kept.append(byte)
    }
    return kept.dropLast()
  }
}
