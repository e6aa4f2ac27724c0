import JSON

/// An error or a notice of a record: the columns of `exceptions.csv`, and the output of `settle validate`.
public struct RecordFinding: Sendable {
  /// The batch's file, as it was named; nil for a single payment.
  public var file: String?
  /// The record's line in the file, from 1; nil for a single payment.
  public var line: Int?
  /// The record's pay key; empty if it has no valid one.
  public let payKey: String
  /// Whether it is a notice, which rejects nothing.
  public let isNotice: Bool
  /// Its code, such as `INVOICE_SUBTOTAL_MISMATCH`. Codes keep their meaning from version to version.
  public let code: String
  /// The field, as a JSON Pointer; empty if the finding is about the whole record.
  public let field: String
  /// What is wrong and what was expected, in words.
  public let message: String
  /// PayPal's number for the error; nil if it has none.
  public var payPalErrorID: Int?
}

extension RecordFinding {
  /// A line of `settle validate --format jsonl`; nil for a batch error.
  init?(line text: [UInt8]) {
    guard let tree = try? JSONTree(parsing: text), let severity = tree["severity"]?.string, severity != "fatal",
      let code = tree["code"]?.string, let field = tree["field"]?.string, let message = tree["message"]?.string
    else { return nil }
    self.init(
      file: tree["file"]?.string, line: tree["line"]?.count, payKey: tree["payKey"]?.string ?? "",
      isNotice: severity == "notice", code: code, field: field, message: message,
      payPalErrorID: tree["paypalErrorId"]?.count)
  }
}
