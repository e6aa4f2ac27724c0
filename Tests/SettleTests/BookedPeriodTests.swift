import Foundation
import TestSupport
import Testing

@Suite("A period with each kind of change: its journal, with accounts and signs, and the contents of a payment")
struct BookedPeriodTests {
  private let folder: CommandFolder

  /// Opening balances, two payouts, a night of two currencies with named fees, and a payout that only books: returns of
  /// both payouts, an opening balance and an adjustment.
  init() throws {
    folder = try CommandFolder()
    try folder.write(
      "fees.json",
      #"""
      {"rounding":"HALF_UP","crossBorder":"0","plans":{"m":{"fees":[
        {"name":"sale","rate":"0.10","vat":"0.20"},{"name":"a","rate":"0.01"}]}},"default":"m",
        "personal":{"BALANCE":"m","BANK":"m","CARD":"m"},"subTypes":{},"accounts":{},"fixed":{}}
      """#)
    try folder.write(
      "payees.csv",
      """
      account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold
      anna@x.example,EUR,Anna,IBAN,DE65300600100532013001,,,,,,
      bert@x.example,EUR,Bert,IBAN,DE89370400440532013000,,,,,,
      """)
    try folder.write("returned.csv", "reference,reason\nP2-1,AC04\nP1-2,AC04\n")
    try folder.write(
      "adjustments.csv",
      """
      key,account,currency,amount,reason
      k2,anna@x.example,EUR,-1.50,fee
      k1,bert@x.example,EUR,9.00,OPENING
      """)
    try settle(
      "one",
      #"""
      {"type":"header","batchId":"one","createdAt":"2025-10-30T20:00:00Z"}
      {"payKey":"A","paymentCurrency":"EUR","recipient":"anna@x.example","subTotal":"100.00"}
      {"payKey":"B","paymentCurrency":"EUR","recipient":"bert@x.example","subTotal":"50.00"}
      {"type":"trailer","recordCount":2,"totals":{"EUR":"150.00"}}
      """#)
    try pay(["--date", "2025-10-31", "--output", "paid-1"])
    try settle(
      "two",
      #"""
      {"type":"header","batchId":"two","createdAt":"2025-11-01T20:00:00Z"}
      {"payKey":"C","paymentCurrency":"EUR","recipient":"anna@x.example","subTotal":"20.00"}
      {"payKey":"D","paymentCurrency":"JPY","recipient":"anna@x.example","subTotal":"1000"}
      {"type":"trailer","recordCount":2,"totals":{"EUR":"20.00","JPY":"1000"}}
      """#, ["--fees", "fees.json"])
    try pay(["--date", "2025-11-01", "--output", "paid-2"])
    try pay([
      "--returned", "returned.csv", "--adjustments", "adjustments.csv", "--no-payments", "--date", "2025-11-02",
      "--output", "booked",
    ])
  }

  private func settle(_ name: String, _ records: String, _ options: [String] = []) throws {
    try folder.write("\(name).jsonl", records)
    let run = try folder.run(["run", "\(name).jsonl", "--output", "out-\(name)", "--ledger", "ledger"] + options)
    #expect(run.exitCode == 0, "\(run.said)")
  }

  private func pay(_ options: [String]) throws {
    let payout = try folder.run(["payout", "--ledger", "ledger", "--payees", "payees.csv"] + options)
    #expect(payout.exitCode <= 1, "\(payout.said)")
  }

  @Test("the contents of a payment begin with the payment before it", arguments: ["2", "P2-1"])
  func contents(asked: String) throws {
    let written = try folder.run([
      "statement", "--payout", asked, "--format", "csv", "--ledger", "ledger", "--output", "contents",
    ])
    #expect(written.exitCode == 0, "\(written.said)")
    let text = try String(contentsOf: folder.url.appendingPathComponent("contents/1.csv"), encoding: .utf8)
    #expect(
      text.split(separator: "\n").dropFirst() == [
        "EUR,2025-10-31,OPENING,1,P1-1,,,,,,,,,,0.00,,,,",
        "EUR,2025-11-01,PAYMENT,2,,,,20.00,0.00,2.60,17.40,,,17.40,17.40,C,,RECEIVER,",
        "EUR,2025-11-01,PAID,2,P2-1,,,,,,,,,-17.40,0.00,,,,", "EUR,2025-11-01,CLOSING,,,,,,,,,,,,0.00,,,,",
      ])
  }

  @Test("the journal matches the golden files; SETTLE_RECORD=1 rewrites them", arguments: ["hledger", "beancount"])
  func golden(format: String) throws {
    let written = try folder.run([
      "journal", "--format", format, "--ledger", "ledger", "--since", "2025-10-31", "--until", "2025-11-30",
      "--output", "journal",
    ])
    #expect(written.exitCode == 0, "\(written.said)")
    let text = try String(contentsOf: folder.url.appendingPathComponent("journal"), encoding: .utf8)
    // Without the first line, which has the version.
    let body = text.drop { $0 != "\n" }.dropFirst(2)
    #expect(try Golden().complaint(Array(body.utf8), name: "period-journal.\(format)") == nil)
  }
}
