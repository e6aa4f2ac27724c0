import BatchFile
import ExactArithmetic
import Settlement
import TestSupport
import Testing

@testable import BatchRun

@Suite("Account totals, against a dictionary")
struct AccountTotalsTests {
  struct Sums: Equatable {
    var payments = 0
    var gross: [ExactDecimal] = []
    var passedOn: [ExactDecimal] = []
    var fee: [ExactDecimal] = []
  }

  static func rows(_ totals: AccountTotals, threads: Int = 2) -> [String] {
    var written = TextBuffer()
    totals.write(threads: threads) { text, count in written.append(text, count: count) }
    return written.string.split(separator: "\n").map(String.init)
  }

  private static func row(_ key: String, _ sums: Sums) -> String {
    func sum(_ figures: [ExactDecimal]) -> ExactDecimal { figures.dropFirst().reduce(figures[0]) { $0 + $1 } }
    let net = sum(sums.gross) - sum(sums.passedOn) - sum(sums.fee)
    return "\(key),\(sums.payments),\(sum(sums.gross)),\(sum(sums.passedOn)),\(sum(sums.fee)),\(net)"
  }

  /// Posts to one account and currency as a worker does.
  private static func post(_ figures: [UInt64], _ key: String, to totals: AccountTotals) {
    // Something before the text, so that its offset counts.
    let text = Array("xx\(key)".utf8)
    let hash = text.withUnsafeBufferPointer { totals.hash.shortHash($0.baseAddress! + 2, count: text.count - 2) }
    let posting = AccountPosting(
      hash: hash, offset: 2, length: text.count - 2, gross: figures[0], passedOn: figures[1], fee: figures[2])
    totals.post([posting], shard: AccountTotals.shard(of: hash), text: text)
  }

  @Test("sums by account and currency, past 2^64, in the order of accounts and currencies")
  func agreesWithDictionary() {
    var random = SeededGenerator()
    let totals = AccountTotals()
    var expected: [String: Sums] = [:]
    let currencies = [("JPY", 0), ("USD", -2), ("EUR", -2)]
    for _ in 0..<12_000 {
      let (currency, exponent) = currencies.randomElement(using: &random)!
      // Few short accounts that continue each other, many others.
      let account = ["a@b.co", "a@b.com", "a@b.co.uk", "a@b.co-x.uk", "+1402935205", "+14029352050"].randomElement(
        using: &random)!
      let name = Bool.random(using: &random) ? account : "r\(Int.random(in: 0..<3000, using: &random))@b.example"
      let key = "\(name),\(currency)"
      let figures = (0..<3).map { _ in
        Int.random(in: 0..<20, using: &random) == 0 ? random.next() : UInt64.random(in: 0..<100_000, using: &random)
      }
      Self.post(figures, key, to: totals)
      var sums = expected[key] ?? Sums()
      sums.payments += 1
      sums.gross.append(ExactDecimal(magnitude: figures[0], exponent: exponent))
      sums.passedOn.append(ExactDecimal(magnitude: figures[1], exponent: exponent))
      sums.fee.append(ExactDecimal(magnitude: figures[2], exponent: exponent))
      expected[key] = sums
    }
    let order = expected.keys.sorted { left, right in
      let (a, b) = (left.split(separator: ","), right.split(separator: ","))
      return a[0] == b[0] ? a[1] < b[1] : a[0].utf8.lexicographicallyPrecedes(b[0].utf8)
    }
    let rows = order.map { Self.row($0, expected[$0]!) }
    for threads in [1, 2, 7] { #expect(Self.rows(totals, threads: threads) == rows, "\(random.reproduction)") }
    #expect(totals.count == expected.count)
  }

  @Test(
    "one sum overflows, whichever it is",
    arguments: [[UInt64.max, 0, 0], [0, UInt64.max, 0], [0, 0, UInt64.max], [UInt64.max, UInt64.max, UInt64.max]])
  func overflows(figures: [UInt64]) {
    let totals = AccountTotals()
    var sums = Sums()
    for _ in 0..<3 {
      Self.post(figures, "a@b.example,USD", to: totals)
      sums.payments += 1
      sums.gross.append(ExactDecimal(magnitude: figures[0], exponent: -2))
      sums.passedOn.append(ExactDecimal(magnitude: figures[1], exponent: -2))
      sums.fee.append(ExactDecimal(magnitude: figures[2], exponent: -2))
    }
    #expect(Self.rows(totals) == [Self.row("a@b.example,USD", sums)])
  }

  @Test("what is taken out again leaves the rest, in inline figures and in large ones")
  func takesOut() {
    let totals = AccountTotals()
    var assessor = PaymentAssessor(schedule: .published)
    let line = LineMemory(Array(#"{"payKey":"A","recipient":"a@b.example","subTotal":"1e30"}"#.utf8))
    #expect(assessor.assess(line.bytes, count: line.count) == .record)
    let key = Array("a@b.example,USD".utf8)
    totals.post(assessor.receiver(0), account: key, count: key.count, sign: .adding)
    Self.post([500, 0, 1], "a@b.example,USD", to: totals)
    // 10^30 + 5.00; fees 0.029 x 10^30 + 0.30 + 0.01.
    let gross = "1" + String(repeating: "0", count: 29) + "5.00"
    #expect(Self.rows(totals).map { $0.hasPrefix("a@b.example,USD,2,\(gross),0.00,29") } == [true])
    totals.post(assessor.receiver(0), account: key, count: key.count, sign: .removing)
    #expect(Self.rows(totals) == ["a@b.example,USD,1,5.00,0.00,0.01,4.99"])
    withExtendedLifetime(line) {}
  }

  @Test("an account all of whose payments are taken out again has no row")
  func leavesNothing() {
    let totals = AccountTotals()
    var assessor = PaymentAssessor(schedule: .published)
    let line = LineMemory(Array(#"{"payKey":"A","recipient":"a@b.example","subTotal":"1e30"}"#.utf8))
    #expect(assessor.assess(line.bytes, count: line.count) == .record)
    let key = Array("a@b.example,USD".utf8)
    totals.post(assessor.receiver(0), account: key, count: key.count, sign: .adding)
    totals.post(assessor.receiver(0), account: key, count: key.count, sign: .removing)
    #expect(Self.rows(totals) == [])
    withExtendedLifetime(line) {}
  }
}
