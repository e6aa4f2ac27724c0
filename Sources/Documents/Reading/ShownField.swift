import ExactArithmetic
import Text

/// Text of a report, made fit for a message: anyone may have changed the reports.
package enum ShownField {
  /// A count or an amount; anything else as a text with card numbers masked.
  package static func figure(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array(bytes)
    let literal = DecimalLiteral.scan(digits.span, digitLimit: ReportField.mostDigits, exponentLimit: 0)
    return literal.form == .malformed ? MessageText.text(digits) : row(digits)
  }

  /// A row as written. It is not a text of a batch, but made by the reports, and contains pay keys and accounts.
  package static func row(_ bytes: some Sequence<UInt8>) -> String { MessageText.identifier(bytes, limit: 200) }
}
