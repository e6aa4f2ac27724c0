import Foundation
import TestSupport
import Testing

/// One change to one report, with `SHA256SUMS` adjusted: found in its place through the other reports.
@Suite("Changed reports")
struct TamperingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    let from: String
    let to: String
    /// The first finding, word for word.
    let says: String
    var testDescription: String { "\(file): \(from) -> \(to)" }

    init(_ file: String, _ from: String, _ to: String, _ says: String) {
      (self.file, self.from, self.to, self.says) = (file, from, to, says)
    }
  }

  static let cases = [
    // settlement.csv, column by column.
    Case(
      "settlement.csv", "S-1,SIMPLE,RECEIVER", "S-4,SIMPLE,RECEIVER",
      "settlement.csv:3: pay_key is S-4; expected S-1: the row of the payment's sender is line 2"),
    Case("settlement.csv", "S-1,", "S 1,", "settlement.csv:2: pay_key is S 1: a pay key has 1 to 64 of A-Z"),
    Case(
      "settlement.csv", "S-1,SIMPLE,RECEIVER", "S-1,PARALLEL,RECEIVER",
      "settlement.csv:3: kind is PARALLEL; expected SIMPLE"),
    Case(
      "settlement.csv", "S-1,SIMPLE,", "S-1,SIMPL,", "settlement.csv:2: kind is SIMPL: a kind is SIMPLE, PARALLEL, CH"),
    Case(
      "settlement.csv", "S-1,SIMPLE,RECEIVER", "S-1,SIMPLE,PRIMARY",
      "settlement.csv:3: role is PRIMARY; expected RECEIVER"),
    Case(
      "settlement.csv", "C-1,CHAINED,PRIMARY", "C-1,CHAINED,SECONDARY",
      "settlement.csv:9: passed_on is 90.00: only a primary receiver passes anything on"),
    Case(
      "settlement.csv", "books@shop", "Books@shop", "settlement.csv:3: account is Books@shop.example: an account is"),
    Case(
      "settlement.csv", "guide@inn", "hotel@inn",
      "settlement.csv:6: account is hotel@inn.example: an earlier row of the payment has the same account"),
    Case("settlement.csv", "ann@mail.example", "ann@mail", "settlement.csv:2: account is ann@mail: an account is"),
    Case(
      "settlement.csv", "ann@mail.example", "books@shop.example",
      "settlement.csv:3: account is books@shop.example: an earlier row of the payment has the same account"),
    Case(
      "settlement.csv", "books@shop.example,USD,25", "books@shop.example,AUD,25",
      "settlement.csv:3: currency is AUD; expected USD"),
    Case(
      "settlement.csv", "ann@mail.example,USD", "ann@mail.example,USB", "settlement.csv:2: currency is USB: a currency"),
    Case(
      "settlement.csv", "USD,25.00,0.00,1.03,23.97", "USD,26.00,0.00,1.03,23.97",
      "settlement.csv:3: net is 23.97; expected 24.97: gross - passed_on - fee"),
    Case(
      "settlement.csv", "USD,25.00,0.00,1.03,23.97", "USD,25.00,0.00,1.04,23.96",
      "receivers.csv:3: fee is 3580246881358024688135802470.14; expected 3580246881358024688135802470.15: what settl"),
    Case(
      "settlement.csv", "USD,25.00,0.00,1.03,23.97", "USD,25.00,0.00,1.03,23.98",
      "settlement.csv:3: net is 23.98; expected 23.97: gross - passed_on - fee"),
    Case(
      "settlement.csv", "USD,25.00,0.00,1.03,23.97", "USD,26.00,0.00,1.03,24.97",
      "settlement.csv:2: net and fees together is 1.00; expected 0: every payment sums to zero"),
    Case(
      "settlement.csv", "JPY,-1500,0,124,-1624", "JPY,-1500,0,125,-1625",
      "totals.csv:3: sender_fees is 124; expected 125: what settlement.csv adds up to"),
    Case(
      "settlement.csv", "EUR,100.00,90.00", "EUR,100.00,91.00",
      "settlement.csv:9: net is 6.05; expected 5.05: gross - passed_on - fee"),
    Case(
      "settlement.csv", "23.97", "23.970", "settlement.csv:3: net is 23.970: an amount in USD has exactly 2 decimals"),
    Case(
      "settlement.csv", "23.97", "023.97", "settlement.csv:3: net is 023.97: an amount in USD has exactly 2 decimals"),
    Case("settlement.csv", "23.97", "2397e-2", "settlement.csv:3: net is 2397e-2: an amount in USD has exactly"),
    Case("settlement.csv", "USD,-25.00,0.00", "USD,-25.00,-0.00", "settlement.csv:2: passed_on is -0.00: an amount in"),
    Case(
      "settlement.csv", "JPY,1000", "JPY,1e3", "settlement.csv:5: gross is 1e3: an amount in JPY has exactly 0 decimals"
    ),
    Case("settlement.csv", "JPY,1000", "JPY,1000.0", "settlement.csv:5: gross is 1000.0: an amount in JPY has exactly"),
    Case("settlement.csv", "JPY,-1500", "JPY,1500", "settlement.csv:4: net is -1624; expected 1376: gross - passed_on"),
    Case(
      "settlement.csv", "23.97,\n", "23.97,\r\n",
      "settlement.csv:3: refund_key is \\u000d: a refund has a refund key, and"),
    Case("settlement.csv", "23.97,\n", "23.97,,\n", "settlement.csv:3: is not a row of 10 fields"),
    Case(
      "settlement.csv", ",net,", ",Net,", "settlement.csv:1: the header is pay_key,kind,role,account,currency,gross,"),
    // receivers.csv, column by column.
    Case(
      "receivers.csv", "books@shop.example,EUR", "bookt@shop.example,EUR",
      "receivers.csv:2: expected books@shop.example,EUR,1,10.10,0.00,0.64,9.46,0,0.00,9.46: the line is missing"),
    Case(
      "receivers.csv", "lamps@shop.example,EUR", "lamps@shop.example,USD",
      "receivers.csv:7: expected lamps@shop.example,"),
    Case(
      "receivers.csv", "hotel@inn.example,JPY,1", "hotel@inn.example,JPY,2",
      "receivers.csv:6: payments is 2; expected 1: what settlement.csv adds up to"),
    Case(
      "receivers.csv", "JPY,1,1000", "JPY,1,1001", "receivers.csv:6: gross is 1001; expected 1000: what settlement.csv"),
    Case(
      "receivers.csv", ",100.00,90.00", ",100.00,80.00", "receivers.csv:8: passed_on is 80.00; expected 90.00: what"),
    Case(
      "receivers.csv", "90.00,3.95", "90.00,3.96", "receivers.csv:8: fee is 3.96; expected 3.95: what settlement.csv"),
    Case("receivers.csv", "3.95,6.05", "3.95,6.06", "receivers.csv:8: net is 6.06; expected 6.05: what settlement.csv"),
    // totals.csv, column by column.
    Case("totals.csv", "JPY,", "JPX,", "totals.csv:3: JPX,1,1500,124,1500,124,0,0,0,0,0: no such line; what settle"),
    Case("totals.csv", "JPY,1", "JPY,2", "totals.csv:3: payments is 2; expected 1: what settlement.csv adds up to"),
    Case(
      "totals.csv", "JPY,1,1500", "JPY,1,1501", "totals.csv:3: sender_amount is 1501; expected 1500: what settlement"),
    Case(
      "totals.csv", "1500,124,1500", "1500,125,1500", "totals.csv:3: sender_fees is 125; expected 124: what settlement"),
    Case(
      "totals.csv", "124,1500,124", "124,1400,124", "totals.csv:3: receiver_net is 1400; expected 1500: what settlement"
    ),
    Case(
      "totals.csv", "1500,124,0", "1500,134,0", "totals.csv:3: fees is 134; expected 124: what settlement.csv adds up"),
    Case("totals.csv", "124,0,0", "124,1,0", "totals.csv:3: balance is 1; expected 0: what settlement.csv adds up to"),
    // control.csv, column by column.
    Case(
      "control.csv", "JPY,", "JPX,", "control.csv:3: JPX,1,1500,1500,0,0,0: no such line; what settlement.csv and"
    ),
    Case(
      "control.csv", "EUR,3", "EUR,4", "control.csv:2: records is 4; expected 3: what settlement.csv and exceptions.csv"
    ),
    Case(
      "control.csv", "EUR,3,118", "EUR,3,119", "control.csv:2: amount is 119.35; expected 118.35: what settlement.csv"),
    Case(
      "control.csv", "118.35,110.10", "118.35,110.11", "control.csv:2: settled is 110.11; expected 110.10: what settle"),
    Case(
      "control.csv", ",7.50,", ",7.51,", "control.csv:4: pending is 7.51; expected 7.50: what settlement.csv and exc"),
    Case(
      "control.csv", ",8.25,", ",8.26,", "control.csv:2: held is 8.26; expected 8.25: what settlement.csv and excep"),
    Case(
      "control.csv", ",10.00\n", ",10.01\n", "control.csv:4: rejected is 10.01; expected 10.00: what settlement.csv"),
    // exceptions.csv: what can be checked without the batch.
    Case("exceptions.csv", "night.jsonl,6,", "might.jsonl,6,", "exceptions.csv:3: file is "),
    Case(
      "exceptions.csv", "night.jsonl,6,", "night.jsonl,4,", "exceptions.csv:3: line is 4: rows are in batch order"),
    Case(
      "exceptions.csv", "night.jsonl,6,", "night.jsonl,06,", "exceptions.csv:3: line is 06: lines are numbered from 1"),
    Case("exceptions.csv", "6,742,", "6,642,", "exceptions.csv:3: offset is 642: later lines have larger offsets"),
    Case(
      "exceptions.csv", ",W-1,PENDING", ",S-1,PENDING", "exceptions.csv:2: pay_key is S-1: an earlier payment that is"),
    Case("exceptions.csv", ",W-1,PENDING", ",W-1,HELD", "exceptions.csv:2: code is STATUS_CREATED: a HELD payment has"),
    Case("exceptions.csv", "/subTotal", "/subTot l", "exceptions.csv:4: field is /subTot l: a field is a JSON Pointer"),
    Case(
      "exceptions.csv", "AMOUNT_NOT_POSITIVE", "NEGATIVE_AMOUNT",
      "summary.json: errors.NEGATIVE_AMOUNT is missing; expected 1"),
    Case(
      "exceptions.csv", "AMOUNT_NOT_POSITIVE", "AMOUNT_POSITIVE",
      "exceptions.csv:4: code is AMOUNT_POSITIVE: not a code"),
    Case(
      "exceptions.csv", "/status,USD,7.50", "/status,EUR,7.50", "control.csv:2: records is 3; expected 4: what settle"),
    Case("exceptions.csv", "/status,USD,7.50", "/status,USD,7.60", "control.csv:4: amount is "),
    Case(
      "exceptions.csv", "/status,USD,7.50", "/status,,", "exceptions.csv:2: amount is empty: a PENDING payment has an"),
    Case(
      "exceptions.csv", "receiverPaymentDetails,USD,3.00", "receiverPaymentDetails,USD,3.01",
      "exceptions.csv:8: amount is 3.01; expected 3.00: the row before is about the same record"),
    Case("exceptions.csv", ",580022,", ",580029,", "exceptions.csv:4: paypal_error_id is 580029: the code's is 580022"),
    Case(
      "exceptions.csv", "offset 1 of", "offset\t1 of",
      #"exceptions.csv:9: message is """h"" at offset\u00091 of the line; expected"#
    ),
    Case("exceptions.csv", "is \"\"0.00\"\"", "is \"0.00\"\"", "exceptions.csv:4: "),
    // summary.json: every key whose figure is also in other reports.
    Case(
      "summary.json", #""name":"settle""#, #""name":"setle""#, "summary.json: engine.name is setle; expected settle"),
    Case("summary.json", #""version":"1"#, #""version":" "#, "summary.json: engine.version is  "),
    Case("summary.json", #""verified""#, #""verifled""#, "summary.json: batch.controlTotals is verifled: a run"),
    Case(
      "summary.json", #""verified""#, #""absent""#,
      "summary.json: batch.controlTotals is absent; expected verified or mismatch: a batch with an identifier has"),
    Case(
      "summary.json", #""read":12"#, #""read":13"#, "summary.json: records.read is 13; expected 12: what settlement.csv"
    ),
    Case(
      "summary.json", #""settled":5"#, #""settled":4"#,
      "summary.json: records.settled is 4; expected 5: what settlement"),
    Case(
      "summary.json", #""rejected":5"#, #""rejected":4"#, "summary.json: records.rejected is 4; expected 5: what settle"
    ),
    Case(
      "summary.json", #""pending":1"#, #""pending":0"#,
      "summary.json: records.pending is 0; expected 1: what settlement"),
    Case(
      "summary.json", #""held":1"#, #""held":2"#, "summary.json: records.held is 2; expected 1: what settlement.csv and"
    ),
    Case(
      "summary.json", #""MALFORMED_JSON":1"#, #""MALFORMED_JSON":2"#,
      "summary.json: errors.MALFORMED_JSON is 2; expected"),
    Case(
      "summary.json", #""INVALID_VALUE":1,"#, "", "summary.json: errors.INVALID_VALUE is missing; expected 1: what"),
    Case(
      "summary.json", #""UNKNOWN_FIELD":1"#, #""UNKNOWN_FIELD":0"#,
      "summary.json: notices.UNKNOWN_FIELD is 0: no such key; the form is fixed"),
    Case(
      "summary.json", #""UNKNOWN_FIELD":1"#, #""UNKNOWN_FIELDS":1"#,
      "summary.json: notices.UNKNOWN_FIELDS is 1: a run"),
    Case(
      "summary.json", #""JPY","payments":1"#, #""JPY","payments":2"#,
      "summary.json: totals.JPY.payments is 2; expected 1"),
    Case(
      "summary.json", #""1500","senderFees""#, #""1400","senderFees""#, "summary.json: totals.JPY.senderAmount is 1400;"
    ),
    Case(
      "summary.json", #""senderFees":"124""#, #""senderFees":"123""#,
      "summary.json: totals.JPY.senderFees is 123; expect"),
    Case("summary.json", #""receiverNet":"1500""#, #""receiverNet":"1"#, "summary.json:1: byte "),
    Case(
      "summary.json", #""receiverNet":"1500""#, #""receiverNet":"1""#,
      "summary.json: totals.JPY.receiverNet is 1; expect"),
    Case(
      "summary.json", #""fees":"124""#, #""fees":"125""#, "summary.json: totals.JPY.fees is 125; expected 124: what set"
    ),
    Case(
      "summary.json", #""balance":"0""#, #""balance":"1""#,
      "summary.json: totals.JPY.balance is 1; expected 0: what set"),
    Case("summary.json", #",{"currency":"JPY","#, #", {"currency":"JPY","#, "summary.json:1: byte "),
    Case("summary.json", "}\n", "}\n\n", "summary.json:1: byte "),
    Case("summary.json", #"night.jsonl""#, #"n\u0069ght.jsonl""#, "summary.json:1: byte "),
    Case("summary.json", #"night.jsonl""#, #"night\u001b.jsonl""#, "summary.json: batch.files is "),
    Case("summary.json", #""UNKNOWN_FIELD""#, "\"UN\u{212A}NOWN_FIELD\"", "summary.json:1: byte "),
    Case("summary.json", #""read":12"#, #""read":12,"read":12"#, "summary.json:1: byte "),
    Case("summary.json", #""read":12"#, #""read":12,"kept":0"#, "summary.json: records.kept is 0: no such key"),
    Case("summary.json", #""read":12"#, #""read":12.0"#, "summary.json: records.read is 12.0: a run writes another"),
    Case("summary.json", #""JPY","payments":1"#, #""JPY","payments":"1""#, "summary.json:1: byte "),
    Case("summary.json", #""notices":"#, #""totals":"#, "summary.json: notices is missing: a run writes another value"),
  ]

  @Test("a change is found in its place", arguments: cases)
  func isFound(_ example: Case) throws {
    let tampered = try TamperedFolder()
    let text = String(decoding: try tampered.bytes(example.file), as: UTF8.self)
    let place = try #require(text.range(of: example.from), "\(example.file) has no \(example.from)\n\(text)")
    try tampered.write(Array(text.replacingCharacters(in: place, with: example.to).utf8), example.file)
    try tampered.mendSums()
    let findings = try tampered.findings()
    #expect(findings.first?.hasPrefix(example.says) == true, "\(findings.joined(separator: "\n"))")
    #expect(try !tampered.findings(withBatch: true).isEmpty)
  }

  private static func count(_ line: Int, _ receivers: Int, _ primaries: Int, _ reason: String) -> String {
    "settlement.csv:\(line): \(receivers) receivers follow, \(primaries) of them primary; \(reason)"
  }
  private static let chained = "a chained payment has a primary receiver and 1 to 5 secondary ones"

  /// What is replaced in all of settlement.csv, and a finding.
  static let shapes: [(changes: [(from: String, to: String)], says: String)] = [
    ([("S-1,SIMPLE", "S-1,PARALLEL")], count(2, 1, 0, "a parallel payment has 2 to 6 receivers")),
    ([("S-1,SIMPLE", "S-1,CHAINED"), ("S-1,CHAINED,RECEIVER", "S-1,CHAINED,PRIMARY")], count(2, 1, 1, chained)),
    ([("P-1,PARALLEL", "P-1,SIMPLE")], count(4, 2, 0, "a simple payment has one receiver")),
    ([("C-1,CHAINED,SECONDARY", "C-1,CHAINED,PRIMARY")], count(7, 3, 3, chained)),
    ([("P-1,", "S-1,")], "settlement.csv:4: pay_key is S-1: an earlier payment has the same pay key"),
  ]

  @Test("payments of another shape, or with the key of another one", arguments: shapes)
  func shape(changes: [(from: String, to: String)], says: String) throws {
    let tampered = try TamperedFolder()
    var text = String(decoding: try tampered.bytes("settlement.csv"), as: UTF8.self)
    for change in changes { text = text.replacingOccurrences(of: change.from, with: change.to) }
    try tampered.write(Array(text.utf8), "settlement.csv")
    try tampered.mendSums()
    let findings = try tampered.findings()
    #expect(findings.contains(says), "\(findings.joined(separator: "\n"))")
  }

  private static func agreement(_ key: String) -> String {
    #"{"type":"preapproval","preapprovalKey":"\#(key)","createdAt":"2026-11-20T08:00:00Z","#
      + #""senderEmail":"ann@m.example","startingDate":"2026-11-20Z","endingDate":"2026-11-30Z","#
      + #""currencyCode":"USD","maxTotalAmountOfAllPayments":"5"}"#
  }

  @Test(
    "a change of preapprovals.csv",
    arguments: [
      ("A-1,", "A-3,", "3: preapproval_key is A-2: agreements are in the order of their keys"),
      ("A-1,", "A-2,", "3: preapproval_key is A-2: agreements are in the order of their keys"),
      ("PENDING", "STARTED", "2: status is STARTED: a status is PENDING, ACTIVE or CANCELED"),
      ("ann@", "Ann@", "2: sender is Ann@m.example: an account is an email address or a phone number, in lower case"),
      (",0.00", ",-0.01", "2: amount is -0.01: an amount of zero or more in USD"),
      (",0,", ",no,", "2: payments is no: a number of payments is written in digits"),
    ])
  func agreements(from: String, to: String, says: String) throws {
    let tampered = try TamperedFolder(Array("\(Self.agreement("A-1"))\n\(Self.agreement("A-2"))".utf8))
    let text = String(decoding: try tampered.bytes("preapprovals.csv"), as: UTF8.self)
    let place = try #require(text.range(of: from))
    try tampered.write(Array(text.replacingCharacters(in: place, with: to).utf8), "preapprovals.csv")
    try tampered.mendSums()
    #expect(try tampered.findings() == ["preapprovals.csv:" + says])
  }

  @Test("errors of a record in another order than the table's")
  func errorOrder() throws {
    let tampered = try TamperedFolder()
    var rows = try tampered.lines("exceptions.csv")
    rows.swapAt(3, 4)
    try tampered.write(rows, to: "exceptions.csv")
    try tampered.mendSums()
    let says = "exceptions.csv:5: code is AMOUNT_NOT_POSITIVE: errors are in the order of the error table"
    #expect(try tampered.findings() == [says])
  }

  @Test("untouched reports verify, alone and with the batch")
  func untouched() throws {
    let tampered = try TamperedFolder()
    #expect(try tampered.findings() == [])
    #expect(try tampered.findings(withBatch: true) == [])
    let result = try tampered.verify()
    #expect(result.payments == 5 && result.rows == 13 && result.receivers == 7 && result.currencies == 3)
  }
}
