import ExactArithmetic
import Rules
import Testing

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
        var assessor = RecordAssessor(schedule: .published)
        let place = BatchEnvelope.Place(file: "f", line: index + 1)
        let bytes = Array(line.utf8)
        let padded = bytes + [0x0A] + Array(repeating: 0, count: 32)
        var recordClass = RecordClass.record
        padded.withUnsafeBufferPointer { buffer in
          guard let start = buffer.baseAddress else { return }
          recordClass = assessor.assess(start, count: bytes.count)
          if recordClass == .record { totals.count(assessor) }
        }
        switch recordClass {
        case .header: try framing.takeHeader(bytes, hasDuplicateField: assessor.hasDuplicateField, at: place)
        case .trailer: try framing.takeTrailer(bytes, hasDuplicateField: assessor.hasDuplicateField, at: place)
        case .record, .tooWide: try framing.takeRecords(1, at: place)
        }
      }
      let (state, mismatch) = try framing.finish(totals)
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
    ([#"{"type":"header""#], "absent"),
  ]

  @Test("the order of lines", arguments: orders)
  func order(lines: [String], outcome: String) {
    #expect(Self.outcome(lines) == outcome)
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
    (#""recordCount":0,"totals":{"XXX":"1"}"#, "totals is not valid; expected only codes of the 24 currencies"),
    (#""recordCount":0,"totals":{"usd":"0"}"#, "totals is not valid; expected only codes of the 24 currencies"),
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
