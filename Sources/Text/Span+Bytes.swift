import CByteScan
import Glibc

// Comparing and searching texts, several bytes at a time. (Unsafe: only bytes of the spans are read.)
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
          return unsafe settle_differences(left, right) | settle_differences(left + last, right + last) == 0
        }
        return count >= 8
          ? unsafe overlappingWordsEqual(left, right, count, UInt64.self)
          : unsafe overlappingWordsEqual(left, right, count, UInt32.self)
      }
    }
  }

  /// The number whose bytes begin at a place, the lowest one first.
  @inlinable @inline(__always)
  public func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int, as number: Number.Type) -> Number
  {
    precondition(place >= 0 && place <= count - MemoryLayout<Number>.size)
    return unsafe Number(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: number))
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

  /// The length of the ASCII text that begins at a place; a little less if it ends within the last 15 bytes.
  func countOfASCII(from start: Int) -> Int {
    precondition(start >= 0 && start <= count)
    return unsafe withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return 0 }
      var at = start
      while at <= count &- 16 {
        let others = unsafe settle_not_ascii(first + at)
        if others != 0 { return at &- start &+ others.trailingZeroBitCount }
        at &+= 16
      }
      return at &- start
    }
  }
}

/// Compares the first and the last word of texts of one to two words.
@inlinable @inline(__always)
func overlappingWordsEqual<Word: FixedWidthInteger & BitwiseCopyable>(
  _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int, _ word: Word.Type
) -> Bool {
  let last = count &- MemoryLayout<Word>.size
  let first = unsafe left.loadUnaligned(as: word) ^ right.loadUnaligned(as: word)
  let second = unsafe (left + last).loadUnaligned(as: word) ^ (right + last).loadUnaligned(as: word)
  return first | second == 0
}

// A span is not a sequence, so Swift's own initializers do not take one.
extension [UInt8] {
  /// A copy of a text.
  public init(_ text: Span<UInt8>) { self = unsafe text.withUnsafeBufferPointer { unsafe Array($0) } }

  /// Appends a text.
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
