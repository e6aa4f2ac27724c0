import BatchFile

/// Texts from a batch within messages: cut to 64 characters, control characters escaped, card numbers masked.
public enum MessageText {
  /// The most characters a value from the batch has in a message.
  public static let maximumLength = 64

  /// Appends a text that came from outside, made fit for a message.
  public static func append(_ text: String, to message: inout TextBuffer) {
    var copy = text
    copy.withUTF8 { bytes in
      if let start = bytes.baseAddress { append(start, count: bytes.count, to: &message) }
    }
  }

  /// Appends the UTF-8 text of `count` bytes, made fit for a message.
  ///
  /// - Parameter limit: the most characters that are shown.
  public static func append(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: Int = maximumLength, to message: inout TextBuffer
  ) {
    // A number that begins among the first 64 characters ends within 37 more.
    var shown: [UInt8] = []
    var at = 0
    while at < count, at < 4 * (limit + 40) {
      let length = max(1, UTF8Text.sequenceLength(bytes + at, count: count - at))
      shown.append(contentsOf: UnsafeBufferPointer(start: bytes + at, count: length))
      at += length
    }
    CardNumberMask.apply(to: &shown)
    shown.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress {
        appendEscaped(start, count: buffer.count, limit: limit, isCut: at < count, to: &message)
      }
    }
  }

  /// Appends a text of which nothing needs to be masked: a valid pay key or account, or what the engine wrote itself.
  ///
  /// - Parameter limit: the most characters that are shown.
  public static func append(
    identifier bytes: UnsafePointer<UInt8>, count: Int, limit: Int = maximumLength, to message: inout TextBuffer
  ) {
    appendEscaped(bytes, count: count, limit: limit, isCut: false, to: &message)
  }

  /// Appends a text whole, with control characters escaped as `\u00xx` and each byte that is not UTF-8 as U+FFFD.
  public static func appendName(_ bytes: UnsafePointer<UInt8>, count: Int, to text: inout TextBuffer) {
    appendEscaped(bytes, count: count, limit: .max, isCut: false, to: &text)
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

  private static func appendEscaped(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: Int, isCut: Bool, to text: inout TextBuffer
  ) {
    let start = text.count
    // Where the text can still be cut so that three dots fit within the limit.
    var cut = start
    var shown = 0
    var at = 0
    while at < count {
      let length = UTF8Text.sequenceLength(bytes + at, count: count - at)
      let isControl =
        length == 1 && (bytes[at] < 0x20 || bytes[at] == 0x7F)
        || length == 2 && bytes[at] == 0xC2 && bytes[at + 1] < 0xA0
      if shown <= limit - 3 { cut = text.count }
      shown += isControl ? 6 : 1
      if shown > limit { break }
      if isControl {
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
  }
}
