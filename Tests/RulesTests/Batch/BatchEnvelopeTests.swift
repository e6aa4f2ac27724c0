import ExactArithmetic
import Testing

@testable import Rules

@Suite("Header, trailer and the order of a batch")
struct BatchEnvelopeTests {
  static let header = #"{"type":"header","batchId":"B-1"}"#
  static let trailer = #"{"type":"trailer","recordCount":0,"totals":{}}"#
  static let record = #"{"payKey":"A"}"#

  /// What a batch of these lines comes to: its error's code and message, or the state of the control totals.
  static func outcome(_ lines: [String]) -> String {
    var framing = BatchEnvelope()
    var totals = ControlTotals()
    do throws(BatchError) {
      for (index, line) in lines.enumerated() {
        var assessor = RecordAssessor()
        let place = BatchEnvelope.Place(file: "f", line: index + 1)
        let bytes = Array(line.utf8)
        let padded = bytes + [0x0A] + Array(repeating: 0, count: 32)
        var recordClass = RecordClass.record
        padded.withUnsafeBufferPointer { buffer in
          guard let start = buffer.baseAddress else { return }
          recordClass = assessor.assess(start, count: bytes.count)
          if recordClass == .record { totals.count(&assessor) }
        }
        switch recordClass {
        case .header: try framing.takeHeader(bytes, hasDuplicateField: assessor.hasDuplicateField, at: place)
        case .trailer: try framing.takeTrailer(bytes, hasDuplicateField: assessor.hasDuplicateField, at: place)
        case .record, .tooWide: try framing.takeRecords(1, at: place)
        }
      }
      let (state, mismatch) = try framing.finish(totals, beginning: BatchBeginning(bytes: [0x3F]))
      return mismatch?.description ?? state.rawValue
    } catch {
      return error.description
    }
  }

