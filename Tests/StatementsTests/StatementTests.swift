import BatchRun
import Failures
import Foundation
import Statements
import Testing
import TestSupport
import Text

/// Statements of small batches, word for word.
@Suite struct StatementTests {
  /// Every role and fee payer, three currencies, hostile texts, times at the limits, an agreement, refunds with and
  /// without fees, and records without a line.
  static let batch = #"""
    {"type":"header","createdAt":"2026-11-20T23:30:00-01:00"}
    {"payKey":"S-1","createdAt":"2026-11-20T08:30:00.987+02:00","sender":"Ann@Mail.example","recipient":"Shop@x.example","subTotal":"25.00","customId":"order.1","description":"=cmd|' /C calc'!A0"}
    {"payKey":"S-2","paymentCurrency":"JPY","recipient":"shop@x.example","subTotal":"100","customId":"ends in \\","description":"two\nlines, \"quoted\" and\ta tab"}
    {"payKey":"C-1","createdAt":"0001-01-01T00:00:00+23:59","paymentCurrency":"EUR","sender":"bea@mail.example","feePayer":"FEEPAYER_PRIMARYRECEIVER","receiverPaymentDetails":[{"recipient":"lamps@x.example","subtotal":"60.00","customId":"of the lamps"},{"recipient":"shop@x.example","subtotal":"100.00","isPrimary":true,"customId":"more than twenty characters"},{"recipient":"+819012345678","subtotal":"30.00","description":"+1 phone"}]}
    {"payKey":"P-1","createdAt":"\u0039999-12-31T23:59:59-23:59","feePayer":"FEEPAYER_SENDER","sender":"+819012345678","receiverPaymentDetails":[{"recipient":"shop@x.example","subtotal":"9999999999999999999999999999999999999999.99","description":"card 4111 1111 1111 1111"},{"recipient":"chairs@x.example","subtotal":"0.05","customId":"4111111111111111"}]}
    {"payKey":"S-1","recipient":"shop@x.example","subTotal":"1.00"}
    {"payKey":"S-3","recipient":"shop@x.example","subTotal":"1.001"}
    {"payKey":"S-4","status":"STATUS_CREATED","recipient":"shop@x.example","subTotal":"2.00"}
    {"type":"refund","refundKey":"R-1","payKey":"C-1","createdAt":"2026-11-21T01:02:03+01:00","receivers":[{"recipient":"+819012345678","amount":5},{"recipient":"shop@x.example","amount":"3.00"}],"currencyCode":"EUR"}
    {"type":"refund","refundKey":"R-2","payKey":"P-1","amount":"1000000000000000000000000000000000000","currencyCode":"USD"}
    {"type":"preapproval","preapprovalKey":"A-1","createdAt":"2026-11-20T07:00:00Z","senderEmail":"ann@mail.example","startingDate":"2026-11-20Z","endingDate":"2027-11-20Z","currencyCode":"USD","maxTotalAmountOfAllPayments":"100"}
    {"type":"preapproval","preapprovalKey":"A-1","action":"CONFIRM","createdAt":"2026-11-20T08:00:00Z"}
    {"payKey":"S-5","preapprovalKey":"A-1","createdAt":"2026-11-20T09:00:00Z","sender":"ann@mail.example","recipient":"chairs@x.example","subTotal":"3.00"}
    {"type":"refund","refundKey":"R-3","payKey":"S-5"}
    {"type":"refund","refundKey":"R-4","payKey":"S-3"}
    {"type":"trailer","recordCount":14,"totals":{"USD":"10000000000000000000000000000000000000031.04","JPY":100,"EUR":"100"},"refundTotals":{"USD":"1000000000000000000000000000000000000","EUR":"8.00"}}

