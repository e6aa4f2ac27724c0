import ExactArithmetic

/// Texts from a batch in messages: cut to 64 characters, control characters escaped, card numbers masked. Values are in
/// quotes, and every invisible character is shown as its number.
public enum MessageText {
  /// The maximum number of characters that a message shows of a value from the batch.
  public static let maximumLength = 64

  /// A text from outside, made safe for a message.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    return TextBuffer.string { append(bytes.span, to: &$0) }
  }

  /// A value that came from outside, in quotes.
  ///
  /// - Parameter limit: the maximum number of characters shown.
  public static func quoted(_ bytes: some Sequence<UInt8>, limit: Int = maximumLength) -> String {
    let bytes = Array(bytes)
    return TextBuffer.string { append(bytes.span, limit: limit, isQuoted: true, to: &$0) }
  }

  /// Words as a list: `A`, `A or B`, `A, B or C`.
  public static func list(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "") + (words.last ?? "")
  }

  /// A text that needs no masking, made safe for a message.
  ///
  /// - Parameter limit: the maximum number of characters shown.
  public static func identifier(_ bytes: some Sequence<UInt8>, limit: Int = maximumLength) -> String {
    let bytes = Array(bytes)
    return TextBuffer.string { append(identifier: bytes.span, limit: limit, to: &$0) }
  }

  /// Appends a UTF-8 text, made safe for a message.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of characters shown.
  ///   - isQuoted: whether it is a value, which is shown in quotes.
  public static func append(
    _ text: Span<UInt8>, limit: Int = maximumLength, isQuoted: Bool = false, to message: inout TextBuffer
  ) {
    // This includes a card number that begins at the last character shown.
    let looked = limit + CardNumberMask.lookahead
    var at = 0
    var characters = 0
    while at < text.count, characters < looked {
      at += max(1, UTF8Text.sequenceLength(text, at: at))
      characters += 1
    }
    var shown = Array(text.extracting(first: at))
    CardNumberMask.apply(to: &shown)
    append(identifier: shown.span, limit: limit, isCut: at < text.count, isQuoted: isQuoted, to: &message)
  }

  /// Appends a computed figure in plain notation, or in scientific notation if that would be long.
  public static func append(_ figure: ExactDecimal, to message: inout TextBuffer) {
    guard figure.maximumPlainLength > maximumLength else { return message.append(figure) }
    append(identifier: Array(figure.strippingTrailingZeros().scientificDescription.utf8).span, to: &message)
  }

  /// A complete name from outside, such as a file's: control characters are escaped, and each byte that is not UTF-8
  /// becomes U+FFFD.
  public static func escapedName(_ bytes: [UInt8]) -> String { identifier(bytes, limit: .max) }

  /// Appends a text that needs no masking: a valid pay key or account, or a text that the engine wrote.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of characters shown.
  ///   - isCut: whether the text goes on after these bytes.
  ///   - isQuoted: whether it is a value, which is shown in quotes.
  public static func append(
    identifier bytes: Span<UInt8>, limit: Int = maximumLength, isCut: Bool = false, isQuoted: Bool = false,
    to text: inout TextBuffer
  ) {
    if isQuoted { text.append(UInt8(ascii: "\"")) }
    // The last place where the text can be cut so that three dots fit within the limit.
    var cut = text.count
    var shown = 0
    var at = 0
    while at < bytes.count {
      let length = UTF8Text.sequenceLength(bytes, at: at)
      if shown <= limit - 3 { cut = text.count }
      if let control = UTF8Text.control(bytes, at: at, length: length) {
        text.append(escaping: control)
        shown += 6
      } else if isQuoted, let escape = escape(bytes, at: at, length: length) {
        text.append(escape)
        shown += escape.utf8.count
      } else if length == 0 {
        text.append("\u{FFFD}")
        shown += 1
      } else {
        text.append(bytes.extracting(at..<at + length))
        shown += 1
      }
      if shown > limit { break }
      at += max(1, length)
    }
    if at < bytes.count || isCut {
      text.truncate(to: cut)
      text.append("...")
    }
    if isQuoted { text.append(UInt8(ascii: "\"")) }
  }

  /// How a quoted value shows a character that would end it, that is invisible, or that looks like a plain space; nil
  /// if the character is shown as it is.
  private static func escape(_ bytes: Span<UInt8>, at place: Int, length: Int) -> String? {
    if length == 1 {
      let byte = bytes[place]
      return byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? "\\\(UnicodeScalar(byte))" : nil
    }
    guard let scalar = UTF8Text.scalar(bytes, at: place, length: length), isInvisible(scalar) else { return nil }
    let digits = String(scalar.value, radix: 16)
    return digits.count > 4 ? "\\u{\(digits)}" : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Whether a non-ASCII character is invisible, or looks like a plain space.
  public static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    // The blank Braille pattern.
    default: scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
    }
  }
}
