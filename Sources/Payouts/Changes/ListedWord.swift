import Text

/// A key or a reason in lists of changes.
package enum ListedWord {
  /// Whether a text is 1 to 35 of `A-Z a-z 0-9 . _ -`.
  package static func isValid(_ text: Span<UInt8>) -> Bool {
    1...35 ~= text.count && text.allSatisfy { ASCIIClass.of($0) & ASCIIClass.identifier != 0 }
  }
}
