import Ledger

/// A reference in a text for the payee.
enum ReferenceWord {
  /// The one word of the form of a reference; empty unless exactly one is a reference.
  static func of(_ text: [UInt8]) -> [[UInt8]] {
    let words = text.split(whereSeparator: AnswerSource.isSpace).map(Array.init)
    let references = words.filter { PaymentReference($0) != nil }
    return references.count == 1 ? references : []
  }
}
