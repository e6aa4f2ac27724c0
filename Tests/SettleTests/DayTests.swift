import Foundation
import Testing

/// Settlement days and booking days where people see them: `run`, `history`, `find`, `waiting`, `summary.json`.
@Suite("Days that people see")
struct DayTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// Settles a night of one payment.
  private func night(
    _ name: String, _ createdAt: String?, status: String = "STATUS_COMPLETED", key: String? = nil
  ) throws -> (exitCode: Int32, output: String, error: String) {
    let created = createdAt.map { #","createdAt":"\#($0)T20:00:00Z""# } ?? ""
    try folder.write(
      "\(name).jsonl",
      #"""
      {"type":"header","batchId":"\#(name)"\#(created)}
      {"payKey":"\#(key ?? name)","status":"\#(status)","paymentCurrency":"EUR","recipient":"anna@x.example","subTotal":"100.00"}
      {"type":"trailer","recordCount":1,"totals":{"EUR":"100.00"}}
      """#)
    return try folder.runApart(["run", "\(name).jsonl", "--output", "out-\(name)", "--ledger", "ledger"])
  }

  private func ask(_ words: String) throws -> String {
    let told = try folder.runApart(words.split(separator: " ").map(String.init) + ["--ledger", "ledger"])
    #expect(told.exitCode == 0, "\(told)")
    return told.output
  }

  private func summary(_ night: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent("out-\(night)/summary.json"), encoding: .utf8)
  }

  private static let today = String(Date.now.formatted(.iso8601).prefix(10))
  private static let tomorrow = String(Date.now.addingTimeInterval(86_400).formatted(.iso8601).prefix(10))

  @Test("a late batch: run, history and summary.json say both days; a month that is over is warned of")
  func lateBatch() throws {
    let first = try night("A", "2025-10-29")
    #expect(first.output.contains("Settlement day: 2025-10-29\n"), "\(first)")
    #expect(
      first.error.contains(
        "run 1 is booked on 2025-10-29: it changes 2025-10, which is over. Make again what you have of that month: "
          + "settle balances --ledger ledger --until 2025-10-31"), "\(first)")
    #expect(try summary("A").contains(#"},"day":"2025-10-29","rules":"#))
    _ = try night("C", Self.today)
    let late = try night("D", "2025-10-30")
    #expect(late.output.contains("Settlement day: 2025-10-30, booked on \(Self.today)\n"), "\(late)")
    #expect(!late.error.contains("which is over"), "\(late)")
    #expect(try ask("balances --until 2025-10-31 --format csv").contains("anna@x.example,EUR,96.75,1"))
    let table = try ask("history --last 1")
    #expect(table.contains("\n  settlement day 2025-10-30, booked on \(Self.today)\n"), "\(table)")
    #expect(try ask("history --last 1 --format jsonl").contains(#""day":"2025-10-30","booked":"\#(Self.today)""#))
    #expect(try ask("history --run 3 --format jsonl").contains(#""day":"2025-10-30","booked":"\#(Self.today)""#))
  }

  @Test("--since and --until are booking days")
  func bookingDays() throws {
    _ = try night("A", "2025-10-29")
    _ = try night("B", "2025-11-03")
    _ = try night("late", "2025-10-30", key: "L")
    func runs(_ words: String) throws -> [String] {
      try ask("history --format jsonl \(words)").split(separator: "\n").map { line in
        String(line.prefix { $0 != "," })
      }
    }
    #expect(try runs("--since 2025-11-01") == [#"{"run":2"#, #"{"run":3"#])
    #expect(try runs("--until 2025-10-31") == [#"{"run":1"#])
    #expect(try runs("--since 2025-11-03 --until 2025-11-03 --last 1") == [#"{"run":3"#])
    let found = try folder.runApart(["find", "L", "--ledger", "ledger", "--until", "2025-10-31"])
    #expect(found.exitCode == 1 && found.error.contains("looked at 1 night"), "\(found)")
    #expect(try ask("find L --since 2025-11-01").contains("run 3  2025-10-30  "))
  }

  @Test("without createdAt the day is that of entry; a later one counts as it")
  func entryDay() throws {
    let undated = try night("A", nil)
    #expect(undated.output.contains("Settlement day: \(Self.today)\n"), "\(undated)")
    #expect(try summary("A").contains(#"},"day":null,"rules":"#))
    let early = try night("B", Self.tomorrow)
    #expect(early.output.contains("Settlement day: \(Self.tomorrow), booked on \(Self.today)\n"), "\(early)")
  }

  @Test("without a ledger the settlement day is the header's, or not known")
  func withoutLedger() throws {
    try folder.write(
      "dated.jsonl",
      #"{"type":"header","createdAt":"2025-10-29T23:30:00-01:00"}"# + "\n"
        + #"{"type":"trailer","recordCount":0,"totals":{}}"# + "\n")
    let dated = try folder.runApart(["run", "dated.jsonl", "--output", "dated"])
    #expect(dated.output.contains("Reports: dated\nSettlement day: 2025-10-30\n"), "\(dated)")
    try folder.write("undated.jsonl", #"{"payKey":"A","recipient":"anna@x.example","subTotal":"1.00"}"# + "\n")
    #expect(try !folder.runApart(["run", "undated.jsonl", "--output", "undated"]).output.contains("Settlement day"))
  }

  @Test("what waited at the end of October does not change when November settles it")
  func waiting() throws {
    _ = try night("A", "2025-10-30", status: "STATUS_CREATED", key: "K")
    let then = try ask("waiting --until 2025-10-31 --format csv")
    #expect(then.contains("1,2025-10-30,A.jsonl,2,K,,,PENDING"), "\(then)")
    _ = try night("B", "2025-11-03", key: "K")
    #expect(try ask("waiting --until 2025-10-31 --format csv") == then)
    #expect(try ask("waiting --until 2025-11-03 --format csv").split(separator: "\n").count == 1)
    #expect(try ask("waiting --format csv").split(separator: "\n").count == 1)
    // A late night of October is booked in November.
    _ = try night("C", "2025-10-31", status: "STATUS_CREATED", key: "L")
    #expect(try ask("waiting --until 2025-10-31 --format csv") == then)
    #expect(try ask("waiting --since 2025-11-01 --format csv").contains("3,2025-10-31,C.jsonl,2,L,,,PENDING"))
  }
}
