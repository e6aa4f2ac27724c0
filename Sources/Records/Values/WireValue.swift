/// A closed set of values that batches spell as fixed strings.
///
/// Spellings are exact: a string with other letter case or with spaces around it is another string (`batch.md`,
/// "Payment").
public protocol WireValue: FixedValue {}

extension WireValue {
  /// The value that `count` bytes at `bytes` spell, or nil.
  @inlinable
  public static func find(_ bytes: UnsafePointer<UInt8>, count: Int) -> Self? {
    Self(rawValue: FixedText(bytes, count: count))
  }

  /// The value that a text spells, or nil.
  public static func find(_ text: String) -> Self? { find(Array(text.utf8), count: text.utf8.count) }

  /// Its spelling in a batch, in ASCII.
  @inlinable public var spelling: StaticString { rawValue.text }

  /// The spelling as a string.
  public var name: String { spelling.description }
}
