import ExactArithmetic
import Glibc

/// A growing UTF-8 text to which reports and messages are written. It is reused, so that lines cost no allocation.
///
/// (Unsafe: `base` has room for `capacity` bytes, of which the first `length` are initialized; only this file changes
/// them. The memory is the C library's, which can enlarge large texts without copying them.)
@safe
public struct TextBuffer: ~Copyable {
  /// Its length in bytes.
  @inlinable public var count: Int { length }
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var length = 0
  @usableFromInline var capacity: Int

  /// An empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 256) {
    precondition(capacity > 0)
    self.capacity = capacity
    unsafe base = Self.allocated(nil, capacity)
  }

  deinit { unsafe free(base) }

  private static func allocated(_ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    guard let bytes = unsafe realloc(old, capacity) else { fatalError("out of memory: \(capacity) bytes of text") }
    return unsafe bytes.assumingMemoryBound(to: UInt8.self)
  }

  @inlinable
  public var span: Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get {
      let text = unsafe Span(_unsafeStart: base, count: length)
      return unsafe _overrideLifetime(text, borrowing: self)
    }
  }

  /// Calls `body` with the text: for a buffer that an object holds, whose span cannot be taken out of it.
  @inlinable @inline(__always)
  public func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(span)
  }

  /// The byte at a place.
  @inlinable public subscript(place: Int) -> UInt8 { @inline(__always) get { span[place] } }

  /// Where the text begins; it moves when the buffer grows.
  @inlinable @unsafe public var start: UnsafePointer<UInt8> { unsafe UnsafePointer(base) }

  /// The text, to change bytes in place.
  @inlinable
  public var mutableSpan: MutableSpan<UInt8> {
    @inline(__always) @_lifetime(&self) mutating get {
      let text = unsafe MutableSpan(_unsafeStart: base, count: length)
      return unsafe _overrideLifetime(text, mutating: &self)
    }
  }

  /// Changes the bytes of a part of the text.
  @inlinable @inline(__always)
  public mutating func change<Result>(_ part: Range<Int>, _ body: (inout MutableSpan<UInt8>) -> Result) -> Result {
    precondition(part.lowerBound >= 0 && part.upperBound <= length)
    var bytes = unsafe MutableSpan(_unsafeStart: base + part.lowerBound, count: part.count)
    return body(&bytes)
  }

  /// Makes room for `additional` more bytes and returns where they go; `advance(by:)` adds them to the text.
  @inlinable @inline(__always) @unsafe
  public mutating func reserve(_ additional: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- length < additional { grow(additional) }
    return unsafe base + length
  }

  /// Adds `written` bytes to the text, which were written where `reserve` returned.
  @inlinable @inline(__always) @unsafe
  public mutating func advance(by written: Int) {
    assert(written >= 0 && written <= capacity - length)
    length &+= written
  }

  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    unsafe reserve(1).pointee = byte
    length &+= 1
  }

  @inlinable @inline(__always)
  public mutating func append(_ text: Span<UInt8>) {
    unsafe text.copy(to: reserve(text.count))
    length &+= text.count
  }

  /// Appends a number in its bytes, the lowest one first.
  @inlinable @inline(__always)
  public mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number) {
    let room = unsafe UnsafeMutableRawPointer(reserve(MemoryLayout<Number>.size))
    unsafe room.storeBytes(of: number.littleEndian, as: Number.self)
    length &+= MemoryLayout<Number>.size
  }

  /// Writes a number over the bytes from a place on, the lowest one first.
  @inlinable @inline(__always)
  public mutating func set<Number: FixedWidthInteger & BitwiseCopyable>(littleEndian number: Number, at place: Int) {
    precondition(place >= 0 && place <= length - MemoryLayout<Number>.size)
    unsafe UnsafeMutableRawPointer(base + place).storeBytes(of: number.littleEndian, as: Number.self)
  }

  /// Appends a decimal in plain notation, with the number of decimals that its exponent says.
  @inlinable @inline(__always)
  public mutating func append(_ decimal: ExactDecimal) {
    length &+= unsafe decimal.writePlain(to: reserve(decimal.maximumPlainLength))
  }

  /// Appends what `write` puts into room for `most` bytes.
  @inlinable @inline(__always)
  public mutating func append<Failure: Error>(
    atMost most: Int, _ write: (inout OutputSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let room = unsafe UnsafeMutableBufferPointer(start: reserve(most), count: most)
    var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
    try write(&output)
    length &+= unsafe output.finalize(for: room)
  }

  /// Empties the buffer; its memory stays, up to `keeping` bytes.
  public mutating func removeAll(keeping: Int = .max) {
    length = 0
    if capacity > keeping {
      unsafe free(base)
      capacity = max(256, keeping)
      unsafe base = Self.allocated(nil, capacity)
    }
  }

  public mutating func removeFirst(_ count: Int) {
    precondition(count >= 0 && count <= length)
    unsafe memmove(base, base + count, length - count)
    length -= count
  }

  /// Shortens the text to its first `shorter` bytes.
  public mutating func truncate(to shorter: Int) {
    precondition(shorter >= 0 && shorter <= length)
    length = shorter
  }

  @usableFromInline @inline(never)
  mutating func grow(_ additional: Int) {
    let (needed, overflow) = length.addingReportingOverflow(additional)
    precondition(!overflow, "a text of more than 2^63 bytes")
    capacity = max(capacity * 2, needed)
    unsafe base = Self.allocated(base, capacity)
  }
}
