import ExactArithmetic
import Money
import TestSupport
import Testing

@testable import Journals

@Suite("Amounts in parts")
struct WideAmountTests {
  static let cases: [(amount: String, isWide: Bool, parts: [String])] = [
    ("0.00", false, ["0.00"]), ("0", false, ["0"]), ("1.05", false, ["1.05"]),
    ("999999999999999999.99", false, ["999999999999999999.99"]),
    ("1000000000000000000.00", true, ["0.00", "1"]), ("1000000000000000000", true, ["0", "1"]),
    ("18446744073709551616", true, ["446744073709551616", "18"]),
    ("1000000000000000001.07", true, ["1.07", "1"]),
    ("1000000000000000000000000000000000000.00", true, ["0.00", "0", "1"]),
    ("1234567890123456789012345678901234567890.12", true, ["345678901234567890.12", "567890123456789012", "1234"]),
    ("-999999999999999999.99", false, ["-999999999999999999.99"]), ("-1000000000000000000", true, ["0", "-1"]),
    ("-1000000000000000001.07", true, ["-1.07", "-1"]),
  ]

  @Test("parts of 18 digits", arguments: cases)
  func parts(amount: String, isWide: Bool, parts: [String]) throws {
    let amount = try #require(ExactDecimal(amount))
    #expect(WideAmount.isWide(amount) == isWide)
    let wide = WideAmount(amount)
    #expect(wide.parts.map(\.description) == parts)
    #expect(wide.lowest(of: amount) == wide.parts[0])
  }

  @Test("the sum of the parts is the amount, and the parts add up separately")
  func sums() throws {
    var random = SeededGenerator()
    for _ in 0..<500 {
      let decimals = Bool.random(using: &random) ? 2 : 0
      var sum = ExactDecimal(magnitude: 0, exponent: -decimals)
      var wide = WideAmount()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        var digits = "0"
        for _ in 0..<Int.random(in: 0...130, using: &random) {
          digits += Int.random(in: 0...3, using: &random) == 0 ? "0" : "\(Int.random(in: 0...9, using: &random))"
        }
        let integer = digits.drop { $0 == "0" }
        let whole = try #require(ExactDecimal(integer.isEmpty ? "0" : String(integer)))
        let amount = whole * ExactDecimal(magnitude: 1, exponent: -decimals)
        for (number, part) in WideAmount(amount).parts.enumerated() {
          #expect(part < WideAmount.threshold && !part.isNegative, "\(random.reproduction)")
          wide.add(part, at: number)
        }
        sum.add(amount)
      }
      var total = ExactDecimal.zero
      for (number, part) in wide.parts.enumerated() {
        total.add(part * ExactDecimal(magnitude: 1, exponent: WideAmount.digits * number))
      }
      #expect(total == sum, "\(random.reproduction)")
      #expect(wide.lowest(of: sum) == wide.parts[0], "\(random.reproduction)")
    }
  }

  @Test("amounts in higher parts count only if the payment is settled")
  func balances() throws {
    let usd = try #require(Currency(code: "USD"))
    let amount = try #require(ExactDecimal("2000000000000000003000000000000000007.50"))
    let entries = WideEntries()
    let share = WideEntries.Share(account: "A", amount: WideAmount(amount))
    let numbers = (0..<4).map { _ in entries.keep([share], usd) }
    let balance = amount + amount + amount + ExactDecimal(800, exponent: -2)
    #expect(entries.highestPart(usd) == 0 && entries.balance("A", usd, of: balance) == [balance])
    for number in numbers.dropFirst() { entries.settle(number) }
    #expect(entries.highestPart(usd) == 2)
    #expect(entries.balance("A", usd, of: balance).map(\.description) == ["30.50", "9", "6"])
    #expect(entries.balance("B", usd, of: ExactDecimal(5)).map(\.description) == ["5"])
    // A smaller amount after it has fewer parts.
    entries.settle(entries.keep([WideEntries.Share(account: "B", amount: WideAmount(WideAmount.threshold))], usd))
    #expect(entries.highestPart(usd) == 2)
  }
}
