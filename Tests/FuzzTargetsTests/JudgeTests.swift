import Input
import Foundation
import Testing

@testable import FuzzTargets
import JSON

/// A comparison that finds nothing in a million inputs might not be able to find anything.
@Suite("Faults that the fuzz targets find")
struct JudgeTests {
  static let good: [String: String] = [
    "settlement.csv": """
    pay_key,kind,role,account,currency,gross,passed_on,fee,net,refund_key
    A,SIMPLE,SENDER,,USD,-10.00,0.00,0.00,-10.00,
    A,SIMPLE,RECEIVER,s@x.example,USD,10.00,0.00,0.59,9.41,
    A,REFUND,SENDER,,USD,10.00,0.00,0.00,10.00,R
    A,REFUND,RECEIVER,s@x.example,USD,-10.00,0.00,0.00,-10.00,R

    """,
    "receivers.csv": """
    account,currency,payments,gross,passed_on,fee,net,refunds,refund_net,payout
    s@x.example,USD,1,10.00,0.00,0.59,9.41,1,-10.00,-0.59

    """,
    "totals.csv": """
    currency,payments,sender_amount,sender_fees,receiver_net,fees,balance,refunds,refunded,receiver_debit,fees_returned
    USD,1,10.00,0.00,9.41,0.59,0.00,1,10.00,10.00,0.00

    """,
    "refunds.csv": """
    refund_key,pay_key,run,currency,amount,fees_returned,remaining
    R,A,,USD,10.00,0.00,0.00

    """,
    "preapprovals.csv": """
    preapproval_key,status,sender,currency,payments,amount

    """,
    "control.csv": """
    currency,records,amount,settled,pending,held,rejected
    USD,2,11.00,10.00,1.00,0.00,0.00

    """,
    "exceptions.csv": """
    file,line,offset,pay_key,outcome,code,field,currency,amount,paypal_error_id,message,refund_key,preapproval_key
    b,2,50,B,PENDING,STATUS_CREATED,/status,USD,1.00,,"payment, not completed",,
    b,3,90,,REJECTED,MALFORMED_JSON,,,,,no JSON,,

    """,
    "summary.json":
      #"{"records":{"read":4,"settled":1,"rejected":1,"pending":1,"held":0,"refunded":1,"preapprovals":0},"#
      + #""errors":{"MALFORMED_JSON":1}}"# + "\n",
    "SHA256SUMS": "\n",
  ]

  private func complaint(_ reports: [String: String]) -> String? {
    do throws(Disagreement) {
      try ReportForm.check(reports.mapValues { Array($0.utf8) })
      return nil
    } catch {
      return error.words
    }
  }

