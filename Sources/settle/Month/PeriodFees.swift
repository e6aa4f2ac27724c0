import Accounts
import Console
import Failures
import Ledger
import Records
import Text

/// What `settle fees` shows of a period: what accounts were charged, for invoices to them.
struct PeriodFees {
  let days: ClosedRange<CalendarDay>
  /// In lower case; empty for all.
  let accounts: [[UInt8]]

  private static let columns: [ListColumn<AccountFees.Row>] = [
    ListColumn("currency", title: "") { $0.currency },
    ListColumn("name") { $0.name },
    ListColumn("payments") { $0.payments },
    ListColumn("fee") { $0.sums.fee },
    ListColumn("vat") { $0.sums.vat },
    ListColumn("refunds") { $0.refunds },
    ListColumn("fee_returned", title: "fee returned") { $0.sums.feeReturned },
    ListColumn("vat_returned", title: "vat returned") { $0.sums.vatReturned },
    ListColumn("total") { $0.total },
  ]

  func show(_ ledger: LedgerReading, as format: ListFormat) throws(Failure) {
    ledger.noticeEmpty(days)
    let rows = try ledger.fees(in: days, of: accounts.isEmpty ? nil : Set(accounts))
    let charged = accounts.isEmpty ? [] : Set(rows.map(\.account))
    for account in accounts where !charged.contains(account) {
      Log.warning(
        "\(MessageText.identifier(account)) was charged nothing from \(days.lowerBound.text) to \(days.upperBound.text)"
      )
    }
    if rows.isEmpty, format == .table { return try Terminal.emit(["No fees were charged."]) }
    try Listing([ListColumn("account") { $0.account }] + Self.columns).emit(rows, as: format)
    guard format == .table else { return }
    var sums: [String: AccountFees.Row] = [:]
    for row in rows {
      let key = "\(row.currency.code) \(String(decoding: row.name, as: UTF8.self))"
      sums[key, default: AccountFees.Row(row.currency, name: row.name)].add(row)
    }
    try Terminal.emit([""])
    try Listing(Self.columns).emit(sums.sorted { $0.key < $1.key }.map(\.value), as: .table)
  }
}
