import TestOracles
import TestSupport
import Testing

@testable import Input
import JSON

@Suite("The record scanner compared with Foundation's JSON reader")
struct ScannerOracleTests {
  @Test("random texts, unchanged and with one byte changed, inserted or removed")
  func agrees() {
    var texts = RandomJSON(random: SeededGenerator())
    var counts: [RecordForm: Int] = [:]
    for number in rounds(4000) {
      let text = texts.text()
      for line in [text] + (0..<3).map({ _ in texts.mutated(text) }) {
        let form = ScannedLine(line, alignment: number % 8, ending: number % 2 == 0 ? [0x0A] : [0x0D, 0x0A]).form
        let expected = JSONOracle.form(line)
        #expect(form == expected, "\(String(decoding: line, as: UTF8.self)); \(texts.random.reproduction)")
        #expect(treeAccepts(line) == (expected == .object || expected == .notAnObject), "\(texts.random.reproduction)")
        counts[form, default: 0] += 1
      }
    }
    // Each verdict must occur often, so that none goes untested.
    for form in [RecordForm.object, .notAnObject, .malformed, .invalidUTF8] {
      #expect(counts[form, default: 0] > 200, "\(form)")
    }
  }

  @Test("texts with two or more changes")
  func agreesOnRubble() {
    var texts = RandomJSON(random: SeededGenerator())
    for _ in rounds(2000) {
      var line = texts.text()
      for _ in 0..<4 { line = texts.mutated(line) }
      let form = ScannedLine(line).form
      #expect(
        form == JSONOracle.form(line), "\(String(decoding: line, as: UTF8.self)); \(texts.random.reproduction)")
    }
  }

  @Test(
    "the oracle's own corrections",
    arguments: [
      ("[1,]", RecordForm.malformed), (#"{"a":",]"}"#, .object), (#"["\",]"]"#, .notAnObject),
      ("{\"a\":1, }", .malformed),
      ("1e999", .notAnObject), (#""1e999""#, .notAnObject), ("1e9x", .malformed), ("\u{FEFF}1", .malformed),
      ("[1]\u{0}", .malformed),
    ])
  func corrects(text: String, form: RecordForm) {
    #expect(JSONOracle.form(Array(text.utf8)) == form)
    #expect(ScannedLine(text).form == form)
  }

  private func treeAccepts(_ line: [UInt8]) -> Bool { (try? JSONTree(parsing: line)) != nil }
}
