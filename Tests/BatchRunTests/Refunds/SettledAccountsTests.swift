import Documents
import BatchRun
import ExactArithmetic
import FileSystem
import Money
import Postings
import Testing
import TestSupport

@testable import Ledger

@Suite("receivers.csv with refunds")
struct SettledAccountsTests {
  private final class Text: ReportWriter {
    var bytes: [UInt8] = []
    func write(_ text: Span<UInt8>) { bytes.append(text) }
  }

  private static let currencies = ["EUR", "JPY", "USD"].map { Currency(code: $0)! }

  private static func add(_ amount: Int, _ side: AccountSide, _ key: String, to totals: AccountTotals) {
    let parts = key.split(separator: ",").map(String.init)
    let currency = currencies.first { $0.code == parts[1] }!
    func decimal(_ value: Int) -> ExactDecimal { ExactDecimal(value, exponent: -currency.settlementExponent) }
    let sums = AccountSums(payments: 1, gross: decimal(amount), passedOn: decimal(0), fee: decimal(0))
    let account = Array(parts[0].utf8)
    totals.add(AccountBalance(side: side, account: account.span, currency: currency, sums: sums))
  }

  @Test("accounts of payments, of refunds and of both are in order, in whichever ranges threads write them")
  func inOrder() throws {
    var random = SeededGenerator()
    for most in [0, 1, 300, 5000, 30_000] {
      let (payments, refunds) = (AccountTotals(), AccountTotals())
      var expected: [String: (paid: Int?, refunded: Int?)] = [:]
      for _ in 0..<most {
        let key =
          "a\(Int.random(in: 0..<most, using: &random))@x.example,\(Self.currencies.randomElement(using: &random)!.code)"
        if expected[key] != nil { continue }
        var amounts: (paid: Int?, refunded: Int?) = (nil, nil)
        if Int.random(in: 0..<4, using: &random) > 0 { amounts.paid = Int.random(in: 1...99_999, using: &random) }
        if amounts.paid == nil || Bool.random(using: &random) {
          amounts.refunded = Int.random(in: -99_999 ... -1, using: &random)
        }
        if let paid = amounts.paid { Self.add(paid, .receiver, key, to: payments) }
        if let refunded = amounts.refunded { Self.add(refunded, .receiver, key, to: refunds) }
        if Bool.random(using: &random) { Self.add(1, .sender, key, to: payments) }
        expected[key] = amounts
      }
      if most > 0 {
        // All that it got is refunded.
        Self.add(5, .receiver, "y@x.example,USD", to: payments)
        Self.add(-5, .receiver, "y@x.example,USD", to: refunds)
        expected["y@x.example,USD"] = (5, -5)
        Self.add(-7, .receiver, "z@x.example,USD", to: refunds)
        expected["z@x.example,USD"] = (nil, -7)
      }
      let rows = expected.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }.map {
        key, amounts in
        let places = key.hasSuffix("JPY") ? 0 : 2
        func text(_ amount: Int?) -> String { ExactDecimal(amount ?? 0, exponent: -places).description }
        let (paid, refunded) = (amounts.paid, amounts.refunded)
        return "\(key),\(paid == nil ? 0 : 1),\(text(paid)),\(text(0)),\(text(0)),\(text(paid)),"
          + "\(refunded == nil ? 0 : 1),\(text(refunded)),\(text((paid ?? 0) + (refunded ?? 0)))\n"
      }
      let folder = try TemporaryFolder()
      let header = "account,currency,payments,gross,passed_on,fee,net,refunds,refund_net,payout\n"
      for threads in [1, 2, 7] {
        let written = Text()
        try written.writeReceivers(SettledAccounts(payments: payments, refunds: refunds), threads: threads)
        #expect(
          written.bytes == Array((header + rows.joined()).utf8), "\(most) accounts, \(threads) threads, \(random.seed)")
        let again = Text()
        let balances = try AccountEntries(beside: OutputPlace(path: folder.path("out")))
        try again.writeReceivers(
          SettledAccounts(payments: payments, refunds: refunds), threads: threads, balances: balances)
        #expect(again.bytes == written.bytes)
        try balances.finish()
        #expect(
          try Self.amounts(balances) == Self.payouts(String(decoding: written.bytes, as: UTF8.self)),
          "\(most) accounts, \(threads) threads, \(random.seed)")
      }
    }
  }

  /// What a ledger books for each account and currency.
  private static func amounts(_ entries: AccountEntries) throws -> [String] {
    let stream = AccountStream(entries)
    var amounts: [String] = []
    while try stream.next() {
      amounts.append("\(String(decoding: stream.account, as: UTF8.self)),\(stream.currency.code),\(stream.amount)")
    }
    return amounts
  }

  /// The payouts other than zero, by the names of the columns.
  private static func payouts(_ report: String) -> [String] {
    let rows = report.split(separator: "\n").map { $0.split(separator: ",") }
    let columns = ["account", "currency", "payout"].map { name in rows[0].firstIndex { $0 == name }! }
    return rows.dropFirst().map { row in columns.map { row[$0] } }
      .filter { $0[2].contains { "1"..."9" ~= $0 } }.map { $0.joined(separator: ",") }
  }
}
