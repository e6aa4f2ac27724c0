import Documents
import ExactArithmetic
import Failures
import Money
import Records
import Text

/// Lists an account's rows of `settlement.csv`: those in which it is a receiver, or those in which it is the sender.
struct AccountPayments {
  private typealias Column = SettlementReport.Column
  /// The rows that are written at a time, with aligned columns.
  private static let rowsAtOnce = 1000

  /// A row of the account.
  private struct Row {
    let account: [UInt8]
    /// In the order of ``texts``.
    let texts: [String]
    /// In the order of ``figures``.
    let amounts: [ExactDecimal]

    static let texts: [(column: Column, title: String)] = [
      (.payKey, "payment"), (.refundKey, "refund"), (.kind, "kind"), (.role, "role"), (.currency, "currency"),
    ]
    static let figures: [(column: Column, title: String)] = [
      (.gross, "gross"), (.passedOn, "passed on"), (.fee, "fee"), (.net, "net"),
    ]

    static let columns = Listing<Row>(
      [ListColumn("account", title: nil) { $0.account }]
        + texts.enumerated().map { place, text in ListColumn(text.column.key, title: text.title) { $0.texts[place] } }
        + figures.enumerated().map { place, figure in
          ListColumn(figure.column.key, title: figure.title) { $0.amounts[place] }
        })
  }

  /// In lower case.
  let account: [UInt8]
  let asSender: Bool
  /// The currency of the rows; nil for all.
  var currency: Currency?

  /// Passes on its rows in a night.
  func forEachRow(
    in reports: ReportSearch, _ take: (FoundRow) throws(Failure) -> Void
  ) throws(Failure) {
    try reports.forEachRow(of: .settlement, where: [Column.account], are: account) { row throws(Failure) in
      let isSender = row.bytes(Column.role).elementsEqual(PartyRole.sender.name.description.utf8)
      guard isSender == asSender else { return }
      if let currency, try row.currency(Column.currency) != currency { return }
      try take(row)
    }
  }

  /// - Parameter each: takes the net of each row.
  func show(
    _ night: Night, _ reports: ReportSearch, _ found: FoundNights, each: (ExactDecimal) -> Void = { _ in }
  ) throws(Failure) {
    var rows: [Row] = []
    try forEachRow(in: reports) { row throws(Failure) in
      let currency = try row.currency(Column.currency)
      var amounts: [ExactDecimal] = []
      for (column, _) in Row.figures { amounts.append(try row.amount(column, currency)) }
      each(amounts.last!)
      rows.append(
        Row(
          account: account, texts: Row.texts.map { MessageText.identifier(row.bytes($0.column), limit: .max) },
          amounts: amounts))
      guard rows.count == Self.rowsAtOnce else { return }
      try found.show(rows, of: night, as: Row.columns)
      rows.removeAll(keepingCapacity: true)
    }
    if !rows.isEmpty { try found.show(rows, of: night, as: Row.columns) }
  }
}
