import JSON
import Money
import Text

extension JSONTree {
  /// A value as messages show it: a string or number in quotes; for an object or array, its kind.
  package var shown: String {
    switch self {
    case .string(let text), .number(let text): MessageText.quoted(text)
    case .boolean(let value): "\(value)"
    case .null, .array, .object: kindName
    }
  }
}

extension Currency {
  /// How many decimals an amount may have, in words.
  package var decimalsTaken: String {
    settlementExponent == 0 ? "\(code) takes no decimals" : "\(code) takes at most \(settlementExponent) decimals"
  }
}

extension RejectionReason {
  /// The message of a record that is rejected for this reason, for a value that is not in a record.
  package func message(of value: JSONTree, named name: String) -> String {
    let kind = self == .wrongType && value.shown.hasPrefix("\"") ? "\(value.kindName), " : ""
    var message = "\(name) is \(kind)\(value.shown)"
    if case .value(let expected) = row.message { message += expected.description }
    guard case .string(let text) = value else { return message }
    return message
      + (ValueHint.words(for: text.span, self, known: []).map { "; \($0)" } ?? "")
  }

  /// The message of a record for a line that is not a JSON object; nil if it is one.
  package static func message(ofLine line: [UInt8]) -> String? { LineFault(of: line)?.words }
}
