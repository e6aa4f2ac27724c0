// What the targets above still call with pointers. Each is removed with its last caller.
extension TextBuffer {
  /// The text; it moves when the buffer grows.
  @inlinable @unsafe public var bytes: UnsafeMutablePointer<UInt8> { unsafe base }

  /// Appends `count` bytes.
  @inlinable @inline(__always) @unsafe
  public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {
    unsafe ByteCopy.copy(bytes, count: count, to: reserve(count))
    unsafe advance(by: count)
  }
}

extension CSVRecord {
  /// The fields without quotes; valid until the next line is split.
  @unsafe public var fields: [UnsafeBufferPointer<UInt8>] {
    unsafe places.map { unsafe UnsafeBufferPointer(start: text.bytes + $0.lowerBound, count: $0.count) }
  }
}

extension CSVRecord {
  /// Splits a line without its ending; false if a quote is stray or open.
  @unsafe public mutating func split(_ line: UnsafeBufferPointer<UInt8>) -> Bool { unsafe split(line.span) }
}

extension CSV {
  /// Appends a field of `count` bytes.
  @unsafe public static func append(_ bytes: UnsafePointer<UInt8>, count: Int, to text: inout TextBuffer) {
    unsafe append(UnsafeBufferPointer(start: bytes, count: count).span, to: &text)
  }
}

extension UTF8Text {
  /// Whether `count` bytes are UTF-8.
  @unsafe public static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    unsafe isValid(UnsafeBufferPointer(start: bytes, count: count).span)
  }

  /// The number of Unicode scalar values in `count` bytes.
  @unsafe public static func scalarCount(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
    unsafe scalarCount(UnsafeBufferPointer(start: bytes, count: count).span)
  }
}

extension MessageText {
  /// Appends the text of `count` bytes, made safe for a message.
  @unsafe public static func append(
    _ bytes: UnsafePointer<UInt8>, count: Int, limit: Int = maximumLength, isQuoted: Bool = false,
    to message: inout TextBuffer
  ) {
    unsafe append(
      UnsafeBufferPointer(start: bytes, count: count).span, limit: limit, isQuoted: isQuoted, to: &message)
  }
}

extension CardNumberMask {
  /// Masks the card numbers of a text of `count` bytes.
  @discardableResult
  public static func apply(to text: inout [UInt8], count: Int) -> Bool { apply(to: &text) }
}

extension StaticString {
  /// Whether `count` bytes are exactly this string.
  @unsafe public func matches(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    unsafe matches(UnsafeBufferPointer(start: bytes, count: count).span)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The number of line feeds.
  @unsafe public var lineFeeds: Int { unsafe span.lineFeeds }
}
