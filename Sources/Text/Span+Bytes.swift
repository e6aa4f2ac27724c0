import Bytes
import CByteScan
import Glibc

// Comparing, searching and copying texts, several bytes at a time. (Unsafe: only bytes of the spans are read.)
extension Span<UInt8> {
  /// Whether both texts have the same bytes.
  ///
  /// Most texts compared are short, and for those a call of `memcmp` costs more than the comparison.
  @inlinable @inline(__always)
  public func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        if count > 32 || count < 4 { return unsafe memcmp(left, right, count) == 0 }
        if count > 16 {
          let last = count &- 16
          return unsafe settle_equal(Self.word(left), Self.word(right))
            & settle_equal(Self.word(left + last), Self.word(right + last)) == 0xFFFF
        }
        return count >= 8
          ? unsafe Self.overlappingWordsEqual(left, right, count, UInt64.self)
          : unsafe Self.overlappingWordsEqual(left, right, count, UInt32.self)
      }
    }
  }

  /// Compares the first and the last word of texts of one to two words.
  @inlinable @inline(__always)
  static func overlappingWordsEqual<Word: FixedWidthInteger & BitwiseCopyable>(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int, _ type: Word.Type
  ) -> Bool {
    let last = count &- MemoryLayout<Word>.size
    let (first, firstOther): (Word, Word) = unsafe (word(left), word(right))
    let (second, secondOther): (Word, Word) = unsafe (word(left + last), word(right + last))
    return (first ^ firstOther) | (second ^ secondOther) == 0
  }

  @inlinable @inline(__always)
  static func word<Word: BitwiseCopyable>(_ start: UnsafeRawPointer) -> Word {
    unsafe start.loadUnaligned(as: Word.self)
  }

  /// Below zero if it comes before another text, 0 if both are equal.
  @inlinable
  public func compare(_ other: Span<UInt8>) -> Int {
    let order = unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return Int32(0) }
        return unsafe memcmp(left, right, Swift.min(count, other.count))
      }
    }
    return order == 0 ? count - other.count : Int(order)
  }

  /// The place of the first occurrence of another text, from a place on; nil if it does not occur.
  public func place(of other: Span<UInt8>, from start: Int = 0) -> Int? {
    precondition(start >= 0 && start <= count)
    return unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { part in
        guard let first = bytes.baseAddress, let partStart = part.baseAddress else {
          return other.isEmpty ? start : nil
        }
        let found = unsafe settle_find_text(partStart, part.count, first + start, count - start)
        return unsafe found.map { unsafe $0 - first }
      }
    }
  }

  /// The place of the first byte with a value, from a place on; nil if it does not occur.
  @inlinable
  public func place(of byte: UInt8, from start: Int = 0) -> Int? {
    precondition(start >= 0 && start <= count)
    return unsafe withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress, start < count else { return nil }
      return unsafe memchr(first + start, Int32(byte), count - start).map { unsafe UnsafeRawPointer($0) - first }
    }
  }

  /// Copies the text to memory with room for it, and writes no more; up to 32 bytes are copied as two overlapping halves.
  @inlinable @inline(__always)
  func copy(to room: UnsafeMutablePointer<UInt8>) {
    unsafe withUnsafeBytes { text in
      guard let from = text.baseAddress else { return }
      let to = UnsafeMutableRawPointer(room)
      if count > 32 {
        unsafe memcpy(to, from, count)
      } else if count > 16 {
        unsafe Self.copyHalves(from, count, to, SIMD16<UInt8>.self)
      } else if count >= 8 {
        unsafe Self.copyHalves(from, count, to, UInt64.self)
      } else if count >= 4 {
        unsafe Self.copyHalves(from, count, to, UInt32.self)
      } else if count > 0 {
        unsafe room[0] = text[0]
        unsafe room[count &>> 1] = text[count &>> 1]
        unsafe room[count &- 1] = text[count &- 1]
      }
    }
  }

  @inlinable @inline(__always)
  static func copyHalves<Word: BitwiseCopyable>(
    _ from: UnsafeRawPointer, _ count: Int, _ to: UnsafeMutableRawPointer, _ type: Word.Type
  ) {
    let last = count &- MemoryLayout<Word>.size
    let (first, second): (Word, Word) = unsafe (word(from), word(from + last))
    unsafe to.storeBytes(of: first, as: Word.self)
    unsafe (to + last).storeBytes(of: second, as: Word.self)
  }

  /// The length of the ASCII text that begins at a place; a little less if it ends within the last 15 bytes.
  func countOfASCII(from start: Int) -> Int {
    precondition(start >= 0 && start <= count)
    return unsafe withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return 0 }
      var at = start
      while at <= count &- 64 {
        let (one, two): (SIMD16<UInt8>, SIMD16<UInt8>) = unsafe (Self.word(first + at), Self.word(first + at + 16))
        let (three, four): (SIMD16<UInt8>, SIMD16<UInt8>) = unsafe (
          Self.word(first + at + 32), Self.word(first + at + 48)
        )
        if settle_not_ascii((one | two) | (three | four)) != 0 { break }
        at &+= 64
      }
      while at <= count &- 16 {
        let others = settle_not_ascii(unsafe Self.word(first + at))
        if others != 0 { return at &- start &+ others.trailingZeroBitCount }
        at &+= 16
      }
      return at &- start
    }
  }
}

extension StaticString {
  /// Whether a text is exactly this string.
  @inlinable @inline(__always)
  public func matches(_ text: Span<UInt8>) -> Bool { bytes.isEqual(to: text) }
}

// A span is not a sequence, so Swift's own initializers do not take one.
extension [UInt8] {
  public init(_ text: Span<UInt8>) { self = unsafe text.withUnsafeBufferPointer { unsafe Array($0) } }

  public mutating func append(_ text: Span<UInt8>) {
    unsafe text.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension String {
  /// A text; bytes that are not UTF-8 become U+FFFD.
  public init(decoding text: Span<UInt8>) {
    self = unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
