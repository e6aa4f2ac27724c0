import Testing

@testable import Input
import JSON

@Suite("Texts of a conformance suite: as the whole line, in an unread field, in a tree")
struct ConformanceTests {
  private func inField(_ text: [UInt8]) -> [UInt8] {
    Array(#"{"payKey":"P-1","x":"#.utf8) + text + Array("}".utf8)
  }

  @Test("texts to be accepted", arguments: ConformanceTexts.taken)
  func takes(_ example: ConformanceTexts.Example) {
    let isObject = example.text.first { $0 > 0x20 } == UInt8(ascii: "{")
    #expect(ScannedLine(example.text).form == (isObject ? .object : .notAnObject))
    let inField = ScannedLine(inField(example.text))
    #expect(inField.form == .object)
    #expect(inField.values[.payKey] == Array("P-1".utf8))
    #expect(ScannedLine(example.text, ending: [0x0D, 0x0A]).form == (isObject ? .object : .notAnObject))
    #expect((try? JSONTree(parsing: example.text)) != nil)
  }

  @Test("texts to be refused", arguments: ConformanceTexts.refused)
  func refuses(_ example: ConformanceTexts.Example) {
    let isEncoding = ConformanceTexts.encodings.contains { $0.name == example.name }
    let form = isEncoding ? RecordForm.invalidUTF8 : .malformed
    #expect(ScannedLine(example.text).form == form)
    #expect(ScannedLine(example.text, ending: [0x0D, 0x0A]).form == form)
    #expect(ScannedLine(inField(example.text)).form == form)
    #expect((try? JSONTree(parsing: example.text)) == nil)
  }

  static let nests: [(open: String, close: String)] = [
    ("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]"), (#"{"receiverPaymentDetails":["#, "]}"),
    (#"{"invoiceData":"#, "}"),
  ]

  @Test("at most 64 levels, of whatever kind", arguments: nests)
  func depth(open: String, close: String) {
    let levels = open.filter { $0 == "[" || $0 == "{" }.count
    for depth in stride(from: 64 / levels * levels, through: 66, by: levels) {
      let count = depth / levels
      let text = String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
      let form = depth > 64 ? RecordForm.malformed : open.hasPrefix("{") ? .object : .notAnObject
      #expect(ScannedLine(text).form == form, "\(depth) levels")
      #expect(((try? JSONTree(parsing: Array(text.utf8))) != nil) == (depth <= 64), "\(depth) levels")
    }
  }

  @Test("levels are counted from the record, in each of its objects", arguments: [0, 1])
  func depthWithin(over: Int) {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    let lines = [
      #"{"x":\#(nested(63 + over))}"#,
      #"{"totals":\#(nested(63 + over))}"#,
      #"{"receiverPaymentDetails":[\#(nested(62 + over))]}"#,
      #"{"receiverPaymentDetails":[{"x":\#(nested(61 + over))}]}"#,
      #"{"receiverPaymentDetails":[{"invoiceData":{"x":\#(nested(60 + over))}}]}"#,
      #"{"receiverPaymentDetails":[{"invoiceData":{"invoiceItems":[\#(nested(59 + over))]}}]}"#,
      #"{"receiverPaymentDetails":[{"invoiceData":{"invoiceItems":[{"x":\#(nested(58 + over))}]}}]}"#,
      #"{"invoiceData":{"invoiceItems":[{"name":\#(nested(60 + over))}]}}"#,
    ]
    for line in lines { #expect(ScannedLine(line).form == (over == 0 ? .object : .malformed), "\(line)") }
  }
}
