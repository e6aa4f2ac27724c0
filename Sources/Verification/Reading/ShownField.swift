import ExactArithmetic
import Text

/// What stands in a report, made fit for a message: the reports may have been changed by anybody.
enum ShownField {
  /// A count or an amount; if it is none, a text with its card numbers masked.
  static func figure(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array(bytes)
    let literal = DecimalLiteral.scan(digits, count: digits.count, digitLimit: ReportField.mostDigits, exponentLimit: 0)
    return literal.form == .malformed ? MessageText.text(digits) : row(digits)
  }

  /// A row as it stands: no text of a batch, but what reports make of one, with pay keys and accounts in it.
  static func row(_ bytes: some Sequence<UInt8>) -> String { MessageText.identifier(bytes, limit: 200) }
}
