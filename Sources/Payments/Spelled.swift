import Glibc

/// A closed set of values that a batch spells as fixed strings.
///
/// Raw values number the cases from 0 without a gap. Spellings are exact: another letter case, or space around it, is another string (`batch.md`, "Payment").
public protocol Spelled: CaseIterable, Sendable, RawRepresentable where RawValue == UInt8 {
  /// How the batch writes this value, in ASCII.
  var spelling: StaticString { get }
}

extension Spelled {
  /// The value that `count` bytes at `bytes` spell, or nil where they spell none.
  @inlinable
  public static func find(_ bytes: UnsafePointer<UInt8>, count: Int) -> Self? {
    // By number, not by `allCases`: that would be an array made anew for every look-up.
    var number: UInt8 = 0
    while let value = Self(rawValue: number) {
      if value.spelling.matches(bytes, count: count) { return value }
      number += 1
    }
    return nil
  }

  /// The value a text spells, or nil where it spells none.
  public static func find(_ text: String) -> Self? {
    var copy = text
    return copy.withUTF8 { bytes in
      bytes.baseAddress.flatMap { find($0, count: bytes.count) }
    }
  }

  /// The spelling as a string.
  public var name: String { spelling.description }
}

extension StaticString {
  /// Whether `count` bytes at `bytes` are exactly this string.
  @inlinable
  public func matches(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    count == utf8CodeUnitCount && SameBytes.are(bytes, utf8Start, count: count)
  }
}

/// Comparing a few bytes, which most spellings are: a call of `memcmp` would cost more than the comparing.
public enum SameBytes {
  /// Whether `count` bytes at two places are the same; reads no others.
  @inlinable @inline(__always)
  public static func are(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
    if count > 16 || count < 4 { return memcmp(left, right, count) == 0 }
    return count >= 8 ? halves(left, right, count, UInt64.self) : halves(left, right, count, UInt32.self)
  }

  @inlinable @inline(__always)
  static func halves<Word: FixedWidthInteger & BitwiseCopyable>(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int, _ word: Word.Type
  ) -> Bool {
    let last = count &- MemoryLayout<Word>.size
    let first = UnsafeRawPointer(left).loadUnaligned(as: word) ^ UnsafeRawPointer(right).loadUnaligned(as: word)
    let second =
      UnsafeRawPointer(left + last).loadUnaligned(as: word) ^ UnsafeRawPointer(right + last).loadUnaligned(as: word)
    return first | second == 0
  }
}
