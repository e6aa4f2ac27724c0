import JSON
import Documents
import Testing
import Text

/// Everything that is written can be read back, and nothing else can be read.
@Suite("Reading summary.json")
struct SummaryReadingTests {
  private static let text = #"""
    {"engine":{"name":"settle","version":"1.2.3"},"batch":{"id":"B-1","controlTotals":"verified","files":[\#
    {"name":"a \"b\"\\c é.jsonl","bytes":1234,"sha256":"\#(String(repeating: "0a", count: 32))"}]},\#
    "records":{"read":3,"settled":1,"rejected":2,"pending":0,"held":0,"refunded":0,"preapprovals":0},\#
    "errors":{"INVALID_VALUE":2},\#
    "notices":{"UNKNOWN_FIELD":1},"totals":[{"currency":"USD","payments":1,"senderAmount":"25.00",\#
    "senderFees":"0.00","receiverNet":"23.97","fees":"1.03","balance":"0.00","refunds":0,\#
    "refunded":"0.00","receiverDebit":"0.00","feesReturned":"0.00"}]}

    """#

  private static func rewritten(_ text: String) throws -> String {
    var written = TextBuffer()
    try SummaryReport(reading: JSONNode(JSONTree(parsing: Array(text.utf8)))).write(to: &written)
    return written.string
  }

  /// The text with a day, which summaries of older versions lack.
  private static func text(day: String) -> String {
    text.replacing(#""records""#, with: #""day":\#(day),"records""#)
  }

  @Test("every value is written as it was read", arguments: [text, text(day: #""2026-10-30""#), text(day: "null")])
  func roundTrip(text: String) throws { #expect(try Self.rewritten(text) == text) }

  @Test("a day that does not exist is reported", arguments: [#""2026-02-30""#, #""2026-10-3""#, "20261030", "[]"])
  func noDay(day: String) throws {
    let tree = try JSONTree(parsing: Array(Self.text(day: day).utf8))
    #expect { try SummaryReport(reading: JSONNode(tree)) } throws: { ($0 as? JSONFault)?.node.path.dotted() == "day" }
  }

  static let faults: [(from: String, to: String, key: String)] = [
    (#""1.2.3""#, #""1 2""#, "engine.version"), (#""1.2.3""#, "1", "engine.version"), (#""B-1""#, "7", "batch.id"),
    (#""verified""#, #""Verified""#, "batch.controlTotals"), (#""files""#, #""file""#, "batch.files"),
    ("1234", "-1", "batch.files"), ("0a0a", "0A0a", "batch.files"), ("a ", #"\u000a "#, "batch.files"),
    (#""read":3"#, #""read":3.5"#, "records.read"), (#","held":0"#, "", "records.held"),
    ("INVALID_VALUE", "INVALID_VALUES", "errors.INVALID_VALUES"),
    (#"FIELD":1"#, #"FIELD":"1""#, "notices.UNKNOWN_FIELD"),
    (#""fees":"1.03","#, "", "totals"), (#""notices":{"UNKNOWN_FIELD":1}"#, #""notices":[]"#, "notices"),
  ]

  @Test("a value that no run writes is reported by its key", arguments: faults)
  func fault(from: String, to: String, key: String) throws {
    let text = Self.text.replacing(from, with: to)
    #expect(text != Self.text)
    let tree = try JSONTree(parsing: Array(text.utf8))
    do throws(JSONFault) {
      _ = try SummaryReport(reading: JSONNode(tree))
      Issue.record("read \(text)")
    } catch {
      #expect(error.node.path.dotted() == key)
    }
  }

  static let forms: [(from: String, to: String)] = [
    (#""records""#, #" "records""#), (#""pending":0,"held":0"#, #""held":0,"pending":0"#), ("}\n", "}"),
    (#""read":3"#, #""read":3,"more":1"#), (#""payments":1"#, #""payments":"1""#), ("25.00", #"\u00325.00"#),
    (#""UNKNOWN_FIELD":1"#, #""UNKNOWN_FIELD":0"#), ("UNKNOWN", "UN\u{212A}NOWN"), (#""settle""#, #""Settle""#),
  ]

  @Test("a text in another form is written differently", arguments: forms)
  func form(from: String, to: String) throws {
    let text = Self.text.replacing(from, with: to)
    #expect(!text.utf8.elementsEqual(Self.text.utf8))
    #expect(try !Self.rewritten(text).utf8.elementsEqual(text.utf8))
  }
}
