import Foundation
import Testing

@Suite("settle status")
struct StatusTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try night("1", key: "A")
  }

  private func night(_ name: String, key: String, file: String? = nil) throws {
    let file = file ?? "\(name).jsonl"
    try folder.write(
      file, #"{"payKey":"\#(key)","paymentCurrency":"EUR","recipient":"anna@x.example","subTotal":"100.00"}"#)
    let run = try folder.runApart(["run", file, "--output", "out-\(name)", "--ledger", "ledger"])
    #expect(run.exitCode == 0, "\(run)")
  }

  private func payout(_ account: String = "anna@x.example", _ more: [String] = []) throws {
    try folder.write(
      "payees.csv",
      """
      account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold
      \(account),EUR,Anna,IBAN,DE65300600100532013001,,,,,,
      """)
    let made = try folder.runApart(
      [
        "payout", "--ledger", "ledger", "--payees", "payees.csv", "--date", Self.day(0), "--output", "paid",
      ] + more)
    #expect(made.exitCode <= 1, "\(made)")
  }

  /// A day, in local time, some days ago.
  private static func day(_ ago: Int) -> String {
    let parts = Calendar.current.dateComponents(
      [.year, .month, .day], from: .now.addingTimeInterval(Double(-86_400 * ago)))
    return String(format: "%04d-%02d-%02d", parts.year!, parts.month!, parts.day!)
  }

  /// What `settle status` says: lines that need someone, and all others, by subject.
  private func status(_ words: String = "") throws -> (exitCode: Int32, act: [String], fine: [String], output: String) {
    let told = try folder.runApart(["status", "--ledger", "ledger"] + words.split(separator: " ").map(String.init))
    let lines = told.output.split(separator: "\n").map(String.init)
    // A machine that runs tests may have a full disk.
    let subjects = lines.filter { !$0.contains(" disk ") }
    func named(_ mark: String) -> [String] {
      subjects.filter { $0.hasPrefix(mark) }.map {
        String($0.dropFirst(5).prefix(12)).trimmingCharacters(in: .whitespaces)
      }
    }
    return (told.exitCode, named("ACT  "), named("ok   "), told.output)
  }

  private func move(_ name: String, _ other: String) throws {
    try FileManager.default.moveItem(
      at: folder.url.appendingPathComponent(name), to: folder.url.appendingPathComponent(other))
  }

  @Test("all is well: the last run and payout, and 0")
  func fine() throws {
    let before = try status()
    #expect(before.act.isEmpty && before.fine == ["last run", "last payout"], "\(before)")
    #expect(before.output.contains("no payout is made yet"))
    try payout()
    let after = try status()
    #expect(after.act.isEmpty && after.fine == ["last run", "last payout", "balances"], "\(after)")
    #expect(after.output.contains("payout 1 of \(Self.day(0)): 1 payment for "), "\(after)")
    #expect(after.output.contains(", no file for the bank, verified\n"), "\(after)")
  }

  @Test("a payout that is gone or changed, and balances that wait for someone")
  func payouts() throws {
    try payout("other@x.example")
    let waiting = try status()
    #expect(waiting.exitCode == 1 && waiting.act == ["balances"], "\(waiting)")
    #expect(waiting.output.contains("wait for someone: NO_PAYEE 1\n       grep -E 'NO_PAYEE' "), "\(waiting)")
    let carried = folder.url.appendingPathComponent("paid/carried.csv")
    let text = try String(contentsOf: carried, encoding: .utf8)
    try text.replacing("96.75", with: "96.76").write(to: carried, atomically: true, encoding: .utf8)
    let changed = try status()
    #expect(changed.act.contains("last payout") && changed.output.contains("       settle verify "), "\(changed)")
    try text.write(to: carried, atomically: true, encoding: .utf8)
    try move("paid", "moved")
    #expect(try status().output.contains("Its directory is gone: "))
    // A folder of payouts has the directory under its name.
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("payouts"), withIntermediateDirectories: true)
    try move("moved", "payouts/paid")
    #expect(try status("--payouts payouts").output.contains(", verified\n"))
  }

  @Test("what terms hold after the last payout")
  func held() throws {
    try folder.write(
      "terms.csv",
      """
      account,currency,from,delay_days,reserve_percent,reserve_days,minimum_balance
      *,EUR,2000-01-01,,100,30,
      """)
    try payout("anna@x.example", ["--terms", "terms.csv"])
    let told = try status()
    #expect(told.fine.contains("held") && told.output.contains("by terms: EUR 96.75 reserved\n"), "\(told)")
  }

  @Test("days of the inbox: by the names of the files of runs")
  func inbox() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("inbox"), withIntermediateDirectories: true)
    #expect(try status("--inbox inbox").output.contains("there is no batch of yesterday, \(Self.day(1)), in inbox"))
    try night("2", key: "B", file: "inbox/\(Self.day(1)).jsonl")
    let settled = try status("--inbox inbox")
    #expect(settled.exitCode == 0 && settled.output.contains("every day up to \(Self.day(1)) is settled"), "\(settled)")
    for name in ["\(Self.day(2))-1.jsonl.lz4", "\(Self.day(2))-2.jsonl.lz4", "\(Self.day(0)).jsonl", "notes.txt"] {
      try folder.write("inbox/\(name)", "")
    }
    let unsettled = try status("--inbox inbox")
    #expect(unsettled.exitCode == 1 && unsettled.act == ["inbox"], "\(unsettled)")
    #expect(unsettled.output.contains("not settled: \(Self.day(2))\n       settle-nightly\n"), "\(unsettled)")
  }

  @Test("answers that are open, payments that are not confirmed, files that were left out: of the last directory")
  func answers() throws {
    for (day, summary) in [
      ("2026-11-25", #"{"codes":{"UNKNOWN":9}}"#),
      (
        "2026-11-26",
        #"{"skipped":{"lists":0,"others":1},"codes":{"AMOUNT_DIFFERS":2},"confirm":{"since":"2026-10-01","payments":["#
          + #"{"currency":"EUR","state":"NOT_SEEN","payments":3},{"currency":"USD","state":"CONFIRMED","payments":4}]}}"#
      ),
    ] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("answers/\(day)"), withIntermediateDirectories: true)
      try folder.write("answers/\(day)/returns.json", summary)
    }
    let told = try status("--answers answers")
    #expect(told.exitCode == 1 && told.act == ["answers", "answers", "payments"], "\(told)")
    #expect(told.output.contains("1 file with errors was left out"), "\(told)")
    #expect(
      told.output.contains("open: AMOUNT_DIFFERS 2\n       grep ,OPEN, answers/2026-11-26/answers.csv\n"), "\(told)")
    #expect(told.output.contains("since 2026-10-01: CONFIRMED 4, NOT_SEEN 3\n       grep ,NOT_SEEN, "), "\(told)")
    let fine = try status("--answers answers/2026-11-25")
    #expect(fine.output.contains("open: UNKNOWN 9"), "\(fine)")
    try folder.write("answers/2026-11-26/returns.json", #"{"codes":{}}"#)
    #expect(try status("--answers answers").exitCode == 0)
  }

  @Test("a backup that is missing or old; the command makes it")
  func backup() throws {
    let missing = try status("--backup copy")
    #expect(missing.exitCode == 1 && missing.act == ["backup"], "\(missing)")
    let command = "settle ledger backup ledger copy.new && mv copy.new copy"
    #expect(missing.output.contains("\n       \(command)\n"), "\(missing)")
    #expect(try folder.runApart(["ledger", "backup", "ledger", "copy.new"]).exitCode == 0)
    try move("copy.new", "copy")
    #expect(try status("--backup copy").exitCode == 0)
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now.addingTimeInterval(-30 * 3600)],
      ofItemAtPath: folder.url.appendingPathComponent("copy").path)
    #expect(try status("--backup copy").output.contains("copy is 30 hours old\n       \(command)\n"))
  }

  @Test("a night whose reports are gone is published again by the command; a payout that is missing is entered by it")
  func commands() throws {
    try move("out-1", "elsewhere")
    let gone = try status()
    #expect(gone.act == ["last run"] && gone.output.contains(" --republish\n"), "\(gone)")
    try move("elsewhere", "out-1")
    try folder.write("none.jsonl", "")
    #expect(try folder.runApart(["status", "--ledger", "absent"]).exitCode == 66)
    #expect(try folder.runApart(["status", "--ledger", "ledger", "--inbox", "absent"]).exitCode == 66)
  }

  @Test("as JSON: an object a line, with the command or null")
  func json() throws {
    let told = try folder.runApart(["status", "--ledger", "ledger", "--backup", "copy", "--format", "jsonl"])
    let lines = told.output.split(separator: "\n")
    #expect(told.exitCode == 1)
    #expect(lines[0].hasPrefix(#"{"subject":"last run","act":false,"message":"run 1 of "#))
    #expect(lines[0].hasSuffix(#","command":null}"#))
    #expect(lines[2].hasPrefix(#"{"subject":"backup","act":true,"#))
  }
}
