import Text

/// Makes texts of a batch fit for a statement. They are appended to a buffer unchanged, and changed there.
///
/// Card numbers are masked. Tabs and line endings stay, within quotes. Any other control character, U+2028 and U+2029
/// become a space, because some readers stop at a NUL and others take these for line endings. Bidirectional controls
/// count as control characters.
enum FreeText {
  /// The most bytes of a Custom Field without a dot.
  static let longestWithoutDot = 20

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// Turns the text from `start` on into a Custom Field without its quotes, and returns what was changed.
  ///
  /// Backslashes at its end and before a double quote are removed, because readers that treat a backslash as an escape
  /// (PHP's) fail on them. A text of more than 20 bytes without a dot is left out.
  ///
  /// - Parameter isMasked: whether a card number in the text is masked already.
  static func makeCustomField(from start: Int, isMasked: Bool = false, in text: inout TextBuffer) -> StatementLine.Flags
  {
    let given = removeText(from: start, of: &text)
    var bytes = withoutBackslashes(given)
    var flags: StatementLine.Flags = bytes.count < given.count ? [.lostBackslashes] : []
    if bytes.count > longestWithoutDot, !bytes.contains(UInt8(ascii: ".")) { return [.leftOutText] }
    if CardNumberMask.apply(to: &bytes) || isMasked { flags.insert(.maskedCardNumber) }
    for byte in bytes {
      if byte == quote { text.append(quote) }
      text.append(byte)
    }
    return flags
  }

  /// Turns the text from `start` on into a CSV field by RFC 4180, quoted if necessary, and returns what was changed.
  ///
  /// A text that begins with `=`, `+`, `-`, `@`, tab or CR gets a `'` before it, because a spreadsheet could take it
  /// for a formula.
  static func makeField(from start: Int, isMasked: Bool = false, in text: inout TextBuffer) -> StatementLine.Flags {
    var bytes = removeText(from: start, of: &text)
    let isMasked = CardNumberMask.apply(to: &bytes) || isMasked
    bytes = CSV.protected(bytes)
    CSV.append(bytes.span, to: &text)
    return isMasked ? [.maskedCardNumber] : []
  }

  /// Turns the text from `start` on into one for a page: complete, with control characters as U+FFFD.
  static func makeWhole(from start: Int, isMasked: Bool = false, in text: inout TextBuffer) -> StatementLine.Flags {
    let scalars = String(decoding: text.span.extracting(droppingFirst: start)).unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
    }
    var bytes = scalars.flatMap { Array(String($0).utf8) }
    let isMasked = CardNumberMask.apply(to: &bytes) || isMasked
    text.truncate(to: start)
    text.append(bytes)
    return isMasked ? [.maskedCardNumber] : []
  }

  /// Removes the text from the buffer and returns it. Control characters except tab, LF and CR, and U+2028 and U+2029,
  /// are replaced by spaces.
  private static func removeText(from start: Int, of text: inout TextBuffer) -> [UInt8] {
    let bytes = Array(text.span.extracting(droppingFirst: start))
    text.truncate(to: start)
    // Control characters from U+0080 on have two or three bytes.
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
    // Treat the end like a quote.
    for byte in bytes + [quote] {
      while byte == quote, kept.last == backslash { kept.removeLast() }
      kept.append(byte)
    }
    return kept.dropLast()
  }
}
