import Foundation
import Testing

/// `settle fees` over two nights of a schedule whose refunds return fees.
@Suite("What accounts were charged in a period")
struct PeriodFeesTests {
  private let folder: CommandFolder
  private static let october = "--since 2025-10-01 --until 2025-10-31"
  private static let header = "account,currency,name,payments,fee,vat,refunds,fee_returned,vat_returned,total\n"

  init() throws {
    folder = try CommandFolder()
    try folder.write(
      "returning.json",
      #"""
      {"rounding":"HALF_UP","refunds":"RETURN","crossBorder":"0","plans":{"all":{"rate":"0.03"}},"default":"all",
      "personal":{"BALANCE":"all","BANK":"all","CARD":"all"},"subTypes":{},"accounts":{},"fixed":{}}
      """#)
    try night(
      "one",
      #"""
      {"type":"header","batchId":"one","createdAt":"2025-10-30T20:00:00Z"}
      {"payKey":"A","paymentCurrency":"EUR","recipient":"Anna@x.example","subTotal":"100.00"}
      {"payKey":"B","paymentCurrency":"EUR","recipient":"anna@x.example","subTotal":"50.00"}
      {"payKey":"C","paymentCurrency":"JPY","recipient":"anna@x.example","subTotal":"1000"}
      {"payKey":"D","paymentCurrency":"EUR","feePayer":"FEEPAYER_SENDER","recipient":"bert@x.example","subTotal":"10.00"}
      {"type":"trailer","recordCount":4,"totals":{"EUR":"160.00","JPY":"1000"}}
      """#)
    try night(
      "two",
      #"""
      {"type":"header","batchId":"two","createdAt":"2025-10-31T20:00:00Z"}
      {"type":"refund","refundKey":"R","payKey":"A","amount":"40.00","currencyCode":"EUR"}
      {"type":"trailer","recordCount":1,"totals":{},"refundTotals":{"EUR":"40.00"}}
      """#)
  }

  private func night(_ name: String, _ text: String) throws {
    try folder.write("\(name).jsonl", text)
    let run = try folder.run(
      ["run", "\(name).jsonl", "--output", "out-\(name)", "--ledger", "ledger", "--fees", "returning.json"])
    #expect(run.exitCode == 0, "\(run.said)")
  }

  private func fees(_ words: String) throws -> (exitCode: Int32, output: String, error: String) {
    try folder.runApart(["fees"] + words.split(separator: " ").map(String.init))
  }

  @Test("for programs: rows by account, currency and name; a sender that is not given has no account")
  func lists() throws {
    let csv = try fees("--ledger ledger \(Self.october) --format csv")
    #expect(csv.exitCode == 0)
    #expect(
      csv.output == Self.header + """
        ,EUR,fee,1,0.30,0.00,0,0.00,0.00,0.30
        anna@x.example,EUR,fee,2,4.50,0.00,1,1.20,0.00,3.30
        anna@x.example,JPY,fee,1,30,0,0,0,0,30

        """)
    let json = try fees("--ledger ledger --since 2025-10-31 --until 2025-10-31 --format jsonl")
    #expect(
      json.output == """
        {"account":"anna@x.example","currency":"EUR","name":"fee","payments":0,"fee":"0.00","vat":"0.00","refunds":1,\
        "fee_returned":"1.20","vat_returned":"0.00","total":"-1.20"}

        """)
    #expect(try fees("--ledger ledger \(Self.october) --format jsonl").output.hasPrefix(#"{"account":null,"#))
  }

  @Test("for people: the rows, then the sums")
  func table() throws {
    let told = try fees("--ledger ledger \(Self.october)")
    #expect(
      told.output == """
        account              name  payments   fee   vat  refunds  fee returned  vat returned  total
                        EUR  fee          1  0.30  0.00        0          0.00          0.00   0.30
        anna@x.example  EUR  fee          2  4.50  0.00        1          1.20          0.00   3.30
        anna@x.example  JPY  fee          1    30     0        0             0             0     30

             name  payments   fee   vat  refunds  fee returned  vat returned  total
        EUR  fee          3  4.80  0.00        1          1.20          0.00   3.60
        JPY  fee          1    30     0        0             0             0     30

        """, "\(told.output)")
    let none = try fees("--ledger ledger --since 2024-10-01 --until 2024-10-31")
    #expect(none.exitCode == 0 && none.output == "No fees were charged.\n")
  }

  @Test("some accounts; those without a row are named")
  func accounts() throws {
    let told = try fees(
      "--ledger ledger \(Self.october) --format csv --account ANNA@x.example bert@x.example --account nobody")
    #expect(told.exitCode == 0)
    #expect(
      told.output.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("anna@x.example,") }, "\(told.output)")
    #expect(told.error.contains("bert@x.example was charged nothing from 2025-10-01 to 2025-10-31"))
    #expect(told.error.contains("nobody was charged nothing") && !told.error.contains("anna"))
  }

  @Test("a night that is gone or changed", arguments: ["gone", "settlement.csv", "SHA256SUMS"])
  func nights(how: String) throws {
    let night = folder.url.appendingPathComponent("out-one")
    let file = night.appendingPathComponent(how)
    if how == "gone" {
      try FileManager.default.removeItem(at: night)
    } else {
      let text = try String(contentsOf: file, encoding: .utf8)
      try text.replacing("0.30", with: "0.31").replacing("settlement", with: "settlements")
        .write(to: file, atomically: true, encoding: .utf8)
    }
    let told = try fees("--ledger ledger \(Self.october)")
    #expect(told.exitCode == 74 && told.output.isEmpty && told.error.contains("run 1: "), "\(told)")
    #expect(told.error.contains("--republish"), "\(told.error)")
  }

  @Test(
    "options are checked first",
    arguments: [
      ("--since 2025-10-01 --until 2025-10-31", "needs --ledger"), ("--account a@x.example", "needs --ledger"),
      ("--format csv", "needs --ledger"), ("--ledger ledger --since 2025-10-01", "needs both"),
      ("--ledger ledger \(october) --fees returning.json", "--fees shows a schedule"),
      ("--ledger ledger --since 2025-10-02 --until 2025-10-01", "before --since"),
    ])
  func usage(words: String, message: String) throws {
    let told = try fees(words)
    #expect(told.exitCode == 64 && told.error.contains(message), "\(told)")
  }

  @Test("a ledger must be there, and be one")
  func ledgers() throws {
    #expect(try fees("--ledger gone \(Self.october)").exitCode == 66)
    #expect(try fees("--ledger one.jsonl \(Self.october)").exitCode == 74)
  }
}
