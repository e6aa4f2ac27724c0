import BatchFile
import ExactArithmetic

/// Texts from a batch within messages: cut to 64 characters, control characters escaped, card numbers masked.
public enum MessageText {
  /// The most characters a value from the batch has in a message.
  public static let maximumLength = 64

  /// Appends a text that came from outside, made fit for a message.
  public static func append(_ text: String, isAmount: Bool = false, to message: inout TextBuffer) {
    var copy = text
    copy.withUTF8 { bytes in
      if let start = bytes.baseAddress { append(start, count: bytes.count, isAmount: isAmount, to: &message) }
    }
  }

  /// Appends the UTF-8 text of `count` bytes, made fit for a message.
  ///
  /// - Parameters:
  ///   - limit: the most characters that are shown.
  ///   - isAmount: whether it is an amount, in which a point ends a number.
  public static func append(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: Int = maximumLength, isAmount: Bool = false,
    to message: inout TextBuffer
  ) {
    // A number that begins among the characters shown ends within so many more.
    let looked = limit + CardNumberMask.mostCharacters
    var shown: [UInt8] = []
    var at = 0
    var characters = 0
    while at < count, characters < looked {
      let length = max(1, UTF8Text.sequenceLength(bytes + at, count: count - at))
      shown.append(contentsOf: UnsafeBufferPointer(start: bytes + at, count: length))
      at += length
      characters += 1
    }
    let mask = CardNumberMask(takesPoints: !isAmount)
    mask.apply(to: &shown)
    let start = message.count
    let hasEscapes = shown.withUnsafeBufferPointer { buffer -> Bool in
      guard let first = buffer.baseAddress else { return false }
      return appendEscaped(first, count: buffer.count, limit: limit, isCut: at < count, to: &message)
    }
    if hasEscapes { maskAgain(mask, from: start, in: &message) }
  }

  /// Masks what the digits of an escape make a card number of: `\u0004` and fifteen digits.
  private static func maskAgain(_ mask: CardNumberMask, from start: Int, in message: inout TextBuffer) {
    var shown = Array(UnsafeBufferPointer(start: message.bytes + start, count: message.count - start))
    mask.apply(to: &shown)
    message.truncate(to: start)
    shown.withUnsafeBufferPointer { bytes in
      if let first = bytes.baseAddress { message.append(first, count: bytes.count) }
    }
  }

  /// A figure for a message: in plain notation, cut where that is long, and masked where it looks like a card number.
  public static func figure(_ figure: ExactDecimal) -> String {
    let isLong = figure.maximumPlainLength > maximumLength
    var text = TextBuffer()
    append(
      isLong ? figure.strippingTrailingZeros().scientificDescription : figure.description, isAmount: true, to: &text)
    return text.string
  }

  /// Appends a text of which nothing needs to be masked: a valid pay key or account, or what the engine wrote itself.
  ///
  /// - Parameter limit: the most characters that are shown.
  public static func append(
    identifier bytes: UnsafePointer<UInt8>, count: Int, limit: Int = maximumLength, to message: inout TextBuffer
  ) {
    _ = appendEscaped(bytes, count: count, limit: limit, isCut: false, to: &message)
  }

  /// Appends a text whole, with control characters escaped as `\u00xx` and each byte that is not UTF-8 as U+FFFD.
  public static func appendName(_ bytes: UnsafePointer<UInt8>, count: Int, to text: inout TextBuffer) {
    _ = appendEscaped(bytes, count: count, limit: .max, isCut: false, to: &text)
  }

  /// A name from outside, such as a file's, with control characters escaped and what is not UTF-8 replaced.
  public static func escapedName(_ bytes: [UInt8]) -> String {
    var text = TextBuffer()
    bytes.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { appendName(start, count: buffer.count, to: &text) }
    }
    return text.string
  }

  /// A name from outside that is kept or shown apart from what it came with: escaped as `escapedName` does it, card
  /// numbers masked.
  public static func maskedName(_ bytes: [UInt8]) -> String {
    var text = TextBuffer()
    bytes.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { append(start, count: buffer.count, limit: longestName, to: &text) }
    }
    return text.string
  }

  /// As long as the system's longest path.
  private static let longestName = 4096

  /// - Returns: whether a control character was escaped.
  private static func appendEscaped(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: Int, isCut: Bool, to text: inout TextBuffer
  ) -> Bool {
    let start = text.count
    // Where the text can still be cut so that three dots fit within the limit.
    var cut = start
    var shown = 0
    var at = 0
    var hasEscapes = false
    while at < count {
      let length = UTF8Text.sequenceLength(bytes + at, count: count - at)
      let isControl =
        length == 1 && (bytes[at] < 0x20 || bytes[at] == 0x7F)
        || length == 2 && bytes[at] == 0xC2 && bytes[at + 1] < 0xA0
      if shown <= limit - 3 { cut = text.count }
      shown += isControl ? 6 : 1
      if shown > limit { break }
      if isControl {
        hasEscapes = true
        text.append(escaping: bytes[at + length - 1])
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
    return hasEscapes
  }
}
