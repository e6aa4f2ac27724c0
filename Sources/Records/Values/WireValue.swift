import Glibc
import Text

/// A closed set of values that a batch spells as fixed strings.
///
/// Raw values number the cases from 0 without a gap. Spellings are exact: another letter case, or space around it, is another string (`batch.md`, "Payment").
public protocol WireValue: CaseIterable, Sendable, RawRepresentable where RawValue == UInt8 {
  /// How the batch writes this value, in ASCII.
  var spelling: StaticString { get }
}

extension WireValue {
  /// The value that `count` bytes at `bytes` spell, or nil if they spell none.
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

  /// The value a text spells, or nil if it spells none.
  public static func find(_ text: String) -> Self? { find(Array(text.utf8), count: text.utf8.count) }

  /// The spelling as a string.
  public var name: String { spelling.description }
}
