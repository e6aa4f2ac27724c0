import Failures
import Testing

@testable import Rules

@Suite("Header, trailer and the order of a batch")
struct BatchEnvelopeTests {
  static let header = #"{"type":"header","batchId":"B-1"}"#
  static let trailer = #"{"type":"trailer","recordCount":0,"totals":{}}"#
  static let record = #"{"payKey":"A"}"#

  /// The result for a batch of these lines: its error's code and message, or the state of the control totals.
  static func outcome(_ lines: [String]) -> String {
    var framing = BatchEnvelope()
    var totals = ControlTotals()
    do throws(BatchError) {
      for (index, line) in lines.enumerated() {
        var judge = RecordJudge()
        let place = BatchEnvelope.Place(file: "f", line: index + 1)
        let bytes = Array(line.utf8)
        let recordClass = judge.judge(bytes.span)
        if recordClass == .record { totals.count(&judge) }
        switch recordClass {
        case .header: try framing.readHeader(bytes, hasDuplicateField: judge.judgement.hasDuplicateField, at: place)
        case .trailer: try framing.readTrailer(bytes, hasDuplicateField: judge.judgement.hasDuplicateField, at: place)
        case .record, .tooWide: try framing.countRecords(1, at: place)
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
    // For one line: misplaced before invalid.
    (
      [record, #"{"type":"header","batchId":5}"#],
      "HEADER_NOT_FIRST: f:2: a header after other records; expected it first"
    ),
    ([trailer, #"{"type":"trailer"}"#], "TRAILER_NOT_LAST: f:2: a second trailer after that of line 1"),
    // In reading order: an invalid trailer before what follows it.
    (
      [#"{"type":"trailer","recordCount":"0","totals":{}}"#, record],
      #"INVALID_TRAILER: f:1: recordCount is "0"; expected a number of digits alone"#
    ),
    // A line that is not JSON is a record, whatever it looks like.
    ([#"{"type":"header""#, record], "absent"),
    // No record is an object.
    ([#"{"type":"header""#], #"NOT_A_BATCH: the only record cannot be read as a JSON object; it begins with "?""#),
    (["[]", "5", "\u{1}"], #"NOT_A_BATCH: none of the 3 records can be read as a JSON object; it begins with "?""#),
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
    ([0x04, 0x22, 0x4D, 0x19, 0x64], "it begins like LZ4, except for 1 bit: a damaged LZ4 file"),
    ([0x14, 0x22, 0x0D, 0x18], "it begins like LZ4, except for 2 bits: a damaged LZ4 file"),
    ([0x04, 0x22, 0x4D], "it begins with the bytes 04 22 4D, which are not text"),
    (Array("\u{7F}ELF\u{2}\u{1}".utf8), "it begins with the bytes 7F 45 4C 46 02 01, which are not text"),
    (Array("\r\n<!DOCTYPE html>\n<html>".utf8), #"it begins with "<!DOCTYPE html>": a web page, or XML"#),
    (Array("Pay 4111 1111 1111 1111 now".utf8), #"it begins with "Pay ...""#),
    (Array("123,4".utf8), "it begins with a digit"),
    (
      Array("\u{FEFF}order;shop;amount\r\n17;a@b.example;12,50\r\n".utf8),
      #"it begins with "order;shop;amount": CSV with semicolons between the fields, which a batch is not"#
    ),
    (Array("order,shop\n".utf8), #"it begins with "order,shop""#),
    (Array(String(repeating: "x", count: 50).utf8), "it begins with \"\(String(repeating: "x", count: 37))...\""),
    (
      Array(#"{'cvv2':'123'}"#.utf8),
      #""'" at offset 1 of the first line; expected a name in quotes; JSON uses double quotes"#
    ),
    (
      Array("\u{FEFF}\r\n{\"a\":1}\r{".utf8),
      #""{" at offset 8 of the first line; expected the end of the line; lines end in CR alone; expected LF or CR LF "#
        + #"(tr '\r' '\n' converts them)"#
    ),
    (
      Array("{\"memo\":\"".utf8) + [0xFC] + Array("\"}\n".utf8),
      #"byte 0xFC at offset 9 of the first line is not UTF-8; it looks like Windows-1252 or Latin-1, where it is "ü" "#
        + "(iconv -f WINDOWS-1252 -t UTF-8 converts it)"
    ),
    (
      [0xFF, 0xFE, 0x7B, 0x00, 0x22, 0x00],
      "byte 0xFF at offset 0 of the first line is not JSON; it looks like UTF-16LE; expected UTF-8 "
        + "(iconv -f UTF-16LE -t UTF-8 converts it)"
    ),
    // The fault comes after the bytes that are looked at.
    (
      Array("{\"memo\":\"".utf8) + Array(repeating: 0xC3, count: 4087).enumerated().map { $0 % 2 == 0 ? $1 : 0xBC },
      "2 are not UTF-8; settle validate says what is wrong with each"
    ),
  ]

  @Test("a file that is not a batch: what it seems to be", arguments: others)
  func otherFiles(beginning: [UInt8], says: String) {
    #expect(OtherFile.described(beginning, notUTF8: 2) == says)
  }

  @Test(
    "a limit of rejected records, as written, and what it allows",
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

  private static let batchID = "expected 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen"
  private static let time = "expected an RFC 3339 date-time like 2026-11-20T08:30:00Z"
  private static let twice = "a field is given twice in one object"

  static let headers: [(fields: String, complaint: String?)] = [
    (#""batchId":"A.z_0-9""#, nil), (##""batchId":".""##, nil), (#""batchId":null"#, nil), ("", nil),
    ("\"batchId\":\"\(String(repeating: "x", count: 64))\"", nil),
    (#""createdAt":"2026-11-20T08:30:00Z""#, nil), (#""createdAt":null,"isPrimary":5,"other":{}"#, nil),
    (#""b\u0061tchId":"B""#, nil),
    ("\"batchId\":\"\"", #"batchId is ""; \#(batchID)"#), (#""batchId":5"#, #"batchId is "5"; \#(batchID)"#),
    (#""batchId":"a b\u00a0""#, #"batchId is "a b\u00a0"; \#(batchID)"#),
    (#""batchId":"é""#, #"batchId is "é"; \#(batchID)"#), (#""batchId":[]"#, "batchId is an array; \(batchID)"),
    (#""batchId":true"#, "batchId is true; \(batchID)"),
    (
      "\"batchId\":\"\(String(repeating: "x", count: 65))\"",
      "batchId is \"\(String(repeating: "x", count: 61))...\"; \(batchID)"
    ),
    (#""batchId":"4111111111111111 ""#, #"batchId is "************1111 "; \#(batchID)"#),
    (#""createdAt":"2026-11-20""#, #"createdAt is "2026-11-20"; \#(time)"#),
    (
      #""createdAt":"2026-02-30T08:00:00Z""#,
      #"createdAt is "2026-02-30T08:00:00Z"; \#(time); there is no 30 February 2026"#
    ),
    (#""createdAt":0"#, #"createdAt is "0"; \#(time)"#),
    (#""batchId":"a","batchId":"b""#, twice), (#""memo":1,"memo":2"#, twice),
    (#""receiverPaymentDetails":[{"recipient":1,"recipient":2}]"#, twice),
  ]

  @Test("the fields of a header", arguments: headers)
  func header(fields: String, complaint: String?) {
    let line = #"{"type":"header"\#(fields.isEmpty ? "" : ",")\#(fields)}"#
    let outcome = Self.outcome([line, Self.trailer])
    #expect(outcome == (complaint.map { "INVALID_HEADER: f:1: \($0)" } ?? "verified"))
  }

  static let digits256 = "1" + String(repeating: "0", count: 255)
  private static let object = "expected an object of currency codes with amounts of zero or more"
  private static let count = "expected a number of digits alone"
  private static let code = "expected a code that settle currencies lists"
  private static let amount = "expected an amount of zero or more; USD takes at most 2 decimals"

  static let trailers: [(fields: String, reason: String?)] = [
    (#""recordCount":0"#, "totals is missing; \(object)"),
    (#""recordCount":0,"totals":null"#, "totals is missing; \(object)"),
    (#""recordCount":0,"totals":[]"#, "totals is an array; \(object)"),
    (#""totals":{}"#, "recordCount is missing; \(count)"),
    (#""recordCount":-0,"totals":{}"#, #"recordCount is "-0"; \#(count)"#),
    (#""recordCount":0.0,"totals":{}"#, #"recordCount is "0.0"; \#(count)"#),
    (#""recordCount":0e0,"totals":{}"#, #"recordCount is "0e0"; \#(count)"#),
    (#""recordCount":"0","totals":{}"#, #"recordCount is "0"; \#(count)"#),
    (#""recordCount":true,"totals":{}"#, "recordCount is true; \(count)"),
    (#""recordCount":0,"totals":{"XXX":"1"}"#, #"a currency of totals is "XXX"; \#(code)"#),
    (#""recordCount":0,"totals":{"usd":"0"}"#, #"a currency of totals is "usd"; \#(code)"#),
    (#""recordCount":0,"totals":{"USD":"-1"}"#, #"USD of totals is "-1"; \#(amount)"#),
    (#""recordCount":0,"totals":{"USD":"0.001"}"#, #"USD of totals is "0.001"; \#(amount)"#),
    (
      #""recordCount":0,"totals":{"JPY":0.5}"#,
      #"JPY of totals is "0.5"; expected an amount of zero or more; JPY takes no decimals"#
    ),
    (#""recordCount":0,"totals":{"USD":"x"}"#, #"USD of totals is "x"; \#(amount)"#),
    (#""recordCount":0,"totals":{"USD":true}"#, "USD of totals is true; \(amount)"),
    (#""recordCount":0,"totals":{"USD":1e65}"#, #"USD of totals is "1e65"; \#(amount)"#),
    (
      #""recordCount":0,"totals":{"USD":\#(digits256)0}"#,
      #"USD of totals is "\#(digits256.prefix(61))..."; \#(amount)"#
    ),
    (#""recordCount":0,"totals":{},"refundTotals":{"USD":"x"}"#, #"USD of refundTotals is "x"; \#(amount)"#),
    (#""recordCount":0,"totals":{"USD":0,"USD":0}"#, #"totals has "USD" twice; expected each currency once"#),
    (#""recordCount":0,"totals":{"USD":null,"U\u0053D":"1"}"#, #"totals has "USD" twice; expected each currency once"#),
    (#""recordCount":0,"totals":{},"totals":{}"#, twice),
    (#""recordCount":0,"totals":{"USD":null,"XXX":null,"EUR":-0,"JPY":"0e-3"},"other":1"#, nil),
  ]

  @Test("the fields of a trailer", arguments: trailers)
  func trailer(fields: String, reason: String?) {
    let outcome = Self.outcome([#"{"type":"trailer",\#(fields)}"#])
    #expect(outcome == (reason.map { "INVALID_TRAILER: f:1: \($0)" } ?? "verified"))
  }
}
