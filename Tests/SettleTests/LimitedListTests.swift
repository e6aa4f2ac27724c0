import Foundation
import Testing

@Suite("Long lists of errors end early, but all errors are counted")
struct LimitedListTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// The number of lines that contain a text.
  private func count(_ text: String, in said: String) -> Int { said.split(separator: "\n").count { $0.contains(text) } }

  @Test("import lists a thousand errors of each file")
  func requests() throws {
    let wrong =
      "actionType=PAY&currencyCode=USD&receiverList.receiver(0).email=a@b.example&receiverList.receiver(0).amount="
    try folder.write("few.txt", String(repeating: wrong + "0\n", count: 1_000))
    try folder.write("many.txt", String(repeating: wrong + "0\n", count: 1_003))
    let (exitCode, said) = try folder.run(
      ["import", "few.txt", "many.txt", "--format", "adaptive-nvp", "--output", "out.jsonl"])
    #expect(exitCode == 1)
    #expect(count("few.txt:", in: said) == 1_000 && count("many.txt:", in: said) == 1_001, "\(said.suffix(2_000))")
    #expect(!said.contains("few.txt: error"))
    #expect(said.contains(/many\.txt: error: 1003 errors, of which the first 1000 are listed; by code: [0-9]+ 1003\n/))
    #expect(said.contains("2003 requests: 0 imported, 2003 wrong with 2003 errors"), "\(said.suffix(500))")
  }

  @Test(
    "validate lists a thousand findings as text, and all in the formats of programs",
    arguments: [("text", 1_000), ("github", 1_002), ("jsonl", 1_002), ("sarif", 1_002)])
  func findings(format: String, listed: Int) throws {
    let bad = #"{"payKey":"K","recipient":"a@b.example","subTotal":"0"}"#
    let lines = (0..<1_002).map { bad.replacing(#""K""#, with: #""K-\#($0)""#) }
    try folder.write("bad.jsonl", lines.joined(separator: "\n"))
    let (exitCode, said) = try folder.run(["validate", "bad.jsonl", "--format", format])
    #expect(exitCode == 1)
    let code = #""ruleId":"AMOUNT_NOT_POSITIVE""#
    let rows = count(format == "sarif" ? code : "bad.jsonl", in: said)
    #expect(rows == listed, "\(said.suffix(500))")
    #expect(said.contains("2 more are not listed (--max-findings)") == (listed < 1_002))
    #expect(said.contains(/error +AMOUNT_NOT_POSITIVE +1002/), "\(said.suffix(500))")
  }

  @Test("payout lists a thousand errors of the payees, and counts all")
  func payees() throws {
    try folder.write("night.jsonl", #"{"payKey":"A","recipient":"anna@x.example","subTotal":"1.00"}"#)
    #expect(try folder.run(["run", "night.jsonl", "--output", "night", "--ledger", "ledger"]).exitCode == 0)
    let header = "account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold\n"
    try folder.write("payees.csv", header + String(repeating: "x\n", count: 1_001))
    let command = [
      "payout", "--ledger", "ledger", "--payees", "payees.csv", "--date", "2026-11-24", "--output", "out",
    ]
    let (exitCode, said) = try folder.run(command)
    #expect(exitCode == 78)
    #expect(count("FIELD_COUNT: expected 11 fields, found 1", in: said) == 1_000)
    let counts = "1001 errors, of which the first 1000 are listed; by code: FIELD_COUNT 1001"
    #expect(said.hasSuffix("payees.csv: error: \(counts)\n"), "\(said.suffix(500))")
    let json = try folder.run(command + ["--log-format", "json"]).said
    #expect(json.contains(#""errors":{"FIELD_COUNT":1001}"#))
  }
}
