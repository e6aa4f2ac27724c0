import Console
import ExactArithmetic
import Failures
import JSON
import Money
import Documents

/// Searches `receivers.csv` for what an account received.
struct AccountSearch: NightSearch {
  private typealias Column = ReceiversReport.Column

  /// The columns that are added up.
  private static let figures: [Column] = [.payments, .gross, .passedOn, .fee, .net, .refunds, .refundNet, .payout]
  private static let counts: [Column] = [.payments, .refunds]

  /// A row, or a sum of rows.
  private struct Row {
    let currency: Currency
    /// In the order of ``figures``.
    var values: [ExactDecimal]
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
      for column in Self.figures {
        values.append(
          Self.counts.contains(column) ? ExactDecimal(try row.count(column)) : try row.amount(column, currency))
      }
      rows.append(Row(currency: currency, values: values))
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
    try found.show(night) {
      Self.table(rows)
    } json: {
      rows.map(json)
    }
    if listsPayments { try AccountPayments(account: account, asSender: false).show(night, reports, found) }
  }

  func finish(_ found: FoundNights) throws(Failure) {
    guard nights > 0 else { return }
    let sums = sums.sorted { $0.currency < $1.currency }
    try found.showSum {
      ["sum of \(Terminal.count(nights, "night"))"] + Self.table(sums).map { "  " + $0 }
    } json: {
      sums.map(json)
    }
  }

  private static func table(_ rows: [Row]) -> [String] {
    ClosingTable.table(
      ["currency", "payments", "gross", "passed on", "fee", "net", "refunds", "refund net", "payout"],
      rows.map { row in [row.currency.code] + row.values.map(ClosingTable.grouped) })
  }

  private func json(_ row: Row) -> [(String, JSONTree)] {
    [("account", .string(account)), ("currency", .string(row.currency.code))]
      + zip(Self.figures, row.values).map { column, value in
        let digits = Array(value.description.utf8)
        return (column.key, Self.counts.contains(column) ? .number(digits) : .string(digits))
      }
  }
}