    """#

  @Test("every file, as recorded", arguments: StatementFormat.allCases)
  func golden(_ format: StatementFormat) throws {
    let (files, outcome) = try Counter().statements(Array(Self.batch.utf8), format)
    let text = files.sorted { $0.key < $1.key }.map { "== \($0.key)\n\($0.value)" }.joined()
    #expect(try Golden().complaint(Array(text.utf8), name: "\(format.rawValue).txt") == nil)
    #expect(outcome.counts.accounts == 4 && outcome.counts.rows == (format == .stl ? 15 : 12))
    #expect(outcome.counts.textsWithoutBackslashes == (format == .stl ? 1 : 0))
    #expect(outcome.counts.textsLeftOut == (format == .stl ? 3 : 0))
    #expect(outcome.counts.rowsMasked == (format == .stl ? 1 : 2))
    #expect(outcome.result.exitCode == 1)
  }

  @Test(
    "accounts are numbered in the order given, including those without lines", arguments: StatementFormat.allCases)
  func selected(_ format: StatementFormat) throws {
    let counter = try Counter()
    let all = try counter.statements(Array(Self.batch.utf8), format).files
    let names = ["nobody@x.example", "SHOP@x.example", "+819012345678", "shop@X.example"]
    let (files, outcome) = try counter.statements(Array(Self.batch.utf8), format, accounts: names)
    let end = format == .stl ? "/STL-20261121.01.009.CSV" : ".\(format.rawValue)"
    #expect(
      files["accounts.csv"]
        == "number,account,file\n1,nobody@x.example,1\(end)\n2,shop@x.example,2\(end)\n3,+819012345678,3\(end)\n")
    #expect(outcome.counts.accounts == 3 && files.count == 4)
    #expect(files["2\(end)"] == all["4\(end)"])
    #expect(files["3\(end)"] == all["1\(end)"])
    if format == .html { return }
    let rows = rows(files["1\(end)"] ?? "")
    #expect(
      rows.map { $0[0] }
        == (format == .stl ? ["\u{FEFF}RH", "FH", "SH", "CH", "SC", "RC", "FF"] : ["pay_key"]))
  }

  @Test("the balance of an account that gave more than it got is a debit")
  func debit() throws {
    // A refund returns no fee by default.
    let batch =
      #"{"payKey":"P","recipient":"shop@x.example","subTotal":"10.00"}"# + "\n"
      + #"{"type":"refund","refundKey":"R","payKey":"P"}"#
    let files = try Counter().statements(
      Array(batch.utf8), .stl, day: "2026-11-20", options: RunOptions(threads: 1)
    ).files
    let balance = #","CR",0,"DR",59"#
    let file = try #require(files["1/STL-20261120.01.009.CSV"])
    #expect(file.contains("\"SF\",\"USD\",1000,1000,0,59\(balance)\(balance)\(balance),2\n"), "\(file)")
  }

  @Test("a secondary receiver that gives nothing in a refund has no row in the primary's statement")
  func feeAlone() throws {
    let batch =
      #"{"payKey":"P","feePayer":"FEEPAYER_SECONDARYONLY","receiverPaymentDetails":["#
      + #"{"recipient":"p@x.example","subtotal":"50.00","isPrimary":true},"#
      + #"{"recipient":"s@x.example","subtotal":"20.00"}]}"# + "\n"
      + #"{"type":"refund","refundKey":"R","payKey":"P","currencyCode":"USD","#
      + #""receivers":[{"recipient":"p@x.example","amount":"10.00"}]}"#
    let files = try Counter().statements(Array(batch.utf8), .stl, day: "2026-11-20").files
    func codes(_ account: Int) -> [String] {
      rows(files["\(account)/STL-20261120.01.009.CSV"] ?? "").filter { $0[0] == "SB" }.map { $0[5] }
    }
    #expect(codes(1) == ["T0006", "T0001", "T1107"] && codes(2) == ["T0006", "T1107"])
  }

  @Test func dayOfTheRequest() throws {
    let files = try Counter().statements(Array(Self.batch.utf8), .stl, day: "2024-02-29").files
    let file = try #require(files["4/STL-20240229.01.009.CSV"])
    #expect(file.contains("\"SH\",2024/02/29 00:00:00 +0000,2024/02/29 23:59:59 +0000,\"shop@x.example\",\"\"\n"))
    #expect(
      file.contains("\"SB\",\"S-2-1\",\"\",\"\",\"\",\"T0006\",2024/02/29 00:00:00 +0000,2024/02/29 00:00:00 +0000,"))
  }

  struct Failing: CustomTestStringConvertible, Sendable {
    let batch: String
    let exitCode: Int32
    var testDescription: String { batch }
  }

  static let failing = [
    Failing(batch: #"{"payKey":"A","recipient":"a@b.example","subTotal":1}"# + "\n", exitCode: 64),
    Failing(batch: "", exitCode: 64),
    Failing(batch: #"{"type":"header"}"# + "\n" + #"{"type":"trailer","recordCount":0,"totals":{}}"#, exitCode: 64),
    Failing(batch: #"{"type":"header","createdAt":"2026-11-20T00:00:00Z"}"# + "\n", exitCode: 2),
    Failing(
      batch: #"{"type":"header","createdAt":"2026-11-20T00:00:00Z"}"# + "\n"
        + #"{"payKey":"A","recipient":"a@b.example","subTotal":1}"# + "\n"
        + #"{"type":"trailer","recordCount":2,"totals":{"USD":1}}"#, exitCode: 2),
    Failing(batch: "\u{1F}\u{8B}", exitCode: 2),
  ]

  @Test("a batch that cannot be settled, or has no known day, leaves nothing", arguments: failing)
  func leavesNothing(_ example: Failing) throws {
    let counter = try Counter()
    var bytes = Array(example.batch.utf8)
    if example.batch.hasPrefix("\u{1F}") { bytes = [0x1F, 0x8B, 0x08] }
    try counter.folder.write(bytes, to: "batch")
    do throws(Failure) {
      _ = try Statements.write(
        [counter.folder.path("batch")], as: .stl, accounts: nil, day: nil,
        output: counter.folder.path("out"), options: RunOptions(threads: 2))
      Issue.record("no failure")
    } catch {
      #expect(error.exitCode == example.exitCode)
    }
    #expect(try counter.folder.names(in: "") == ["batch"])
  }
}
