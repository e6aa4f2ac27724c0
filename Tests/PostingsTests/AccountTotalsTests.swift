import ExactArithmetic
import Money
import Postings
import Records
import TestSupport
import Testing
import Text

@Suite("Account totals, compared with a dictionary")
struct AccountTotalsTests {
  /// What one account got in one currency, figure by figure.
  private struct Sums {
    var payments = 0
    var figures = [ExactDecimal.zero, .zero, .zero]
  }

  private static func rows(_ totals: AccountTotals, threads: Int = 2) -> [String] {
    var written = TextBuffer()
    totals.write(
      threads: threads,
      append: { balance, text in
        let (account, sums) = (String(decoding: balance.account), balance.sums)
        text.append(
          "\(account),\(balance.currency.code),\(sums.payments),\(sums.gross),\(sums.passedOn),\(sums.fee),\(sums.net)\n"
        )
      }, { text in written.append(text) })
    return written.string.split(separator: "\n").map(String.init)
  }

  private static func row(_ key: String, _ sums: Sums) -> String {
    let net = sums.figures[0] - sums.figures[1] - sums.figures[2]
    return "\(key),\(sums.payments),\(sums.figures[0]),\(sums.figures[1]),\(sums.figures[2]),\(net)"
  }

  /// Calls `body` with the entry of a payment to one receiver.
  private static func withEntry(
    to account: String, _ currency: Currency, _ figures: [ExactDecimal], _ body: (SettledEntry) -> Void
  ) {
    let account = Array(account.utf8)
    var posting = Posting()
    posting.account = account.indices
    (posting.gross, posting.passedOn, posting.fee) = (figures[0], figures[1], figures[2])
    let postings = [Posting(), posting]
    body(
      SettledEntry(
        payKey: account.span, kind: .simple, currency: currency, postings: postings.span, accounts: account.span,
        refundKey: Span(), placesInPayment: Span()))
  }

  /// Posts to one account and currency as a worker does.
  private static func queue(
    _ figures: [ExactDecimal], to account: String, _ currency: Currency, _ totals: AccountTotals
  ) {
    var queue = PostingQueue(for: totals)
    withEntry(to: account, currency, figures) { queue.add($0, .receiver) }
    queue.post()
  }

  @Test("sums by account and currency, past 2^64, in the order of accounts and currencies; merged parts give the same")
  func agreesWithDictionary() throws {
    var random = SeededGenerator()
    let totals = AccountTotals()
    let parts = (0..<3).map { _ in AccountTotals() }
    var expected: [String: Sums] = [:]
    for _ in 0..<12_000 {
      let currency = try #require(Currency(code: ["JPY", "USD", "EUR"].randomElement(using: &random)!))
      // A few short accounts that begin alike, and many others.
      let account = ["a@b.co", "a@b.com", "a@b.co.uk", "a@b.co-x.uk", "+1402935205", "+14029352050"].randomElement(
        using: &random)!
      let name = Bool.random(using: &random) ? account : "r\(Int.random(in: 0..<3000, using: &random))@b.example"
      let figures = (0..<3).map { _ in
        ExactDecimal(
          magnitude: Int.random(in: 0..<20, using: &random) == 0
            ? random.next() : UInt64.random(in: 0..<100_000, using: &random),
          exponent: -currency.settlementExponent)
      }
      Self.queue(figures, to: name, currency, totals)
      Self.queue(figures, to: name, currency, parts.randomElement(using: &random)!)
      let zero = ExactDecimal(magnitude: 0, exponent: -currency.settlementExponent)
      var sums = expected["\(name),\(currency.code)"] ?? Sums(figures: [zero, zero, zero])
      sums.payments += 1
      for place in 0..<3 { sums.figures[place].add(figures[place]) }
      expected["\(name),\(currency.code)"] = sums
    }
    let order = expected.keys.sorted { left, right in
      let (a, b) = (left.split(separator: ","), right.split(separator: ","))
      return a[0] == b[0] ? a[1] < b[1] : a[0].utf8.lexicographicallyPrecedes(b[0].utf8)
    }
    let rows = order.map { Self.row($0, expected[$0]!) }
    for threads in [1, 2, 7] { #expect(Self.rows(totals, threads: threads) == rows, "\(random.reproduction)") }
    #expect(totals.count == expected.count)
    parts[1].merge(parts[2])
    parts[0].merge(parts[1])
    #expect(Self.rows(parts[0]) == rows, "\(random.reproduction)")
  }

  @Test(
    "one sum overflows, whichever it is",
    arguments: [[UInt64.max, 0, 0], [0, UInt64.max, 0], [0, 0, UInt64.max], [UInt64.max, UInt64.max, UInt64.max]])
  func overflows(magnitudes: [UInt64]) throws {
    let totals = AccountTotals()
    let dollars = try #require(Currency(code: "USD"))
    let figures = magnitudes.map { ExactDecimal(magnitude: $0, exponent: -2) }
    let zero = ExactDecimal(magnitude: 0, exponent: -2)
    var sums = Sums(figures: [zero, zero, zero])
    for _ in 0..<3 {
      Self.queue(figures, to: "a@b.example", dollars, totals)
      sums.payments += 1
      for place in 0..<3 { sums.figures[place].add(figures[place]) }
    }
    #expect(Self.rows(totals) == [Self.row("a@b.example,USD", sums)])
  }

  @Test("what is removed again leaves the rest, in inline figures and in large ones; no row is left for nothing")
  func takesOut() throws {
    let totals = AccountTotals()
    let dollars = try #require(Currency(code: "USD"))
    let gross = "1" + String(repeating: "0", count: 30)
    let large = try [gross + ".00", "0.00", "0.30"].map { try #require(ExactDecimal($0)) }
    let small = try ["5.00", "0.00", "0.01"].map { try #require(ExactDecimal($0)) }
    Self.withEntry(to: "a@b.example", dollars, large) { totals.post($0, .receiver, .adding) }
    Self.queue(small, to: "a@b.example", dollars, totals)
    #expect(
      Self.rows(totals) == [
        "a@b.example,USD,2,\(gross.dropLast())5.00,0.00,0.31,1\(String(repeating: "0", count: 29))4.69"
      ])
    Self.withEntry(to: "a@b.example", dollars, large) { totals.post($0, .receiver, .removing) }
    #expect(Self.rows(totals) == ["a@b.example,USD,1,5.00,0.00,0.01,4.99"])
    Self.withEntry(to: "a@b.example", dollars, small) { totals.post($0, .receiver, .removing) }
    #expect(Self.rows(totals) == [] && totals.count == 0)
  }
}
