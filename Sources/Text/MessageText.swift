import ExactArithmetic

/// Texts from a batch within messages: cut to 64 characters, control characters escaped, card numbers masked.
public enum MessageText {
  /// The most characters a value from the batch has in a message.
  public static let maximumLength = 64

  /// A text that came from outside, made fit for a message.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    return TextBuffer.string { append(bytes, count: bytes.count, to: &$0) }
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
  /// - Parameter limit: the most characters that are shown.
  public static func append(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: Int = maximumLength, to message: inout TextBuffer
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
      let shown = buffer.baseAddress.unsafelyUnwrapped
      shown.update(from: bytes, count: at)
      CardNumberMask.apply(to: shown, count: at)
      append(identifier: shown, count: at, limit: limit, isCut: at < count, to: &message)
    }
  }

  /// Appends a figure that the engine worked out: in plain notation, in scientific notation if that is long.
  public static func append(_ figure: ExactDecimal, to message: inout TextBuffer) {
    guard figure.maximumPlainLength > maximumLength else { return message.append(figure) }
    var text = figure.strippingTrailingZeros().scientificDescription
    text.withUTF8 { append(identifier: $0.baseAddress.unsafelyUnwrapped, count: $0.count, to: &message) }
  }

  /// A name from outside, such as a file's, whole: control characters are escaped, and each byte that is not UTF-8
  /// becomes U+FFFD.
  public static func escapedName(_ bytes: [UInt8]) -> String { identifier(bytes, limit: .max) }

  /// Appends a text of which nothing needs to be masked: a valid pay key or account, or what the engine wrote itself.
  ///
  /// - Parameters:
  ///   - limit: the most characters that are shown.
  ///   - isCut: whether more follows that is not here.
  public static func append(
    identifier bytes: UnsafePointer<UInt8>, count: Int, limit: Int = maximumLength, isCut: Bool = false,
    to text: inout TextBuffer
  ) {
    let start = text.count
    // Where the text can still be cut so that three dots fit within the limit.
    var cut = start
    var shown = 0
    var at = 0
    while at < count {
      let length = UTF8Text.sequenceLength(bytes + at, count: count - at)
      let control = UTF8Text.control(bytes + at, length: length)
      if shown <= limit - 3 { cut = text.count }
      shown += control == nil ? 1 : 6
      if shown > limit { break }
      if let control {
        text.append(escaping: control)
      } else if length == 0 {
        text.append("\u{FFFD}")
      } else {
        text.append(bytes + at, count: length)
      }
      at += max(1, length)
    }
    if at < count || isCut {
      text.truncate(to: cut)
      text.append("...")
    }
  }
}
