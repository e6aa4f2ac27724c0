import Foundation
import JSON
import Testing

@Suite("settle payout, as its users see it")
struct PayoutCommandTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.write("night.jsonl", #"{"payKey":"A","recipient":"anna@x.example","subTotal":"1234567.89"}"#)
    #expect(try folder.run(["run", "night.jsonl", "--output", "night", "--ledger", "ledger"]).exitCode == 0)
    try folder.write(
      "payees.csv",
      """
      account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold
      anna@x.example,USD,Anna,ACH,,,011000015,12345678,CHECKING,PERSON,
      """)
  }

  private func pay(_ options: [String] = [], output: String = "pay") throws -> (exitCode: Int32, said: String) {
    try folder.run(
      ["payout", "--ledger", "ledger", "--payees", "payees.csv", "--date", "2026-11-24", "--output", output] + options)
  }

  @Test("it ends with a table, and says if the payout was already made")
  func closing() throws {
    let (exitCode, said) = try pay()
    #expect(exitCode == 0)
    #expect(
      said == """
        1 payment, 0 balances carried, 0 files for the bank.

        currency  opening       settled  returned  adjusted          paid  carried  owing
        USD          0.00  1 198 765.12      0.00      0.00  1 198 765.12     0.00   0.00

        Every currency balances: opening + settled + returned + adjusted = paid + carried - owing.
        Files: pay
        Entered in the ledger as payout 1.

        """, "\(said)")
    let again = try pay(["--execution-date", "2026-11-24"])
    #expect(again.exitCode == 0 && again.said.hasPrefix("already made as payout 1, "), "\(again)")
    let elsewhere = try pay(output: "other")
    #expect(elsewhere.exitCode == 3 && elsewhere.said.contains("may pay twice"), "\(elsewhere)")
    #expect(try pay(["--republish"], output: "other").exitCode == 0)
    #expect(try folder.run(["report", "pay", "--html", "x.html"]).exitCode == 64)
    #expect(try folder.run(["run", "night.jsonl", "--output", "pay", "--replace"]).exitCode == 73)
  }

  @Test(
    "options are checked first",
    arguments: [
      ["--minimum", "USD"], ["--minimum", "usd=1"], ["--minimum", "USD=-1"], ["--minimum", "USD=0.001"],
      ["--minimum", "USD=1", "--minimum", "USD=2"], ["--minimum", "JPY=0.5"], ["--execution-date", "2026-11-23"],
      ["--execution-date", "2100-01-01"], ["--execution-date", "2026-02-30"], ["--date", "1999-12-31"],
      ["--until", "x"],
      ["--adopt", "night"],
    ])
  func usage(options: [String]) throws {
    let before = try folder.names()
    #expect(try pay(options + ["--returned", "none"]).exitCode == 64)
    #expect(try folder.names() == before)
  }

  @Test("a minimum counts by its value", arguments: ["USD=1", "USD=1.00", "USD=10e-1", "USD=1.000"])
  func minimum(text: String) throws {
    #expect(try pay(["--minimum", "USD=1.0"]).exitCode == 0)
    #expect(try pay(["--minimum", text]).said.hasPrefix("already made as payout 1"))
  }

  @Test("errors of files are lines, including those of a whole file")
  func faults() throws {
    try folder.write("returned.csv", "reference,reason\nP1-1,AC04")
    try folder.write("debtor.json", #"{"USD":{"IBAN":{}}}"#)
    let (exitCode, said) = try pay(["--returned", "returned.csv", "--debtor", "debtor.json"])
    #expect(exitCode == 78)
    #expect(
      said == """
        returned.csv:2: error: UNKNOWN_REFERENCE at reference: the ledger has no payment of this reference; if its payout was \
        given up, book the money as an adjustment
        debtor.json: error: INVALID_DEBTOR at /USD/IBAN/name: the key is missing

        """)
  }

  @Test("history, find, verify and metrics know payouts")
  func known() throws {
    #expect(try pay(["--metrics", "pay.prom"]).exitCode == 0)
    let history = try folder.run(["history", "--ledger", "ledger", "--payouts"])
    #expect(history.exitCode == 0 && history.said.hasPrefix("payout 1  2026-11-24  up to run 1"), "\(history)")
    let row = "USD              1  1 198 765.12      0.00      0.00     0.00   0.00"
    #expect(history.said.contains(row), "\(history.said)")
    let find = ["find", "ANNA@x.example", "--ledger", "ledger", "--format", "jsonl"]
    let account = try folder.run(find + ["--ledger-only"])
    #expect(
      account.said == #"""
        {"account":"anna@x.example","balances":[{"currency":"USD","balance":"0.00","since":null,"refused":null,"entries":[{"kind":"run","number":1,"amount":"1198765.12","balance":"1198765.12"},{"kind":"payout","number":1,"amount":"-1198765.12","balance":"0.00"}]}]}

        """#)
    #expect(try folder.run(find).said.hasSuffix("\n" + account.said))
    let found = try folder.run(["find", "P1-1", "--ledger", "ledger"])
    #expect(found.exitCode == 0 && found.said.contains("PAID  P1-1 to anna@x.example, USD 1 198 765.12"), "\(found)")
    #expect(try folder.run(["find", "P1-2", "--ledger", "ledger"]).exitCode == 1)
    let text = try folder.run(["find", "anna@x.example", "--ledger", "ledger", "--ledger-only"])
    #expect(
      text.said == """
        in the ledger
          USD balance 0.00
          entry            amount       balance
          run 1      1 198 765.12  1 198 765.12
          payout 1  -1 198 765.12          0.00

        """, "\(text)")
    let reference = ["find", "P1-1", "--ledger", "ledger", "--format", "jsonl"]
    #expect(try folder.run(reference).said.contains(#""payoutDirectoryGone":false"#))
    #expect(try folder.run(reference + ["--ledger-only"]).said.contains(#""payoutDirectoryGone":null"#))
    let verified = try folder.run(["verify", "pay", "--ledger", "ledger", "--payees", "payees.csv"])
    #expect(verified.exitCode == 0 && verified.said.contains("made again, every byte is the same"), "\(verified)")
    for options in [["--batch", "night.jsonl"], ["--payees", "payees.csv"]] {
      #expect(try folder.run(["verify", "pay"] + options).exitCode == 64)
    }
    #expect(
      try folder.run(["verify", "night", "--ledger", "ledger"]).said.contains(
        "; they are those of run 1 of the ledger\n"))
    #expect(try folder.run(["ledger", "verify", "ledger"]).said.contains("1 payout; all of the runs' directories"))
    #expect(try folder.run(["schema", "--payouts"]).said.contains(#""path":"carried.csv""#))
  }

  @Test("of a payout with terms, what is held is shown, and the columns are described")
  func held() throws {
    try folder.write(
      "terms.csv",
      """
      account,currency,from,delay_days,reserve_percent,reserve_days,minimum_balance
      *,USD,2000-01-01,,,,1000.00
      """)
    #expect(try pay(["--terms", "terms.csv"]).exitCode == 0)
    let history = try folder.run(["history", "--ledger", "ledger", "--payouts"])
    #expect(
      history.said.contains(
        """
          currency  payments          paid  returned  adjusted   carried  owing  delayed  reserved      kept
          USD              1  1 197 765.12      0.00      0.00  1 000.00   0.00     0.00      0.00  1 000.00
        """), "\(history.said)")
    for (options, columns) in [([], 5), (["--terms"], 8)] {
      let described = try folder.run(["schema", "--payouts"] + options).said
      let carried = try JSONTree(parsing: Array(described.utf8))["resources"]?.elements?.first {
        $0["path"]?.string == "carried.csv"
      }
      let rows = try String(contentsOf: folder.url.appendingPathComponent("pay/carried.csv"), encoding: .utf8)
      #expect(
        carried?["schema"]?["fields"]?.elements?.compactMap { $0["name"]?.string }
          == rows.prefix { $0 != "\n" }.split(separator: ",").prefix(columns).map(String.init))
    }
  }

  /// The samples that do not depend on when the payout ended.
  private static func gauges(_ samples: [String: String]) -> [String: String] {
    samples.filter { $0.key != "settle_last_payout_timestamp_seconds" }
  }

  @Test("metrics are written even if the payout fails, and keep the last success")
  func metrics() throws {
    func samples(_ exitCode: Int32, _ options: [String], output: String) throws -> [String: String] {
      let made = try pay(["--metrics", "pay.prom"] + options, output: output)
      #expect(made.exitCode == exitCode, "\(made.said)")
      let text = try String(contentsOf: folder.url.appendingPathComponent("pay.prom"), encoding: .utf8)
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
      return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), String($0[1])) })
    }
    let none = try samples(78, ["--returned", "payees.csv"], output: "x")
    #expect(none["settle_last_payout_success"] == "0" && none["settle_last_payout_success_timestamp_seconds"] == nil)
    let made = try samples(0, [], output: "pay")
    let success = try #require(made["settle_last_payout_success_timestamp_seconds"])
    #expect(made["settle_last_payout_success"] == "1")
    #expect(made[#"settle_last_payout_amount{currency="USD",figure="paid"}"#] == "1198765.12")
    #expect(made[#"settle_last_payout_balances{reason="NO_PAYEE"}"#] == "0")
    #expect(made["settle_last_payout_oldest_debt_timestamp_seconds"] == "0")
    let again = try samples(0, [], output: "pay")
    #expect(again["settle_last_payout_success_timestamp_seconds"] == success)
    // Gauges do not vanish, or alerts would end because someone repeated the command.
    #expect(Self.gauges(again) == Self.gauges(made))
    let elsewhere = try samples(3, [], output: "other")
    #expect(elsewhere["settle_last_payout_exit_code"] == "3" && elsewhere["settle_last_payout_success"] == "0")
    #expect(elsewhere["settle_last_payout_success_timestamp_seconds"] == success)
    try folder.write("run.prom", "# HELP settle_build_info x\n")
    #expect(try pay(["--metrics", "run.prom"]).exitCode == 73)
    for path in ["ledger", "payees.csv", "pay/x"] { #expect(try pay(["--metrics", path]).exitCode == 64) }
    try folder.write("refund.jsonl", #"{"type":"refund","refundKey":"R","payKey":"A"}"#)
    #expect(try folder.run(["run", "refund.jsonl", "--output", "night-2", "--ledger", "ledger"]).exitCode == 0)
    let owing = try samples(0, [], output: "pay-2")
    #expect(owing[#"settle_last_payout_balances{reason="OWES"}"#] == "1")
    let since = try #require(owing["settle_last_payout_oldest_debt_timestamp_seconds"].flatMap { Int($0) })
    #expect(abs(since - Int(Date().timeIntervalSince1970)) < 600)
    let owingAgain = try samples(0, [], output: "pay-2")
    #expect(Self.gauges(owingAgain) == Self.gauges(owing))
  }
}