  @Test("good reports pass") func passes() { #expect(complaint(Self.good) == nil) }

  static let faults: [(report: String, text: String, instead: String, complaint: String)] = [
    ("settlement.csv", "pay_key,", "paykey,", "another header"),
    ("settlement.csv", ",USD,-10", ",USD,x,-10", "a row of 11 fields"),
    ("settlement.csv", "0.59,9.41", "0.58,9.41", "a row does not add up"),
    ("settlement.csv", "10.00,0.00,0.59,9.41", "10.01,0.00,0.59,9.42", "the payment before A sums to 0.01"),
    ("settlement.csv", "A,SIMPLE,SENDER", "B,SIMPLE,SENDER", "a receiver before its sender"),
    ("settlement.csv", "-10.00,0.00,0.00", "-10.00,-0.00,0.00", "no figure"),
    ("settlement.csv", "-10.00,R\n", "-10.00,R", "without a line feed"),

    ("settlement.csv", "REFUND,SENDER", "SIMPLE,SENDER", "of a refund or not"),
    ("receivers.csv", "0.59", "0.60", "receivers.csv says"),
    ("receivers.csv", "s@x", "t@x", "nobody paid"),
    ("receivers.csv", "-0.59", "0.59", "receivers.csv says"),
    ("receivers.csv", "s@x.example,USD,1,10.00,0.00,0.59,9.41,1,-10.00,-0.59\n", "", "0 rows, not 1"),
    ("totals.csv", "0.59,0.00,1", "0.58,0.00,1", "does not balance"),
    ("totals.csv", "10.00,0.00\n", "10.00,0.01\n", "does not balance"),
    ("refunds.csv", "R,A,,USD,10.00,0.00,0.00\n", "", "another number of refunds"),
    ("control.csv", "11.00", "11.01", "does not add up"),
    ("exceptions.csv", "PENDING", "SETTLED", "exceptions.csv: "),
    ("exceptions.csv", "b,2,", "b,0,", "a row of no place"),
    ("exceptions.csv", ",no JSON", ",\"no JSON\"", "needless quotes"),
    ("exceptions.csv", ",no JSON", ",no\u{1B} JSON", "a control character"),
    ("exceptions.csv", ",no JSON", ",no\u{85} JSON", "a control character"),
    ("exceptions.csv", ",no JSON", ",no \"JSON", "a quote within a field"),
    ("exceptions.csv", ",no JSON", ",4111 1111 1111 1111", "a card number"),
    ("exceptions.csv", "completed\"", "completed\"x", "goes on behind quotes"),
    ("exceptions.csv", "MALFORMED_JSON", "NOT_AN_OBJECT", "summary.json"),
    ("exceptions.csv", "B,PENDING", "B,HELD", "are pending"),
    ("summary.json", #""read":4"#, #""read":5"#, "the records do not add up"),
    ("summary.json", "}}", "}", "not as it should be"),
    ("summary.json", "\n", "", "not one line"),
    (
      "summary.json", #""settled":1,"rejected":1"#, #""settled":2,"rejected":0"#,
      "2 payments are settled and refunds made, not 3"
    ),
  ]

  @Test("a fault in a report is found", arguments: faults)
  func finds(report: String, text: String, instead: String, complaint expected: String) {
    var reports = Self.good
    reports[report] = reports[report]?.replacingOccurrences(of: text, with: instead)
    #expect(reports[report] != Self.good[report])
    #expect(complaint(reports)?.contains(expected) == true, "\(complaint(reports) ?? "nothing")")
  }

  @Test("a missing report is found")
  func missing() {
    #expect(complaint(Self.good.filter { $0.key != "totals.csv" })?.hasPrefix("the reports are") == true)
  }

  static let findings: [(line: String, complaint: String)] = [
    ("x\n", "no JSON object"), ("{}\n", "other fields"), ("{\"a\":\"\u{7F}\"}\n", "a control character"),
  ]

  @Test("a fault in what validation prints is found", arguments: findings)
  func finds(line: String, complaint: String) {
    #expect {
      try ReportForm.checkFindings(Array(line.utf8))
    } throws: {
      ($0 as? Disagreement)?.words.contains(complaint) == true
    }
  }

  static let numbers: [(text: String, isCardNumber: Bool)] = [
    ("4111111111111111", true), ("memo is 4111 1111 1111 1111.", true), ("4111 1111-1111 1111", false),
    ("6011000990139425", false), ("memo is 411111111111111111...", false), ("memo is 4111111111111111...", false),
    ("************1111", false), ("INV-2026-00000528-3", false), ("", false),
  ]

  @Test("card numbers", arguments: numbers)
  func cardNumbers(text: String, isCardNumber: Bool) {
    #expect(ReportForm.holdsCardNumber(text) == isCardNumber)
  }

  /// Two records that the scanner must tell apart: the one that it read, and the expected one.
  static let records: [(seen: String, expected: String)] = [
    (#"{"payKey":"a"}"#, #"{"payKey":"b"}"#), (#"{"payKey":"1"}"#, #"{"payKey":1}"#), (#"{"x":1}"#, #"{"y":1}"#),
    (#"{"memo":null}"#, "{}"), (#"{"payKey":1,"payKey":2}"#, #"{"payKey":1}"#), (#"{"totals":{}}"#, #"{"totals":[]}"#),
    (#"{"receiverPaymentDetails":[{},1]}"#, #"{"receiverPaymentDetails":[1,{}]}"#),
    (#"{"receiverPaymentDetails":[{"isPrimary":true}]}"#, #"{"receiverPaymentDetails":[{"isPrimary":false}]}"#),
    (#"{"invoiceData":{"invoiceItems":[{"name":"a"}]}}"#, #"{"invoiceData":{"invoiceItems":[{"name":"b"}]}}"#),
    (#"{"invoiceData":{"z":1}}"#, #"{"z":1,"invoiceData":{}}"#), (#"{"recipient":"a"}"#, #"{"sender":"a"}"#),
  ]

  @Test("a field in another place, or with another value, is found", arguments: records)
  func compares(seen: String, expected: String) throws {
    #expect(throws: Disagreement.self) { try expecting(expected).compare(with: expecting(seen)) }
    try expecting(expected).compare(with: expecting(expected))
  }

  private func expecting(_ text: String) throws -> ScannedRecord {
    guard case .object(let fields) = try JSONTree(parsing: Array(text.utf8)) else {
      return try #require(nil, "\(text) is an object")
    }
    return ScannedRecord(expecting: fields)
  }

  @Test("broken checksums are corrected, and nothing else", arguments: [0, 6, 11, 40])
  func repairs(broken: Int) throws {
    let frames = try Corpus.inputs(of: .frames).first { $0.name == "bd" }
    let good = try #require(frames).bytes
    var changed = good
    changed[6] ^= 0x55
    var repaired = changed.mutableSpan
    FrameRepair.repair(&repaired)
    #expect(changed == good)
    changed[broken] ^= 0x55
    #expect(FuzzTarget.frames.complaint(about: changed) == nil)
  }
}
