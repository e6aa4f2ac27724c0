import ExactArithmetic

/// Texts from a batch within messages: cut to 64 characters, control characters escaped, card numbers masked; values in
/// quotes, with every character that cannot be seen by its number.
public enum MessageText {
  /// The most characters a value from the batch has in a message.
  public static let maximumLength = 64

  /// A text that came from outside, made fit for a message.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    return TextBuffer.string { append(bytes, count: bytes.count, to: &$0) }
  }

  /// A value that came from outside, in quotes.
  ///
  /// - Parameter limit: the most characters that are shown.
  public static func quoted(_ bytes: some Sequence<UInt8>, limit: Int = maximumLength) -> String {
    let bytes = Array(bytes)
    return TextBuffer.string { append(bytes, count: bytes.count, limit: limit, isQuoted: true, to: &$0) }
  }

  /// Words as a list: `A`, `A or B`, `A, B or C`.
  public static func list(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "") + (words.last ?? "")
  }

  /// A text of which nothing needs to be masked, made fit for a message.
  ///
  /// - Parameter limit: the most characters that are shown.
  public static func identifier(_ bytes: some Sequence<UInt8>, limit: Int = maximumLength) -> String {
    let bytes = Array(bytes)
    return TextBuffer.string { append(identifier: bytes, count: bytes.count, limit: limit, to: &$0) }
  }

  /// Appends the UTF-8 text of `count` bytes, made fit for a message.
  ///
  /// - Parameters:
  ///   - limit: the most characters that are shown.
  ///   - isQuoted: whether it is a value, which is shown in quotes.
  public static func append(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: Int = maximumLength, isQuoted: Bool = false,
    to message: inout TextBuffer
  ) {
    // Enough for a card number that begins with the last character shown.
    let looked = limit + CardNumberMask.lookahead
    var at = 0
    var characters = 0
    while at < count, characters < looked {
      at += max(1, UTF8Text.sequenceLength(bytes + at, count: count - at))
      characters += 1
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, at)) { buffer in
      let shown = buffer.baseAddress!
      shown.update(from: bytes, count: at)
      CardNumberMask.apply(to: shown, count: at)
      append(identifier: shown, count: at, limit: limit, isCut: at < count, isQuoted: isQuoted, to: &message)
    }
  }

  /// Appends a figure that the engine worked out: in plain notation, in scientific notation if that is long.
  public static func append(_ figure: ExactDecimal, to message: inout TextBuffer) {
    guard figure.maximumPlainLength > maximumLength else { return message.append(figure) }
    var text = figure.strippingTrailingZeros().scientificDescription
    text.withUTF8 { append(identifier: $0.baseAddress!, count: $0.count, to: &message) }
  }

  /// A name from outside, such as a file's, whole: control characters are escaped, and each byte that is not UTF-8
  /// becomes U+FFFD.
  public static func escapedName(_ bytes: [UInt8]) -> String { identifier(bytes, limit: .max) }

  /// Appends a text of which nothing needs to be masked: a valid pay key or account, or what the engine wrote itself.
  ///
  /// - Parameters:
  ///   - limit: the most characters that are shown.
  ///   - isCut: whether more follows that is not here.
  ///   - isQuoted: whether it is a value, which is shown in quotes.
  public static func append(
    identifier bytes: UnsafePointer<UInt8>, count: Int, limit: Int = maximumLength, isCut: Bool = false,
    isQuoted: Bool = false, to text: inout TextBuffer
  ) {
    if isQuoted { text.append(UInt8(ascii: "\"")) }
    // Where the text can still be cut so that three dots fit within the limit.
    var cut = text.count
    var shown = 0
    var at = 0
    while at < count {
      let length = UTF8Text.sequenceLength(bytes + at, count: count - at)
      if shown <= limit - 3 { cut = text.count }
      if let control = UTF8Text.control(bytes + at, length: length) {
        text.append(escaping: control)
        shown += 6
      } else if isQuoted, let escape = escape(bytes + at, length: length) {
        text.append(escape)
        shown += escape.utf8.count
      } else if length == 0 {
        text.append("\u{FFFD}")
        shown += 1
      } else {
        text.append(bytes + at, count: length)
        shown += 1
      }
      if shown > limit { break }
      at += max(1, length)
    }
    if at < count || isCut {
      text.truncate(to: cut)
      text.append("...")
    }
    if isQuoted { text.append(UInt8(ascii: "\"")) }
  }

  /// What a value in quotes has in the place of a character that would end it, or that cannot be seen or looks like a
  /// plain space; nil if the character is shown as it is.
  private static func escape(_ bytes: UnsafePointer<UInt8>, length: Int) -> String? {
    if length == 1 {
      return bytes[0] == UInt8(ascii: "\"") || bytes[0] == UInt8(ascii: "\\") ? "\\\(UnicodeScalar(bytes[0]))" : nil
    }
    guard let scalar = UTF8Text.scalar(bytes, length: length), isInvisible(scalar) else { return nil }
    let digits = String(scalar.value, radix: 16)
    return digits.count > 4 ? "\\u{\(digits)}" : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Whether a character beyond ASCII cannot be seen, or looks like a plain space.
  public static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    // The blank of braille.
    default: scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
    }
  }
}
