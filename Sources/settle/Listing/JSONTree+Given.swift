import JSON

extension JSONTree {
  /// A text; null if it is absent or empty.
  static func given(_ text: String?) -> JSONTree { given(text.map { Array($0.utf8) }) }

  /// A key or an account; null if it is absent or empty.
  static func given(_ bytes: [UInt8]?) -> JSONTree {
    bytes.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
  }
}
