import Text

/// A closed set of values that batches spell as fixed strings.
///
/// Raw values number the cases from 0 without gaps. Spellings are exact: a string with other letter case or with spaces
/// around it is another string (`batch.md`, "Payment").
public protocol WireValue: CaseIterable, Sendable, RawRepresentable where RawValue == UInt8 {
  /// Its spelling in a batch, in ASCII.
  var spelling: StaticString { get }
}

extension WireValue {
  /// The value that a text spells, or nil.
  @inlinable
  public static func find(_ text: Span<UInt8>) -> Self? {
    // Not by `allCases`, which would be a new array for each look-up.
    var number: UInt8 = 0
    while let value = Self(rawValue: number) {
      if value.spelling.matches(text) { return value }
      number += 1
    }
    return nil
  }

  /// The value that a text spells, or nil.
  public static func find(_ text: String) -> Self? { find(Array(text.utf8).span) }

  /// The spelling as a string.
  public var name: String { spelling.description }
}
