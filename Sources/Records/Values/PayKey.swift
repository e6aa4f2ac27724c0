import Text

/// The key of a payment: 1-64 of `A-Z a-z 0-9 . _ -`, the first a letter or digit.
public enum PayKey {
  /// The most characters of a key.
  public static let maximumLength = 64

  /// The form of a key, for messages.
  public static let expected: StaticString =
    "1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, beginning with a letter or digit"

  /// Whether a text is a pay key.
  @inlinable
  public static func isValid(_ text: Span<UInt8>) -> Bool {
    guard BatchIdentifier.isValid(text) else { return false }
    return ASCIIClass.of(text[0]) & ASCIIClass.alphanumeric != 0
  }
}

/// The identifier of a batch, in its header: 1-64 of `A-Z a-z 0-9 . _ -`.
public enum BatchIdentifier {
  /// What an identifier is, for messages.
  public static let expected: StaticString = "1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen"

  /// Whether a text is a batch identifier.
  @inlinable
  public static func isValid(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 1, text.count <= PayKey.maximumLength else { return false }
    for index in text.indices where ASCIIClass.of(text[index]) & ASCIIClass.identifier == 0 {
      return false
    }
    return true
  }
}
