import BatchRun
import ExactArithmetic
import Money
import Postings
import TestSupport
import Testing
import Text

@Suite("receivers.csv with refunds")
struct SettledAccountsTests {
  private final class Text: ReportWriter {
    var bytes: [UInt8] = []
    func write(_ bytes: UnsafePointer<UInt8>, count: Int) {
      self.bytes += UnsafeBufferPointer(start: bytes, count: count)
    }
  }

  private static let currencies = ["EUR", "JPY", "USD"].map { Currency(code: $0)! }

  private static func add(_ amount: Int, _ side: AccountSide, _ key: String, to totals: AccountTotals) {
    let parts = key.split(separator: ",").map(String.init)
    let currency = currencies.first { $0.code == parts[1] }!
    func decimal(_ value: Int) -> ExactDecimal { ExactDecimal(value, exponent: -currency.settlementExponent) }
    let sums = AccountSums(payments: 1, gross: decimal(amount), passedOn: decimal(0), fee: decimal(0))
    Array(parts[0].utf8).withUnsafeBufferPointer {
      totals.add(AccountBalance(side: side, account: $0, currency: currency, sums: sums))
    }
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
      let header = "account,currency,payments,gross,passed_on,fee,net,refunds,refund_net,payout\n"
      for threads in [1, 2, 7] {
        let written = Text()
        try written.writeReceivers(SettledAccounts(payments: payments, refunds: refunds), threads: threads)
        #expect(
          written.bytes == Array((header + rows.joined()).utf8), "\(most) accounts, \(threads) threads, \(random.seed)")
      }
    }
  }
}
