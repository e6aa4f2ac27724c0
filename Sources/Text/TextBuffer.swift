import ExactArithmetic
import Glibc

/// A growing UTF-8 text to which reports and messages are written. It is reused, so that lines cost no allocation.
public struct TextBuffer: ~Copyable {
  /// The text; it moves when the buffer grows.
  @inlinable public var bytes: UnsafeMutablePointer<UInt8> { base }
  /// Its length in bytes.
  @inlinable public var count: Int { length }
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var length = 0
  @usableFromInline var capacity: Int

  /// An empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 256) {
    precondition(capacity > 0)
    self.capacity = capacity
    base = Self.allocated(nil, capacity)
  }

  deinit { free(base) }

  /// Memory of the C library, which can enlarge large texts without copying them.
  private static func allocated(_ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    guard let bytes = realloc(old, capacity) else { fatalError("out of memory: \(capacity) bytes of text") }
    return bytes.assumingMemoryBound(to: UInt8.self)
  }

  /// Makes room for `additional` more bytes and returns where they go; `advance(by:)` adds them to the text.
  @inlinable @inline(__always)
  public mutating func reserve(_ additional: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- length < additional { grow(additional) }
    return base + length
  }

  /// Adds `written` bytes to the text, which were written where `reserve` returned.
  @inlinable @inline(__always)
  public mutating func advance(by written: Int) {
    assert(written >= 0 && written <= capacity - length)
    length &+= written
  }

  /// Appends one byte.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1).pointee = byte
    length &+= 1
  }

  /// Appends `count` bytes.
  @inlinable @inline(__always)
  public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {
    ByteCopy.copy(bytes, count: count, to: reserve(count))
    length &+= count
  }

  /// Appends a fixed text.
  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) {
    append(text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Appends fixed texts, one after the other.
  public mutating func append(_ first: StaticString, _ second: StaticString, _ more: StaticString...) {
    append(first)
    append(second)
    for text in more { append(text) }
  }

  /// Appends a string. A literal is taken as a fixed text instead, which costs less.
  @_disfavoredOverload
  public mutating func append(_ text: String) {
    var copy = text
    copy.withUTF8 { utf8 in
      if let start = utf8.baseAddress { append(start, count: utf8.count) }
    }
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

  /// Appends a decimal in plain notation, with the number of decimals that its exponent says.
  @inlinable @inline(__always)
  public mutating func append(_ decimal: ExactDecimal) {
    length &+= decimal.writePlain(to: reserve(decimal.maximumPlainLength))
  }

  /// Empties the buffer; its memory stays, up to `keeping` bytes.
  public mutating func removeAll(keeping: Int = .max) {
    length = 0
    if capacity > keeping {
      free(base)
      capacity = max(256, keeping)
      base = Self.allocated(nil, capacity)
    }
  }

  /// Shortens the text to its first `shorter` bytes.
  public mutating func truncate(to shorter: Int) {
    precondition(shorter >= 0 && shorter <= length)
    length = shorter
  }

  /// What `write` appends, as a string.
  public static func string(_ write: (inout TextBuffer) -> Void) -> String {
    var text = TextBuffer()
    write(&text)
    return text.string
  }

  /// The text as a string; bytes that are not UTF-8 become U+FFFD.
  public var string: String {
    String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  @usableFromInline @inline(never)
  mutating func grow(_ additional: Int) {
    let (needed, overflow) = length.addingReportingOverflow(additional)
    precondition(!overflow, "a text of more than 2^63 bytes")
    capacity = max(capacity * 2, needed)
    base = Self.allocated(base, capacity)
  }
}