  static let orders: [(lines: [String], outcome: String)] = [
    ([], "absent"), ([record], "absent"), ([header, trailer], "verified"), ([trailer], "verified"),
    ([header], "TRAILER_MISSING: f: the batch has a header (line 1) but no trailer; it was cut short"),
    (
      [header, record],
      "TRAILER_MISSING: f: the batch has a header (line 1) but no trailer; it was cut short"
    ),
    ([record, header], "HEADER_NOT_FIRST: f:2: a header after other records; expected it first"),
    (["nonsense", header], "HEADER_NOT_FIRST: f:2: a header after other records; expected it first"),
    ([header, header], "HEADER_NOT_FIRST: f:2: a second header"),
    ([trailer, header], "HEADER_NOT_FIRST: f:2: a header after other records; expected it first"),
    ([trailer, trailer], "TRAILER_NOT_LAST: f:2: a second trailer after that of line 1"),
    (
      [header, trailer, record],
      "TRAILER_NOT_LAST: f:3: a record follows the trailer of line 2; expected the trailer last"
    ),
    ([trailer, "[]"], "TRAILER_NOT_LAST: f:2: a record follows the trailer of line 1; expected the trailer last"),
    // Of one line: misplaced before invalid.
    (
      [record, #"{"type":"header","batchId":5}"#],
      "HEADER_NOT_FIRST: f:2: a header after other records; expected it first"
    ),
    ([trailer, #"{"type":"trailer"}"#], "TRAILER_NOT_LAST: f:2: a second trailer after that of line 1"),
    // In reading order: an invalid trailer before what follows it.
    (
      [#"{"type":"trailer","recordCount":"0","totals":{}}"#, record],
      "INVALID_TRAILER: f:1: recordCount is not valid; expected a number of digits alone"
    ),
    // A line that is no JSON is a record, whatever it looks like.
    ([#"{"type":"header""#, record], "absent"),
    // No record is an object.
    ([#"{"type":"header""#], "NOT_A_BATCH: none of the 1 records is a JSON object; it begins with ?"),
    (["[]", "5", "\u{1}"], "NOT_A_BATCH: none of the 3 records is a JSON object; it begins with ?"),
    (
      ["[]", trailer],
      "CONTROL_COUNT_MISMATCH: f:2: the trailer counts 0 records, 1 was read; 1 of 1 record has no control amount"
    ),
    ([header, "[]"], "TRAILER_MISSING: f: the batch has a header (line 1) but no trailer; it was cut short"),
  ]

  @Test("the order of lines", arguments: orders)
  func order(lines: [String], outcome: String) {
    #expect(Self.outcome(lines) == outcome)
  }

  static let others: [(beginning: [UInt8], says: String)] = [
    ([0x04, 0x22, 0x4D, 0x19, 0x64], "it begins like LZ4, but for 1 bit: a damaged LZ4 file"),
    ([0x14, 0x22, 0x0D, 0x18], "it begins like LZ4, but for 2 bits: a damaged LZ4 file"),
    ([0x04, 0x22, 0x4D], "it begins with the bytes 04 22 4D, which are no text"),
    (Array("\u{7F}ELF\u{2}\u{1}".utf8), "it begins with the bytes 7F 45 4C 46 02 01, which are no text"),
    (Array("\r\n<!DOCTYPE html>\n<html>".utf8), "it begins with <!DOCTYPE html>: a web page, or XML"),
    (Array("Pay 4111 1111 1111 1111 now".utf8), "it begins with Pay ..."),
    (Array(#"{'cvv2':'123'}"#.utf8), #"it begins with {'cvv..."#), (Array("123,4".utf8), "it begins with a digit"),
    (Array(String(repeating: "x", count: 50).utf8), "it begins with \(String(repeating: "x", count: 37))..."),
  ]

  @Test("a file that is no batch: what it seems to be", arguments: others)
  func otherFiles(beginning: [UInt8], says: String) {
    #expect(OtherFile.described(beginning) == says)
  }

  @Test(
    "a limit of rejected records, as it is written, and what it takes",
    arguments: [
      ("0", 1, 100), ("2", 3, 100), ("20%", 21, 100), ("0%", 1, 100), ("0.5%", 6, 1000), ("33.3%", 1, 3),
      ("100%", nil, 7),
      ("", nil, nil), ("-1", nil, nil), ("+1", nil, nil), ("1.5", nil, nil), ("%", nil, nil), ("101%", nil, nil),
      ("-1%", nil, nil), ("20 %", nil, nil), ("x", nil, nil), ("99999999999999999999", nil, nil),
    ] as [(String, Int?, Int?)])
  func rejectionLimit(text: String, tooMany: Int?, read: Int?) throws {
    guard let read else { return #expect(RejectionLimit(text) == nil) }
    let limit = try #require(RejectionLimit(text))
    for rejected in 0...read {
      var totals = ControlTotals()
      for number in 0..<read { totals.countUnsettled(number < rejected ? .rejected : .held, control: nil) }
      #expect((limit.error(totals) != nil) == (rejected >= tooMany ?? .max), "\(rejected) of \(read)")
    }
    #expect(limit.error(ControlTotals()) == nil)
  }

  static let headers: [(fields: String, complaint: String?)] = [
    (#""batchId":"A.z_0-9""#, nil), (##""batchId":".""##, nil), (#""batchId":null"#, nil), ("", nil),
    ("\"batchId\":\"\(String(repeating: "x", count: 64))\"", nil),
    (#""createdAt":"2026-11-20T08:30:00Z""#, nil), (#""createdAt":null,"isPrimary":5,"other":{}"#, nil),
    (#""b\u0061tchId":"B""#, nil),
    ("\"batchId\":\"\"", "batchId"), (#""batchId":5"#, "batchId"), (#""batchId":"a b""#, "batchId"),
    (#""batchId":"é""#, "batchId"), (#""batchId":[]"#, "batchId"),
    ("\"batchId\":\"\(String(repeating: "x", count: 65))\"", "batchId"),
    (#""createdAt":"2026-11-20""#, "createdAt"), ("\"createdAt\":\"\"", "createdAt"), (#""createdAt":0"#, "createdAt"),
    (#""batchId":"a","batchId":"b""#, "twice"), (#""memo":1,"memo":2"#, "twice"),
    (#""receiverPaymentDetails":[{"recipient":1,"recipient":2}]"#, "twice"),
  ]

  @Test("the fields of a header", arguments: headers)
  func header(fields: String, complaint: String?) {
    let line = #"{"type":"header"\#(fields.isEmpty ? "" : ",")\#(fields)}"#
    let outcome = Self.outcome([line, Self.trailer])
    switch complaint {
    case nil: #expect(outcome == "verified")
    case "twice"?: #expect(outcome == "INVALID_HEADER: f:1: a field stands twice in one object")
    case let name?: #expect(outcome.hasPrefix("INVALID_HEADER: f:1: \(name) is not valid; expected "), "\(outcome)")
    }
  }

  static let digits256 = "1" + String(repeating: "0", count: 255)
  static let totalsExpectation = "expected an object of currency codes with amounts of zero or more"

  static let trailers: [(fields: String, reason: String?)] = [
    (#""recordCount":0"#, "totals is missing; \(totalsExpectation)"),
    (#""recordCount":0,"totals":null"#, "totals is missing; \(totalsExpectation)"),
    (#""recordCount":0,"totals":[]"#, "totals is not valid; \(totalsExpectation)"),
    (#""totals":{}"#, "recordCount is missing; expected a number of digits alone"),
    (#""recordCount":-0,"totals":{}"#, "recordCount is not valid; expected a number of digits alone"),
    (#""recordCount":0.0,"totals":{}"#, "recordCount is not valid; expected a number of digits alone"),
    (#""recordCount":0e0,"totals":{}"#, "recordCount is not valid; expected a number of digits alone"),
    (#""recordCount":"0","totals":{}"#, "recordCount is not valid; expected a number of digits alone"),
    (#""recordCount":true,"totals":{}"#, "recordCount is not valid; expected a number of digits alone"),
    (#""recordCount":0,"totals":{"XXX":"1"}"#, "totals is not valid; expected only codes that settle currencies lists"),
    (#""recordCount":0,"totals":{"usd":"0"}"#, "totals is not valid; expected only codes that settle currencies lists"),
    (#""recordCount":0,"totals":{"USD":"-1"}"#, "totals is not valid; expected an amount of zero or more for USD"),
    (#""recordCount":0,"totals":{"USD":"0.001"}"#, "totals is not valid; expected an amount of zero or more for USD"),
    (#""recordCount":0,"totals":{"JPY":0.5}"#, "totals is not valid; expected an amount of zero or more for JPY"),
    (#""recordCount":0,"totals":{"USD":"x"}"#, "totals is not valid; expected an amount of zero or more for USD"),
    (#""recordCount":0,"totals":{"USD":true}"#, "totals is not valid; expected an amount of zero or more for USD"),
    (#""recordCount":0,"totals":{"USD":1e65}"#, "totals is not valid; expected an amount of zero or more for USD"),
    (
      #""recordCount":0,"totals":{"USD":\#(digits256)0}"#,
      "totals is not valid; expected an amount of zero or more for USD"
    ),
    (#""recordCount":0,"totals":{"USD":0,"USD":0}"#, "totals is not valid; a currency is given twice"),
    (#""recordCount":0,"totals":{"USD":null,"U\u0053D":"1"}"#, "totals is not valid; a currency is given twice"),
    (#""recordCount":0,"totals":{},"totals":{}"#, "a field stands twice in one object"),
    (#""recordCount":0,"totals":{"USD":null,"XXX":null,"EUR":-0,"JPY":"0e-3"},"other":1"#, nil),
  ]

  @Test("the fields of a trailer", arguments: trailers)
  func trailer(fields: String, reason: String?) {
    let outcome = Self.outcome([#"{"type":"trailer",\#(fields)}"#])
    #expect(outcome == (reason.map { "INVALID_TRAILER: f:1: \($0)" } ?? "verified"))
  }
}
