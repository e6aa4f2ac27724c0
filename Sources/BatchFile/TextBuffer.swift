import ExactArithmetic
import Glibc

/// A growing run of UTF-8 text that reports and messages are written into; reused, so that lines cost no allocation.
public struct TextBuffer: ~Copyable {
  /// The text; it moves when the buffer grows.
  public private(set) var bytes: UnsafeMutablePointer<UInt8>
  /// Its length in bytes.
  public private(set) var count = 0
  private var capacity: Int

  /// An empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 256) {
    precondition(capacity > 0)
    self.capacity = capacity
    bytes = .allocate(capacity: capacity)
  }

  deinit { bytes.deallocate() }

  /// Makes room for `additional` more bytes and returns where they go; `advance(by:)` takes them into the text.
  @inline(__always)
  public mutating func reserve(_ additional: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < additional { grow(additional) }
    return bytes + count
  }

  /// Takes `written` bytes, written where `reserve` said, into the text.
  @inline(__always)
  public mutating func advance(by written: Int) {
    assert(written >= 0 && written <= capacity - count)
    count += written
  }

  /// Appends one byte.
  @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1).pointee = byte
    count += 1
  }

  /// Appends `count` bytes.
  @inline(__always)
  public mutating func append(_ bytes: UnsafePointer<UInt8>, count length: Int) {
    memcpy(reserve(length), bytes, length)
    count += length
  }

  /// Appends a fixed text.
  @inline(__always)
  public mutating func append(_ text: StaticString) {
    append(text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Appends a string. A literal is taken as a fixed text instead, which costs less.
  @_disfavoredOverload
  public mutating func append(_ text: String) {
    var copy = text
    copy.withUTF8 { utf8 in
      if let start = utf8.baseAddress { append(start, count: utf8.count) }
    }
  }

  /// Appends a whole number in decimal.
  public mutating func append(number: Int) {
    append(ExactDecimal(number))
  }

  /// Appends a decimal in plain notation, with as many decimals as its exponent says.
  @inline(__always)
  public mutating func append(_ decimal: ExactDecimal) {
    count += decimal.writePlain(to: reserve(decimal.maximumPlainLength))
  }

  /// Empties the buffer; its memory stays, up to `keeping` bytes.
  public mutating func removeAll(keeping: Int = .max) {
    count = 0
    if capacity > keeping {
      bytes.deallocate()
      capacity = max(256, keeping)
      bytes = .allocate(capacity: capacity)
    }
  }

  /// Cuts the text back to its first `length` bytes.
  public mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }

  /// The text as a string; what is no UTF-8 becomes U+FFFD.
  public var string: String {
    String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  @inline(never)
  private mutating func grow(_ additional: Int) {
    let (needed, overflow) = count.addingReportingOverflow(additional)
    precondition(!overflow, "a text of more than 2^63 bytes")
    capacity = max(capacity * 2, needed)
    let wider = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    memcpy(wider, bytes, count)
    bytes.deallocate()
    bytes = wider
  }
}
