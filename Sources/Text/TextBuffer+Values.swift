import Bytes
import ExactArithmetic

extension TextBuffer {
  /// Whether there is no text.
  @inlinable public var isEmpty: Bool { count == 0 }

  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) { append(text.bytes) }

  /// Appends fixed texts, one after the other.
  public mutating func append(_ first: StaticString, _ second: StaticString, _ more: StaticString...) {
    append(first)
    append(second)
    for text in more { append(text) }
  }

  /// Appends a string. A literal is taken as a fixed text instead, which costs less.
  @_disfavoredOverload
  public mutating func append(_ text: String) { append(text.utf8Span.span) }

  @_disfavoredOverload
  public mutating func append(_ bytes: [UInt8]) { append(bytes.span) }

  @inlinable public mutating func append(_ other: borrowing TextBuffer) { append(other.span) }

  @inlinable
  public mutating func append(_ other: borrowing TextBuffer, _ part: Range<Int>) { append(other.span.extracting(part)) }

  /// Appends the characters of a JSON string as it is written, without its quotes.
  public mutating func append(unescaping string: Span<UInt8>) {
    append(atMost: string.count) { UTF8Text.unescape(string, into: &$0) }
  }

  /// Appends a control character's code point in JSON's escape: `\u` and four lower-case hexadecimal digits.
  public mutating func append(escaping control: UInt16) {
    append("\\u")
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(control >> UInt16(shift) & 15)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Appends a whole number in decimal.
  public mutating func append(number: Int) {
    append(ExactDecimal(number))
  }

  /// What `write` appends, as a string.
  public static func string(_ write: (inout TextBuffer) -> Void) -> String {
    var text = TextBuffer()
    write(&text)
    return text.string
  }

  /// The text as a string; bytes that are not UTF-8 become U+FFFD.
  public var string: String { String(decoding: span) }
}
