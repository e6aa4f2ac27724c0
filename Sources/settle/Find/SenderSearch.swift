import Console
import ExactArithmetic
import Failures
import JSON
import Money
import Documents

/// Searches `settlement.csv` for what an account sent, and what it got back in refunds.
struct SenderSearch: NightSearch {
  private typealias Column = SettlementReport.Column
  private static let amounts = ["gross", "fee", "net", "refundNet"]

  /// The sums of some rows.
  private struct Sum {
    var payments = 0
    var refunds = 0
    /// In the order of ``amounts``.
    var amounts: [ExactDecimal]

    init(_ currency: Currency) {
      amounts = Array(repeating: .zero(at: -currency.settlementExponent), count: SenderSearch.amounts.count)
    }
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
      var sum = sums[currency] ?? Sum(currency)
      if row.bytes(Column.refundKey).isEmpty {
        sum.payments += 1
        for (place, column) in [Column.gross, .fee, .net].enumerated() {
          sum.amounts[place].add(try row.amount(column, currency))
        }
      } else {
        sum.refunds += 1
        sum.amounts[3].add(try row.amount(Column.net, currency))
      }
      sums[currency] = sum
    }
    guard !sums.isEmpty else { return }
    nights += 1
    for (currency, sum) in sums {
      var all = self.sums[currency] ?? Sum(currency)
      all.payments += sum.payments
      all.refunds += sum.refunds
      for place in sum.amounts.indices { all.amounts[place].add(sum.amounts[place]) }
      self.sums[currency] = all
    }
    try found.show(night) {
      ["as sender"] + Self.table(sums)
    } json: {
      json(sums)
    }
    if listsPayments { try rows.show(night, reports, found) }
  }

  func finish(_ found: FoundNights) throws(Failure) {
    guard nights > 0 else { return }
    try found.showSum {
      ["sum of \(Terminal.count(nights, "night")), as sender"] + Self.table(sums).map { "  " + $0 }
    } json: {
      json(sums)
    }
  }

  private static func table(_ sums: [Currency: Sum]) -> [String] {
    ClosingTable.table(
      ["currency", "payments", "gross", "fee", "net", "refunds", "refund net"],
      sums.sorted { $0.key < $1.key }.map { currency, sum in
        let amounts = sum.amounts.map(ClosingTable.grouped)
        return [currency.code, "\(sum.payments)"] + amounts[..<3] + ["\(sum.refunds)", amounts[3]]
      })
  }

  private func json(_ sums: [Currency: Sum]) -> [[(String, JSONTree)]] {
    sums.sorted { $0.key < $1.key }.map { currency, sum in
      let amounts = zip(Self.amounts, sum.amounts).map { ($0, JSONTree.string($1.description)) }
      return [
        ("account", .string(rows.account)), ("role", .string("SENDER")), ("currency", .string(currency.code)),
        ("payments", .number(sum.payments)),
      ] + amounts[..<3] + [("refunds", .number(sum.refunds)), amounts[3]]
    }
  }
}
