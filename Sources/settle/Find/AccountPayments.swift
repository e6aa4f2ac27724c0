import Failures
import JSON
import Records
import Documents
import Text

/// Lists an account's rows of `settlement.csv`: those in which it is a receiver, or those in which it is the sender.
struct AccountPayments {
  private typealias Column = SettlementReport.Column
  private static let columns: [Column] = [.payKey, .refundKey, .kind, .role, .currency, .gross, .passedOn, .fee, .net]
  /// The rows that are written at a time, with aligned columns.
  private static let rowsAtOnce = 1000

  /// In lower case.
  let account: [UInt8]
  let asSender: Bool

  /// Passes on its rows in a night.
  func forEachRow(
    in reports: ReportSearch, _ take: (FoundRow) throws(Failure) -> Void
  ) throws(Failure) {
    try reports.forEachRow(of: .settlement, where: [Column.account], are: account) { row throws(Failure) in
      let isSender = row.bytes(Column.role).elementsEqual(PartyRole.sender.name.description.utf8)
      if isSender == asSender { try take(row) }
    }
  }

  func show(_ night: Night, _ reports: ReportSearch, _ found: FoundNights) throws(Failure) {
    var rows: [[String]] = []
    func show() throws(Failure) {
      try found.show(night) {
        ClosingTable.table(
          ["payment", "refund", "kind", "role", "currency", "gross", "passed on", "fee", "net"],
          rows.map { $0[..<5] + $0[5...].map(ClosingTable.grouped) }, texts: 5)
      } json: {
        rows.map { row in
          [("account", .string(account))]
            + zip(Self.columns, row).map { ($0.key, $1.isEmpty ? JSONTree.null : .string($1)) }
        }
      }
      rows.removeAll(keepingCapacity: true)
    }
    try forEachRow(in: reports) { row throws(Failure) in
      let currency = try row.currency(Column.currency)
      for column in Self.columns[5...] { _ = try row.amount(column, currency) }
      rows.append(Self.columns.map { MessageText.identifier(row.bytes($0), limit: .max) })
      if rows.count == Self.rowsAtOnce { try show() }
    }
    if !rows.isEmpty { try show() }
  }
}
