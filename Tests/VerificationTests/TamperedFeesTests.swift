import BatchRun
import Foundation
import Rules
import TestSupport
import Testing

@Suite("A changed fees.csv, with SHA256SUMS adjusted")
struct TamperedFeesTests {
  static let options = RunOptions(rules: SettlementRules(schedule: .named), threads: 1)

  static let batch = #"""
    {"payKey":"A-1","paymentCurrency":"EUR","recipient":"anna@shop.example","subTotal":"100.00"}
    {"payKey":"A-2","paymentCurrency":"EUR","feePayer":"FEEPAYER_SENDER","receiverPaymentDetails":[{"recipient":"anna@shop.example","subtotal":"20.00"},{"recipient":"gold@shop.example","subtotal":"30.00"}]}
    {"payKey":"A-3","paymentCurrency":"EUR","recipient":"anna@shop.example","subTotal":"10.00","paymentType":"TYPE_PERSONAL"}
    {"payKey":"A-4","paymentCurrency":"EUR","recipient":"bert@shop.example","subTotal":"50.00"}
    {"type":"refund","refundKey":"R-1","payKey":"A-1","amount":"50.00","currencyCode":"EUR"}

    """#

  static let rows = [
    "pay_key,account,bearer,name,currency,fee,vat,refund_key",
    "A-1,anna@shop.example,anna@shop.example,commission,EUR,12.00,2.28,",
    "A-1,anna@shop.example,anna@shop.example,processing,EUR,1.50,0.00,",
    "A-2,anna@shop.example,,commission,EUR,2.40,0.46,",
    "A-2,anna@shop.example,,processing,EUR,0.30,0.00,",
    "A-2,gold@shop.example,,commission,EUR,1.50,0.11,",
    "A-4,bert@shop.example,bert@shop.example,commission,EUR,6.00,1.14,",
    "A-4,bert@shop.example,bert@shop.example,processing,EUR,0.75,0.00,",
    "A-1,anna@shop.example,anna@shop.example,commission,EUR,-6.00,-1.14,R-1",
  ]

  private func folder() throws -> TamperedFolder {
    try TamperedFolder(Array(Self.batch.utf8), options: Self.options)
  }

  @Test("as it was made, with and without the batch")
  func untouched() throws {
    let folder = try folder()
    #expect(try folder.lines("fees.csv") == Self.rows)
    #expect(try folder.findings() == [])
    let again = try folder.verify(withBatch: true, options: Self.options)
    #expect(again.findings == [])
  }

  static let changes: [(from: String, to: String, says: String)] = [
    ("12.00,2.28", "12.01,2.27", "summary.json: fees"),
    ("12.00,2.28", "12.00,2.29", "fees.csv: what anna@shop.example bears of payment A-1 is 15.79; expected 15.78"),
    ("processing,EUR,1.50", "Processing,EUR,1.50", "fees.csv:3: name is Processing: a name has"),
    (
      "A-2,anna@shop.example,,commission", "A-2,anna@shop.example,gold@shop.example,commission",
      "fees.csv: what the sender bears of payment A-2 is 1.91; expected 4.77"
    ),
    ("A-2,gold@shop.example,", "A-2,zoe@shop.example,", "fees.csv:6: account is zoe@shop.example: a receiver"),
    (
      "A-4,bert@shop.example,bert@shop.example,comm", "A-4,bert@shop.example,zoe@x.example,comm",
      "fees.csv:7: bearer is"
    ),
    ("EUR,0.75,0.00", "EUR,0.75,-0.00", "fees.csv:8: vat is -0.00: an amount in EUR has exactly 2 decimals"),
    ("EUR,0.75,0.00", "EUR,-0.75,0.00", "fees.csv:8: fee is -0.75: an amount is above zero in a payment"),
    ("EUR,0.75,0.00", "USD,0.75,0.00", "fees.csv:8: currency is USD: the payment in settlement.csv has another"),
    (
      "A-4,bert@shop.example,bert@shop.example,processing,EUR,0.75,0.00,\n", "",
      "fees.csv: what bert@shop.example bears of payment A-4 is 7.14; expected 7.89"
    ),
    ("-6.00,-1.14,R-1", "-6.00,-1.14,", "fees.csv:9: pay_key is A-1: settlement.csv has no such payment"),
  ]

  @Test("what is found", arguments: changes)
  func finds(from: String, to: String, says: String) throws {
    let folder = try folder()
    let text = String(decoding: try folder.bytes("fees.csv"), as: UTF8.self)
    #expect(text.contains(from))
    try folder.write(Array(text.replacing(from, with: to).utf8), "fees.csv")
    try folder.mendSums()
    let findings = try folder.findings()
    #expect(findings.contains { $0.hasPrefix(says) }, "\(findings)")
  }

  @Test("a directory that lacks the file, or has one that its summary does not know")
  func names() throws {
    let folder = try folder()
    try FileManager.default.removeItem(atPath: folder.folder.path("out/fees.csv"))
    try folder.mendSums()
    #expect(try folder.findings().contains { $0.contains("fees.csv: is missing") })
    let plain = try TamperedFolder()
    try plain.write(Self.rows, to: "fees.csv")
    try plain.mendSums()
    #expect(try plain.findings().contains { $0.contains("fees.csv") })
  }
}
