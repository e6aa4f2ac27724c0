import Console
import ExactArithmetic
import Failures
import JSON
import Money
import Documents

/// Searches `receivers.csv` for what an account received.
struct AccountSearch: NightSearch {
  private typealias Column = ReceiversReport.Column

  /// A row, or a sum of rows.
  private struct Row {
    let account: [UInt8]
    let currency: Currency
    /// In the order of ``figures``.
    var values: [ExactDecimal]

    /// The columns that are added up, with the headings of tables.
    static let figures: [(column: Column, title: String)] = [
      (.payments, "payments"), (.gross, "gross"), (.passedOn, "passed on"), (.fee, "fee"), (.net, "net"),
      (.refunds, "refunds"), (.refundNet, "refund net"), (.payout, "payout"),
    ]
    static let counts: [Column] = [.payments, .refunds]

    static let columns = Listing<Row>(
      [
        ListColumn("account", title: nil) { $0.account },
        ListColumn("currency") { $0.currency },
      ]
        + figures.enumerated().map { place, figure in
          ListColumn(figure.column.key, title: figure.title, kind: .amount) { row -> JSONTree in
            let digits = Array(row.values[place].description.utf8)
            return counts.contains(figure.column) ? .number(digits) : .string(digits)
          }
        })
  }

  private let account: [UInt8]
  private let listsPayments: Bool
  private var sums: [Row] = []
  private var nights = 0

  /// - Parameter account: in lower case.
  init(_ account: [UInt8], listsPayments: Bool) {
    (self.account, self.listsPayments) = (account, listsPayments)
  }

  mutating func look(at night: Night, _ reports: ReportSearch?, _ found: FoundNights) throws(Failure) {
    guard let reports else { return }
    var rows: [Row] = []
    try reports.forEachRow(of: .receivers, sortedAt: account) { row throws(Failure) in
      let currency = try row.currency(Column.currency)
      var values: [ExactDecimal] = []
      for (column, _) in Row.figures {
        values.append(
          Row.counts.contains(column) ? ExactDecimal(try row.count(column)) : try row.amount(column, currency))
      }
      rows.append(Row(account: account, currency: currency, values: values))
    }
    guard !rows.isEmpty else { return }
    nights += 1
    for row in rows {
      if let place = sums.firstIndex(where: { $0.currency == row.currency }) {
        sums[place].values = zip(sums[place].values, row.values).map { $0 + $1 }
      } else {
        sums.append(row)
      }
    }
    try found.show(rows, of: night, as: Row.columns)
    if listsPayments { try AccountPayments(account: account, asSender: false).show(night, reports, found) }
  }

  func finish(_ found: FoundNights) throws(Failure) {
    guard nights > 0 else { return }
    try found.showSum(
      sums.sorted { $0.currency < $1.currency }, as: Row.columns, heading: "sum of \(Terminal.count(nights, "night"))")
  }
}
