import ExactArithmetic
import Money
import Records
import Rules
import Text

/// One row of `exceptions.csv`: an error of a rejected record, or a pending or held payment.
package struct ExceptionRow {
  private typealias Column = ExceptionsReport.Column

  /// The name of the record's file, without its quotes.
  package let file: [UInt8]
  /// The record's line in the file, from 1.
  package let line: Int
  /// The offset of the record's first byte in the file's text, from 0.
  package let offset: Int
  /// The record's pay key; empty if it has no valid one.
  package let payKey: [UInt8]
  /// The keys of a refund and of an agreement; each is empty if the record does not name one.
  package let refundKey: [UInt8]
  package let preapprovalKey: [UInt8]
  /// The outcome of the record: rejected, pending or held.
  package let outcome: Outcome
  /// The error; nil for a pending or held payment.
  package let reason: RejectionReason?
  /// The JSON Pointer of the field; empty for the record as a whole.
  package let field: [UInt8]
  /// The record's control amount; nil if it has none.
  package let control: (currency: Currency, amount: ExactDecimal)?
  /// The message, without its quotes.
  package let message: [UInt8]

  /// Reads the fields of a row that has all of them.
  package init(_ row: ReportRow) throws(RowFault) {
    file = try Self.text(row[Column.file], .file)
    guard !file.isEmpty else { throw RowFault(Column.file, "a row has the name of its file") }
    guard let line = ReportField.count(row[Column.line]), line >= 1 else {
      throw RowFault(Column.line, "lines are numbered from 1")
    }
    guard let offset = ReportField.count(row[Column.offset]), offset >= line - 1 else {
      throw RowFault(Column.offset, "an offset is a number of bytes, one at least for each line before")
    }
    self.line = line
    self.offset = offset
    let payKey = row[Column.payKey]
    guard payKey.isEmpty || ReportField.isPayKey(payKey) else { throw RowFault(Column.payKey, "not a pay key") }
    self.payKey = [UInt8](payKey)
    (refundKey, preapprovalKey) = (row.bytes(Column.refundKey), row.bytes(Column.preapprovalKey))
    guard refundKey.isEmpty || ReportField.isPayKey(row[Column.refundKey]) else {
      throw RowFault(Column.refundKey, "not a refund key")
    }
    guard preapprovalKey.isEmpty || ReportField.isPayKey(row[Column.preapprovalKey]) else {
      throw RowFault(Column.preapprovalKey, "not a preapproval key")
    }
    guard let outcome = ExceptionsReport.outcomes.first(where: { ReportField.is($0.name, row[Column.outcome]) }) else {
      throw RowFault(Column.outcome, "an outcome is REJECTED, PENDING or HELD")
    }
    self.outcome = outcome
    field = try Self.text(row[Column.field], .field)
    reason = outcome == .rejected ? try Self.reason(row) : nil
    if outcome != .rejected { try Self.checkUnsettled(row, outcome) }
    if reason == .unknownField {
      try Self.expectNoControl(field, .field)
      guard field.first == UInt8(ascii: "/") else { throw RowFault(Column.field, "a JSON Pointer begins with /") }
    } else if !field.allSatisfy({ ASCIIClass.of($0) & ASCIIClass.alphanumeric != 0 || "/_".utf8.contains($0) }) {
      throw RowFault(Column.field, "a field is a JSON Pointer of the fields of a record")
    }
    control = try Self.control(row, outcome, reason)
    message = try Self.message(row[Column.message])
  }

  private static func reason(_ row: ReportRow) throws(RowFault) -> RejectionReason {
    let code = row[Column.code]
    guard let reason = RejectionReason.allCases.first(where: { ReportField.is($0.code, code) }) else {
      throw RowFault(Column.code, "not a code of the error table")
    }
    guard row[Column.field].isEmpty == (reason.isStructural || reason.target == .record) else {
      throw RowFault(Column.field, "errors of the record as a whole have no field, others have one")
    }
    let hasKey = !row[Column.payKey].isEmpty
    if reason.isStructural, hasKey { throw RowFault(Column.payKey, "no pay key with a structural error") }
    let isOfRefund = reason == .duplicateRefundKey || reason == .alreadyRefunded
    if reason.target == .key, isOfRefund ? row[Column.refundKey].isEmpty : !hasKey {
      throw RowFault(isOfRefund ? Column.refundKey : .payKey, "an error of a key has one")
    }
    let identifier = reason.payPalErrorID.map { "\($0)" } ?? ""
    guard row[Column.paypalErrorId].isEqual(to: identifier.utf8Span.span) else {
      throw RowFault(Column.paypalErrorId, "the code's is \(identifier.isEmpty ? "none" : identifier)")
    }
    return reason
  }

  private static func checkUnsettled(_ row: ReportRow, _ outcome: Outcome) throws(RowFault) {
    let status = outcome == .pending ? PaymentStatus.created : .other
    guard ReportField.is(status.spelling, row[Column.code]) else {
      throw RowFault(Column.code, "a \(outcome.name) payment has \(status.name)")
    }
    guard ReportField.is("/status", row[Column.field]) else {
      throw RowFault(Column.field, "a \(outcome.name) payment points to /status")
    }
    if row[Column.payKey].isEmpty { throw RowFault(Column.payKey, "a \(outcome.name) payment has a pay key") }
    if !row[Column.paypalErrorId].isEmpty { throw RowFault(Column.paypalErrorId, "there is no error") }
  }

  private static func control(
    _ row: ReportRow, _ outcome: Outcome, _ reason: RejectionReason?
  ) throws(RowFault) -> (currency: Currency, amount: ExactDecimal)? {
    let code = row[Column.currency]
    let amount = row[Column.amount]
    if code.isEmpty, amount.isEmpty {
      guard outcome == .rejected else { throw RowFault(Column.amount, "a \(outcome.name) payment has an amount") }
      return nil
    }
    guard let currency = Currency.find(code) else {
      throw RowFault(Column.currency, "a currency is a code that settle currencies lists")
    }
    // A record without receivers also has a control amount: zero.
    guard let value = ReportField.amount(amount, currency), !value.isNegative, !value.isZero || outcome == .rejected
    else {
      throw RowFault(
        Column.amount, "no amount of such a record in \(currency.code), with \(currency.settlementExponent) decimals")
    }
    if reason?.isStructural == true {
      throw RowFault(Column.amount, "a record with a structural error has no amount")
    }
    return (currency, value)
  }

  private static func message(_ field: Span<UInt8>) throws(RowFault) -> [UInt8] {
    let message = try text(field, .message)
    guard !message.isEmpty else { throw RowFault(Column.message, "every row says what is wrong") }
    try expectNoControl(message, .message)
    return message
  }

  private static func expectNoControl(_ text: [UInt8], _ column: Column) throws(RowFault) {
    let hasControl = text.indices.contains { place in
      UTF8Text.control(text.span, at: place, length: UTF8Text.sequenceLength(text.span, at: place)) != nil
    }
    if hasControl { throw RowFault(column, "has a control character") }
  }

  private static func text(_ field: Span<UInt8>, _ column: Column) throws(RowFault) -> [UInt8] {
    guard let text = ReportField.unquoted(field) else { throw RowFault(column, "is not quoted correctly") }
    return text
  }
}
