import BatchFile
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
  ]

  @Test("parts of 18 digits", arguments: cases)
  func parts(amount: String, isWide: Bool, parts: [String]) throws {
    let amount = try #require(ExactDecimal(amount))
    #expect(WideAmount.isWide(amount) == isWide)
    var wide = WideAmount()
    wide.add(amount)
    #expect(wide.parts.map(\.description) == parts)
    #expect(wide.lowest(of: amount) == wide.parts[0])
  }

  @Test("the sum of the parts is the amount, and parts add up each for itself")
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
        var alone = WideAmount()
        alone.add(amount)
        for part in alone.parts {
          #expect(part < WideAmount.threshold && !part.isNegative, "\(random.reproduction)")
        }
        wide.add(amount)
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

  @Test("what accounts got in higher parts is read from the transactions")
  func balances() throws {
    let transaction = """
       * "A.E18"
        Assets:Sender:A-40b-2Ec  -2 USD.E36
        Assets:Sender:A-40b-2Ec  -7.50 USD
        Assets:Receiver:4915112345  2 USD.E36
        Assets:Receiver:4915112345  7.50 USD

      """
    var wide = WideBalances()
    #expect(wide.isEmpty)
    let bytes = Array(transaction.utf8)
    for _ in 0..<3 { bytes.withUnsafeBufferPointer { wide.take($0) } }
    #expect(!wide.isEmpty)
    let usd = try #require(Currency(code: "USD"))
    #expect(wide.highestParts[Int(usd.index)] == 2)
    let balance = try #require(ExactDecimal("6e36")) + ExactDecimal(3050, exponent: -2)
    let parts = wide.balance("Assets:Receiver:4915112345", usd, of: balance).parts
    #expect(parts.map(\.description) == ["30.50", "0", "6"])
    #expect(wide.balance("Assets:Receiver:B-40b-2Ec", usd, of: ExactDecimal(5)).parts.map(\.description) == ["5"])
  }
}
