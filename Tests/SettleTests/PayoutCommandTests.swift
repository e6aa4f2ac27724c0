import Foundation
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

  @Test("it ends with a table, and says what was made already")
  func closing() throws {
    let (exitCode, said) = try pay()
    #expect(exitCode == 0)
    #expect(
      said == """
        1 payment, 0 balances carried, 0 files for the bank.

        currency  opening       settled  returned          paid  carried  owing
        USD          0.00  1 198 765.12      0.00  1 198 765.12     0.00   0.00

        Every currency balances: opening + settled + returned = paid + carried - owing.
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

  @Test("errors of files are lines, also those of a whole file")
  func faults() throws {
    try folder.write("returned.csv", "reference,reason\nP1-1,AC04")
    try folder.write("debtor.json", #"{"USD":{"IBAN":{}}}"#)
    let (exitCode, said) = try pay(["--returned", "returned.csv", "--debtor", "debtor.json"])
    #expect(exitCode == 78)
    #expect(
      said == """
        returned.csv:2: error: UNKNOWN_REFERENCE at reference: the ledger has no payment of this reference
        debtor.json: error: INVALID_DEBTOR at /USD/IBAN/name: the key is missing

        """)
  }
}
