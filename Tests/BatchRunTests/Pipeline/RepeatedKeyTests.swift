import Rules
import TestSupport
import Testing

@testable import BatchRun
@testable import RunSupport

@Suite("Pay keys that occur twice")
struct RepeatedKeyTests {
  @Test(
    "the first settles, every later one is rejected; nothing of it is left in the figures",
    arguments: [1, 2, 7], [1, 64, 1 << 20])
  func laterOnes(threads: Int, chunk: Int) throws {
    let lines = [
      Line.payment("A", "1"), Line.payment("B", "2"), Line.payment("A", "4", to: "other@example.com"),
      Line.payment("A", "8"), Line.payment("a", "16"),
    ]
    let settled = try Workshop().settle(lines.joined(separator: "\n"), threads: threads, chunk: chunk)
    #expect(settled.exceptions.map { $0.prefix(1) } == ["3", "4"])
    #expect(settled.exceptions.allSatisfy { $0.hasSuffix(" DUPLICATE_PAY_KEY /payKey") })
    #expect(settled.rows("settlement.csv").map { $0.prefix(1) } == ["A", "A", "B", "B", "a", "a"])
    // Fees: 0.33, 0.36 and 0.76.
    #expect(settled.rows("receivers.csv") == ["shop@example.com,USD,3,19.00,0.00,1.45,17.55,0,0.00,17.55"])
    #expect(settled.rows("control.csv") == ["USD,5,31.00,19.00,0.00,0.00,12.00"])
    #expect(settled.text("summary.json").contains(#""errors":{"DUPLICATE_PAY_KEY":2}"#))
    #expect(settled.result?.exitCode == 1)
  }

  @Test("named fees of a repeated payment are taken back", arguments: [(1, 0), (64, 0), (1 << 20, 20_000)])
  func takesBackNames(chunk: Int, between: Int) throws {
    let (workshop, options) = (try Workshop(), RunOptions(rules: SettlementRules(schedule: .named), threads: 1))
    // A worker forgets a key after thousands of others. Then it counts the repeated payment, and only the commit refuses
    // it. (The first and last line of a chunk are settled apart.) Payments that wait have no fees.
    let waiting = (0...between).map { Line.payment("P\($0)", more: #","status":"STATUS_CREATED""#) }
    let lines = [waiting[0], Line.payment("A", "10")] + waiting.dropFirst() + [Line.payment("A", "100")]
    let text = lines.joined(separator: "\n")
    let settled = try workshop.settle([Array(text.utf8)], chunk: chunk, options: options)
    #expect(
      settled.text("summary.json").contains(
        #""fees":[{"currency":"USD","name":"commission","fee":"1.20","vat":"0.23","feeReturned":"0.00","vatReturned":"0.00"},"#
          + #"{"currency":"USD","name":"processing","fee":"0.15","vat":"0.00","feeReturned":"0.00","vatReturned":"0.00"}]"#
      ))
  }

  @Test("across files, and whatever happened to the first", arguments: [1, 7])
  func acrossFiles(threads: Int) throws {
    let first = [
      #"{"payKey":"S"}"#, Line.payment("P", "1", more: #","status":"STATUS_CREATED""#), Line.payment("R", "x"),
      #"{"payKey":"D","payKey":"D"}"#,
    ]
    let second = ["S", "P", "R", "D"].map { Line.payment($0) }
    let files = [first, second].map { Array($0.joined(separator: "\n").utf8) }
    let settled = try Workshop().settle(files, threads: threads)
    #expect(
      settled.exceptions.map { $0.split(separator: " ").filter { Int($0) == nil }.joined(separator: " ") } == [
        "PAYMENT_SHAPE", "STATUS_CREATED /status", "DECIMAL_SYNTAX /subTotal", "DUPLICATE_FIELD",
        "DUPLICATE_PAY_KEY /payKey", "DUPLICATE_PAY_KEY /payKey", "DUPLICATE_PAY_KEY /payKey",
      ])
    #expect(settled.exceptions.suffix(3).map { $0.prefix(1) } == ["1", "2", "3"], "line numbers start again")
    // A record with a structural error has no key, so D settles.
    #expect(settled.rows("settlement.csv").map { $0.prefix(2) } == ["D,", "D,"])
  }

  @Test("notices and status of a repeated payment no longer count")
  func takesBackNotices() throws {
    let repeated = Line.payment("A", "0.10", more: #","note":1,"status":"STATUS_OTHER""#)
    let settled = try Workshop().settle(Line.payment("A") + "\n" + repeated)
    #expect(settled.exceptions.count == 1)
    #expect(settled.text("summary.json").contains(#""held":0,"refunded":0,"#))
    #expect(settled.text("summary.json").contains(#","errors":{"DUPLICATE_PAY_KEY":1},"notices":{},"#))
  }

  @Test("amounts past 2^64 of a repeated payment are removed, too", arguments: [1, 64])
  func takesBackLargeAmounts(chunk: Int) throws {
    let lines = [Line.payment("A", "1e40"), Line.payment("A", "1e50"), Line.payment("B", "1")]
    let settled = try Workshop().settle(lines.joined(separator: "\n"), chunk: chunk)
    let gross = "1" + String(repeating: "0", count: 39) + "1.00"
    #expect(settled.rows("receivers.csv").map { $0.hasPrefix("shop@example.com,USD,2,\(gross),") } == [true])
  }

  @Test("the number of accounts that received money leaves out those of repeated payments")
  func countsAccounts() throws {
    let text = Line.payment("A", "1") + "\n" + Line.payment("A", "2", to: "other@example.com")
    let settled = try Workshop().settle(text)
    #expect(settled.rows("receivers.csv").count == 1)
    #expect(settled.result?.accounts == 1)
  }
}
