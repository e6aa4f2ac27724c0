import Glibc

extension StaticString {
  /// Whether `count` bytes at `bytes` are exactly this string.
  @inlinable
  public func matches(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    count == utf8CodeUnitCount && bytesEqual(bytes, utf8Start, count: count)
  }
}

/// Whether `count` bytes at two addresses are equal; reads no others.
///
/// Most texts compared are short, and for those a call of `memcmp` costs more than the comparison.
@inlinable @inline(__always)
public func bytesEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
  if count > 16 || count < 4 { return memcmp(left, right, count) == 0 }
  return count >= 8
    ? overlappingWordsEqual(left, right, count, UInt64.self) : overlappingWordsEqual(left, right, count, UInt32.self)
}

/// Compares the first and the last word of texts of one to two words.
@inlinable @inline(__always)
func overlappingWordsEqual<Word: FixedWidthInteger & BitwiseCopyable>(
  _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int, _ word: Word.Type
) -> Bool {
  let last = count &- MemoryLayout<Word>.size
  let first = UnsafeRawPointer(left).loadUnaligned(as: word) ^ UnsafeRawPointer(right).loadUnaligned(as: word)
  let second =
    UnsafeRawPointer(left + last).loadUnaligned(as: word) ^ UnsafeRawPointer(right + last).loadUnaligned(as: word)
  return first | second == 0
}
