import ExactArithmetic
import TestSupport
import Testing

@testable import Money
import Postings
import FileSystem
import Records
import Documents
import Rules

@Suite("Reports compared with golden files; SETTLE_RECORD=1 rewrites them")
struct GoldenTests {
  static let chain =
    #"{"payKey":"C-1","paymentCurrency":"EUR","feePayer":"FEEPAYER_SECONDARYONLY","receiverPaymentDetails":["#
  static let lines = [
    // A payment with everything, accounts in capitals, a fee for the sender.
    #"{"payKey":"S-1","feePayer":"FEEPAYER_SENDER","sender":"Payer@Example.ORG","recipient":"SHOP@example.com","subTotal":"100"}"#,
    chain
      + #"{"recipient":"first@b.example","subtotal":"100","isPrimary":true},{"recipient":"second@b.example","subtotal":"60.5"}]}"#,
    #"{"payKey":"P-1","paymentCurrency":"JPY","receiverPaymentDetails":[{"recipient":"+14029352050","subtotal":1000},{"recipient":"b@c.example","subtotal":5}]}"#,
    // A fee that takes everything: a net of zero, not minus zero.
    #"{"payKey":"Z-1","recipient":"shop@example.com","subTotal":"0.30","note":"x"}"#,
    #"{"payKey":"L-1","recipient":"shop@example.com","subTotal":"98765432109876543210987654321.12"}"#,
    #"{"payKey":"Q-1","status":"STATUS_CREATED","recipient":"shop@example.com","subTotal":"5"}"#,
    #"{"payKey":"Q-2","status":"STATUS_OTHER","recipient":"shop@example.com","subTotal":"7","a/b~\"c,d":1}"#,
    #"{"payKey":"E-1","recipient":"a,b\"c\nd","subTotal":"1.001","memo":5}"#,
    #"{"payKey":"E-2","paymentCurrency":"HUF","recipient":"a@b.example","subTotal":"3","country":"QQ","sender":"a@b.example"}"#,
    #"{"recipient":"a@b.example"}"#,
    "nonsense, with a \"quote\"",
  ]
  let batch = ReportedBatch(lines)

  private func check(_ text: [UInt8], _ name: String, at place: SourceLocation = #_sourceLocation) throws {
    let complaint = try Golden().complaint(text, name: name)
    #expect(complaint == nil, sourceLocation: place)
  }

  @Test("settlement.csv")
  func settlement() throws {
    try check(batch.settlement, "settlement.csv")
  }

  @Test("exceptions.csv")
  func exceptions() throws {
    try check(batch.exceptions, "exceptions.csv")
  }

  @Test("the output of validate, for people and for machines")
  func findings() throws {
    try check(batch.findings[.text] ?? [], "findings.txt")
    try check(batch.findings[.jsonl] ?? [], "findings.jsonl")
    try check(batch.findings[.github] ?? [], "findings.github")
    try check(batch.findings[.sarif] ?? [], "findings.sarif")
  }

  @Test("totals.csv and control.csv")
  func totals() throws {
    let totals = ReportedBatch.bytes { TotalsReport.write(batch.totals, to: &$0) }
    try check(totals, "totals.csv")
    let control = ReportedBatch.bytes { ControlReport.write(batch.totals, to: &$0) }
    try check(control, "control.csv")
  }

  private let rules = SettlementRules().reported

  @Test("summary.json")
  func summary() throws {
    let files = [
      StoredFile(name: #"a "b"\c.jsonl"#, bytes: 1234, sha256: String(repeating: "0a", count: 32)),
      StoredFile(name: "-", bytes: 0, sha256: String(repeating: "ff", count: 32)),
    ]
    let whole = ReportedBatch.bytes {
      SummaryReport(
        version: "1.2.3", batchID: "B-1", controlTotals: .mismatch, files: files,
        createdAt: UTCTime(day: "2026-11-20"), rules: rules, totals: batch.totals
      ).write(to: &$0)
    }
    try check(whole, "summary.json")
  }

  @Test("reports of an empty batch")
  func empty() throws {
    let empty = ReportedBatch([])
    let text = ReportedBatch.bytes { text in
      SummaryReport(
        version: "1.2.3", batchID: nil, controlTotals: .absent, files: [], createdAt: nil, rules: rules,
        totals: empty.totals
      )
      .write(to: &text)
      TotalsReport.write(empty.totals, to: &text)
      ControlReport.write(empty.totals, to: &text)
    }
    try check(text + empty.settlement + empty.exceptions, "empty.txt")
  }

  @Test("rows of receivers.csv")
  func receivers() throws {
    let rows = ReportedBatch.bytes { text in
      text.append(ReportKind.receivers.header)
      let accounts = [
        ("a@b.example", "USD", "100.00", "60.50", "1.00"), ("a@b.example", "JPY", "5", "0", "5"),
        ("+14029352050", "EUR", "98765432109876543210.00", "0.00", "0.01"),
      ]
      for (account, currency, gross, passedOn, fee) in accounts {
        let sums = AccountSums(
          payments: 12, gross: ExactDecimal(gross)!, passedOn: ExactDecimal(passedOn)!, fee: ExactDecimal(fee)!)
        let account = Array(account.utf8)
        let balance = AccountBalance(
          side: .receiver, account: account.span, currency: Currency(code: currency)!, sums: sums)
        ReceiversReport.append(balance, to: &text)
      }
    }
    try check(rows, "receivers.csv")
  }
}
