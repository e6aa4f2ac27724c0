import ExactArithmetic
import Money

/// How the parts of an explanation are written.
extension Explanation {
  private static let labelWidth = 16

  /// A heading of a section, after an empty line.
  mutating func title(_ title: String) {
    text += "\n\(title)\n"
  }

  /// A line, unchanged.
  mutating func line(_ line: String) {
    text += "  \(line)\n"
  }

  /// A labelled line; an empty label continues the line above.
  mutating func row(_ label: String, _ content: String) {
    text += "  \(label)\(String(repeating: " ", count: Self.labelWidth - label.count))\(content)\n"
  }

  /// `a + b = sum`; if there are many terms, only their number.
  static func sum(_ terms: [String], _ sum: ExactDecimal?, of things: String) -> String {
    let total = sum?.description ?? "?"
    if terms.count == 1 { return terms[0] }
    return (terms.count <= 8 ? terms.joined(separator: " + ") : "\(terms.count) \(things)") + " = \(total)"
  }

  /// A value, or a question mark if it is not valid.
  static func figure(_ value: ExactDecimal?) -> String { value?.description ?? "?" }

  /// One minor unit, at the exponent of an amount.
  static func unit(of amount: ExactDecimal) -> ExactDecimal { ExactDecimal(1, exponent: amount.exponent) }

  /// A fraction as a decimal; the first ten decimals if it does not end.
  static func decimals(_ numerator: ExactDecimal, _ denominator: ExactDecimal) -> String {
    let scale = ExactDecimal(1, exponent: -10)
    let (units, rest) = numerator.quotientAndRemainder(dividingBy: denominator * scale)
    guard rest.isZero else { return "\(units * scale)..." }
    let value = (units * scale).strippingTrailingZeros()
    return (value.exact(at: min(0, value.exponent)) ?? value).description
  }

  /// The same with at least a currency's decimals.
  static func decimals(_ numerator: ExactDecimal, _ denominator: ExactDecimal, in currency: Currency) -> String {
    let text = decimals(numerator, denominator)
    return ExactDecimal(text)?.trimmed(to: currency).description ?? text
  }
}
