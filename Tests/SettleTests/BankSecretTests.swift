import Foundation
import TestSupport
import Testing

/// Bank accounts planted in the input of a payout: none of them appears whole except in the files for the bank.
@Suite("Bank accounts are secret")
struct BankSecretTests {
  private let folder: CommandFolder
  private static let header = "account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold"
  private static let secrets = [
    "DE89370400440532013000", "GB29NWBK60161331926819", "DE88370400440532013000", "98765432101234567", "021000021",
  ]

  init() throws {
    folder = try CommandFolder()
    try folder.write(
      "night.jsonl",
      """
      {"payKey":"A","recipient":"anna@x.example","paymentCurrency":"EUR","subTotal":"10.00"}
      {"payKey":"B","recipient":"bert@x.example","subTotal":"10.00"}
      """)
    #expect(try folder.run(["run", "night.jsonl", "--output", "night", "--ledger", "ledger"]).exitCode == 0)
    try folder.write(
      "debtor.json",
      #"""
      {"EUR":{"IBAN":{"name":"Pay","iban":"GB29NWBK60161331926819"}},
       "USD":{"ACH":{"name":"Pay","company":"1123456789","odfi":"021000021","destination":"021000021",
                     "destinationName":"Bank","origin":"987654321"}}}
      """#)
  }

  private func pay(_ rows: [String], _ options: [String] = []) throws -> (exitCode: Int32, said: String) {
    try folder.write("payees.csv", ([Self.header] + rows).joined(separator: "\n"))
    return try folder.run(
      ["payout", "--ledger", "ledger", "--payees", "payees.csv", "--date", "2026-11-24", "--output", "pay"] + options)
  }

  private func expectSecret(_ text: String) {
    for secret in Self.secrets { #expect(!text.contains(secret), "\(text)") }
  }

  @Test("in no message, whatever column holds one", arguments: ["text", "json"])
  func messages(format: String) throws {
    let good = ["anna@x.example", "EUR", "Anna", "IBAN", "DE89370400440532013000", "", "", "", "", "", ""]
    for secret in Self.secrets {
      var rows = [secret, "\"\(secret)", "\(secret),\(secret)"]
      for column in good.indices {
        for text in [secret, " \(secret)", "\(secret)x"] {
          var row = good
          row[column] = text
          rows.append(row.joined(separator: ","))
        }
      }
      let (exitCode, said) = try pay(rows, ["--log-format", format, "--returned", "payees.csv"])
      #expect(exitCode == 78)
      expectSecret(said)
      for text in [
        #"{"EUR":{"IBAN":{"name":"x","iban":"\#(secret)x"}}}"#, #"{"EUR":{"IBAN":{"iban":["\#(secret)"]}}}"#,
        #"{"\#(secret)":{}}"#, #"{"EUR":{"\#(secret)":{}}}"#, #"{"EUR":{"IBAN":{"\#(secret)":1}}}"#, "{\(secret)}",
      ] {
        try folder.write("wrong.json", text)
        let (exitCode, said) = try pay(
          [good.joined(separator: ",")], ["--log-format", format, "--debtor", "wrong.json"])
        #expect(exitCode == 78)
        expectSecret(said)
      }
    }
  }

  @Test("in nothing except the files for the bank; payouts.csv has the last four characters")
  func files() throws {
    let (exitCode, said) = try pay(
      [
        "anna@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,",
        "bert@x.example,USD,Bert,ACH,,,021000021,98765432101234567,CHECKING,PERSON,",
      ], ["--debtor", "debtor.json", "--log-level", "debug"])
    #expect(exitCode == 0)
    expectSecret(said)
    let directory = folder.url.appendingPathComponent("pay")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.count == 8)
    for name in names where !name.hasSuffix(".xml") && !name.hasSuffix(".ach") {
      expectSecret(try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8))
    }
    let rows = try String(contentsOf: directory.appendingPathComponent("payouts.csv"), encoding: .utf8)
    #expect(rows.contains(",IBAN,3000,") && rows.contains(",ACH,4567,"))
    for name in ["ledger", "ledger-lock"] {
      let bytes = try Data(contentsOf: folder.url.appendingPathComponent(name))
      for secret in Self.secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil) }
    }
  }
}
