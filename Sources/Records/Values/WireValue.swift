/// A closed set of values that batches spell as fixed strings.
///
/// Spellings are exact: a string with other letter case or with spaces around it is another string (`batch.md`,
/// "Payment").
public protocol WireValue: FixedValue {}

extension WireValue {
  /// The value that a text spells, or nil.
  @inlinable
  public static func find(_ text: Span<UInt8>) -> Self? { FixedText.value(text, of: Self.self) }

  /// The value that a text spells, or nil.
  public static func find(_ text: String) -> Self? { find(Array(text.utf8).span) }

  /// Its spelling in a batch, in ASCII.
  @inlinable public var spelling: StaticString { rawValue.text }

  public var name: String { spelling.description }
}
