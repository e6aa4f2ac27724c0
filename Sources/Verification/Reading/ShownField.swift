import BatchFile
import ExactArithmetic
import Settlement

/// What stands in a report, made fit for a message: the reports may have been changed by anybody.
enum ShownField {
  /// A text cut to 64 characters, its control characters escaped, card numbers masked.
  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard let start = bytes.baseAddress else { return "" }
    var text = TextBuffer()
    MessageText.append(start, count: bytes.count, to: &text)
    return text.string
  }

  /// A text cut to 64 characters, its control characters escaped, card numbers masked.
  static func text(_ string: String) -> String {
    var copy = string
    return copy.withUTF8 { text($0) }
  }

  /// A valid pay key or account, as it is but for its length.
  static func identifier(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard let start = bytes.baseAddress else { return "" }
    var text = TextBuffer()
    MessageText.append(identifier: start, count: bytes.count, to: &text)
    return text.string
  }

  /// A count or an amount as it stands; where it is none, a text.
  static func figure(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard let start = bytes.baseAddress else { return "" }
    let literal = DecimalLiteral.scan(start, count: bytes.count, digitLimit: ReportField.mostDigits, exponentLimit: 0)
    return literal.form == .malformed ? text(bytes) : ownRow(bytes)
  }

  /// An amount, whole.
  static func amount(_ amount: ExactDecimal) -> String { amount.description }
}

extension ShownField {
  /// The most characters that are shown of a row.
  private static let rowLength = 200

  /// A row as it stands, cut, its control characters escaped, card numbers masked.
  static func row(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard let start = bytes.baseAddress else { return "" }
    var text = TextBuffer()
    MessageText.append(start, count: bytes.count, limit: rowLength, to: &text)
    return text.string
  }

  /// A row that the engine made itself of valid accounts and amounts, as it is but for its length.
  static func ownRow(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard let start = bytes.baseAddress else { return "" }
    var text = TextBuffer()
    MessageText.append(identifier: start, count: bytes.count, limit: rowLength, to: &text)
    return text.string
  }
}
