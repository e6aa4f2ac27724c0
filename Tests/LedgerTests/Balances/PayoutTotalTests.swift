import ExactArithmetic
import Ledger
import Money
import Testing

@Suite("The figures of a payout")
struct PayoutTotalTests {
  @Test("every figure is in a table, in which it is written, read and compared")
  func namesFigures() {
    let named =
      PayoutTotal.amounts.map(\.name) + ([PayoutTotal.adjustment] + PayoutTotal.held).map(\.name)
      + PayoutTotal.counts.map(\.name) + ["currency"]
    let stored = Mirror(reflecting: PayoutTotal(Currency.all[0])).children.compactMap(\.label)
    #expect(stored.sorted() == named.sorted())
  }

  @Test("the closing balance follows from the others")
  func closes() {
    var total = PayoutTotal(Currency(code: "EUR")!)
    total.opening = ExactDecimal(1, exponent: -2)
    total.settled = ExactDecimal(20, exponent: -2)
    total.returned = ExactDecimal(300, exponent: -2)
    total.paid = ExactDecimal(4000, exponent: -2)
    #expect(total.expectedClosing == ExactDecimal(-3679, exponent: -2))
    total.adjusted = ExactDecimal(50_000, exponent: -2)
    #expect(total.expectedClosing == ExactDecimal(46_321, exponent: -2))
  }
}
