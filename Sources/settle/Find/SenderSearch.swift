import Console
import ExactArithmetic
import Failures
import Money
import Records
import Documents

/// Searches `settlement.csv` for what an account sent, and what it got back in refunds.
struct SenderSearch: NightSearch {
  private typealias Column = SettlementReport.Column

  /// The sums of an account's rows in a currency.
  private struct Sum {
    let account: [UInt8]
    let currency: Currency
    var payments = 0
    var refunds = 0
    var (gross, fee, net, refundNet): (ExactDecimal, ExactDecimal, ExactDecimal, ExactDecimal)

    init(_ account: [UInt8], _ currency: Currency) {
      (self.account, self.currency) = (account, currency)
      let zero = ExactDecimal.zero(at: -currency.settlementExponent)
      (gross, fee, net, refundNet) = (zero, zero, zero, zero)
    }

    mutating func add(_ other: Sum) {
      payments += other.payments
      refunds += other.refunds
      gross.add(other.gross)
      fee.add(other.fee)
      net.add(other.net)
      refundNet.add(other.refundNet)
    }

    mutating func add(_ row: FoundRow) throws(Failure) {
      if row.bytes(Column.refundKey).isEmpty {
        payments += 1
        gross.add(try row.amount(Column.gross, currency))
        fee.add(try row.amount(Column.fee, currency))
        net.add(try row.amount(Column.net, currency))
      } else {
        refunds += 1
        refundNet.add(try row.amount(Column.net, currency))
      }
    }

    static let columns = Listing<Sum>([
      ListColumn("account", title: nil) { $0.account },
      ListColumn("role", title: nil) { _ in PartyRole.sender.name.description },
      ListColumn("currency") { $0.currency },
      ListColumn("payments") { $0.payments },
      ListColumn("gross") { $0.gross },
      ListColumn("fee") { $0.fee },
      ListColumn("net") { $0.net },
      ListColumn("refunds") { $0.refunds },
      ListColumn("refundNet", title: "refund net") { $0.refundNet },
    ])
  }

  private let rows: AccountPayments
  private let listsPayments: Bool
  private var sums: [Currency: Sum] = [:]
  private var nights = 0

  /// - Parameter account: in lower case.
  init(_ account: [UInt8], listsPayments: Bool) {
    rows = AccountPayments(account: account, asSender: true)
    self.listsPayments = listsPayments
  }

  mutating func look(at night: Night, _ reports: ReportSearch?, _ found: FoundNights) throws(Failure) {
    guard let reports else { return }
    var sums: [Currency: Sum] = [:]
    try rows.forEachRow(in: reports) { row throws(Failure) in
      let currency = try row.currency(Column.currency)
      try sums[currency, default: Sum(rows.account, currency)].add(row)
    }
    guard !sums.isEmpty else { return }
    nights += 1
    for (currency, sum) in sums { self.sums[currency, default: Sum(rows.account, currency)].add(sum) }
    try found.show(Self.sorted(sums), of: night, as: Sum.columns, heading: "as sender")
    if listsPayments { try rows.show(night, reports, found) }
  }

  func finish(_ found: FoundNights) throws(Failure) {
    guard nights > 0 else { return }
    try found.showSum(
      Self.sorted(sums), as: Sum.columns, heading: "sum of \(Terminal.count(nights, "night")), as sender")
  }

  private static func sorted(_ sums: [Currency: Sum]) -> [Sum] { sums.values.sorted { $0.currency < $1.currency } }
}
