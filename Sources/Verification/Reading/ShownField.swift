import ExactArithmetic
import Text

/// What stands in a report, made fit for a message: the reports may have been changed by anybody.
///
/// All is cut, and its control characters are escaped.
enum ShownField {
  /// The most characters that are shown of a row.
  private static let rowLength = 200

  /// A text with its card numbers masked.
  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    shown(bytes) { MessageText.append($0, count: $1, to: &$2) }
  }

  /// A text with its card numbers masked.
  static func text(_ bytes: [UInt8]) -> String { bytes.withUnsafeBufferPointer { text($0) } }

  /// A text with its card numbers masked.
  static func text(_ string: String) -> String { text(Array(string.utf8)) }

  /// A valid pay key or account.
  static func identifier(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    shown(bytes) { MessageText.append(identifier: $0, count: $1, to: &$2) }
  }

  /// A valid pay key or account.
  static func identifier(_ bytes: [UInt8]) -> String { bytes.withUnsafeBufferPointer { identifier($0) } }

  /// A file's name.
  static func identifier(_ string: String) -> String { identifier(Array(string.utf8)) }

  /// A count or an amount; where it is none, a text.
  static func figure(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard let start = bytes.baseAddress else { return "" }
    let literal = DecimalLiteral.scan(start, count: bytes.count, digitLimit: ReportField.mostDigits, exponentLimit: 0)
    return literal.form == .malformed ? text(bytes) : row(bytes)
  }

  /// A count or an amount; where it is none, a text.
  static func figure(_ bytes: [UInt8]) -> String { bytes.withUnsafeBufferPointer { figure($0) } }

  /// A row as it stands: no text of a batch, but what reports make of one, with pay keys and accounts in it.
  static func row(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    shown(bytes) { MessageText.append(identifier: $0, count: $1, limit: rowLength, to: &$2) }
  }

  private static func shown(
    _ bytes: UnsafeBufferPointer<UInt8>, _ append: (UnsafePointer<UInt8>, Int, inout TextBuffer) -> Void
  ) -> String {
    guard let start = bytes.baseAddress else { return "" }
    var text = TextBuffer()
    append(start, bytes.count, &text)
    return text.string
  }
}
