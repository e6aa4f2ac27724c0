import Documents
import Money
import Records
import Rules

/// Audits `preapprovals.csv`. No other report is about agreements, so it checks only the form of the rows.
struct PreapprovalsAudit {
  private typealias Column = PreapprovalsReport.Column

  private var before: [UInt8] = []

  /// Checks the next row.
  mutating func check(_ fields: ReportRow) throws(RowFault) {
    let key = fields[Column.preapprovalKey]
    guard ReportField.isPayKey(key), before.span.precedes(key) else {
      throw RowFault(Column.preapprovalKey, "agreements are in the order of their keys")
    }
    let known = [Agreement.Status.pending, .active, .canceled].map(\.rawValue)
    guard known.contains(where: { $0.utf8Span.span.isEqual(to: fields[Column.status]) })
    else { throw RowFault(Column.status, "a status is PENDING, ACTIVE or CANCELED") }
    let sender = fields.text(Column.sender)
    guard sender.isEmpty || Account.canonical(sender.utf8).map({ $0.elementsEqual(sender.utf8) }) == true else {
      throw RowFault(Column.sender, "an account is an email address or a phone number, in lower case")
    }
    guard let currency = Currency.find(fields[Column.currency]) else {
      throw RowFault(Column.currency, "a currency is a code that settle currencies lists")
    }
    guard ReportField.count(fields[Column.payments]) != nil else {
      throw RowFault(Column.payments, "a number of payments is written in digits")
    }
    guard let amount = ReportField.amount(fields[Column.amount], currency), !amount.isNegative else {
      throw RowFault(Column.amount, "an amount of zero or more in \(currency.code)")
    }
    before = fields.bytes(Column.preapprovalKey)
  }
}
