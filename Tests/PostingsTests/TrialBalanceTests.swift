import ExactArithmetic
import Postings
import Testing

@Suite("What payments and refunds moved")
struct TrialBalanceTests {
  /// Figures that all differ: 1 and 2 records; 0.01, 0.02 and so on.
  private static func moved(times factor: Int = 1) -> TrialBalance {
    var moved = TrialBalance(exponent: -2)
    for (place, part) in TrialBalance.parts.enumerated() { moved[keyPath: part.count.path] = (place + 1) * factor }
    for (place, sum) in TrialBalance.parts.flatMap(\.sums).enumerated() {
      moved[keyPath: sum.path] = ExactDecimal((place + 1) * factor, exponent: -2)
    }
    return moved
  }

  @Test("every figure has a name, in the order of the files")
  func namesFigures() {
    #expect(
      Self.moved().texts.map { "\($0.name) \($0.text)" } == [
        "payments 1", "senderAmount 0.01", "senderFees 0.02", "receiverNet 0.03", "fees 0.04", "refunds 2",
        "refunded 0.05", "receiverDebit 0.06", "feesReturned 0.07",
      ])
    // A field that is in no table would be lost wherever figures are added or written.
    let stored = Mirror(reflecting: Self.moved()).children.compactMap(\.label)
    #expect(stored.sorted() == Self.moved().texts.map(\.name).sorted())
  }

  @Test("figures are added one by one")
  func adds() {
    var sum = Self.moved()
    sum.add(Self.moved(times: 10))
    #expect(sum == Self.moved(times: 11))
  }

  @Test("what follows from figures")
  func derives() {
    let moved = Self.moved()
    #expect(moved.paymentBalance == ExactDecimal(1 + 2 - 3 - 4, exponent: -2))
    #expect(moved.refundBalance == ExactDecimal(5 - 6 - 7, exponent: -2))
    #expect(moved.balance == moved.paymentBalance - moved.refundBalance)
    #expect(moved.receiverBalance == ExactDecimal(3 - 6, exponent: -2))
    #expect(moved.feesKept == ExactDecimal(4 - 7, exponent: -2))
  }

  @Test("a sum without a record is a change, too")
  func isTouched() {
    #expect(!TrialBalance(exponent: -2).isTouched && !TrialBalance(exponent: -2).isUsed)
    for sum in TrialBalance.parts.flatMap(\.sums) {
      var moved = TrialBalance(exponent: -2)
      moved[keyPath: sum.path] = ExactDecimal(1, exponent: -2)
      #expect(moved.isTouched && !moved.isUsed)
    }
    for part in TrialBalance.parts {
      var moved = TrialBalance(exponent: -2)
      moved[keyPath: part.count.path] = 1
      #expect(moved.isTouched && moved.isUsed)
    }
  }
}
