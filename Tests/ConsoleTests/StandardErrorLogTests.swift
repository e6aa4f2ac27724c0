import ExactArithmetic
import Foundation
import Logging
import Testing

@testable import Console

@Suite("Lines on standard error")
struct StandardErrorLogTests {
  @Test("text: plain sentences for errors, warnings and notices; time and level for the rest")
  func text() {
    let entries: [(key: String, value: Logger.MetadataValue)] = [
      ("files", .array([["name": "a\nb", "bytes": .stringConvertible(7)], "x"])),
      ("seconds", .stringConvertible(ExactDecimal(1050, exponent: -3))),
    ]
    #expect(StandardErrorLog.text(.error, "a.jsonl: cannot be read", []) == "settle: error: a.jsonl: cannot be read")
    let place: StandardErrorLog.Entries = [
      ("code", "TRAILER_NOT_LAST"), ("file", "a\nb.jsonl"), ("line", .stringConvertible(7)),
    ]
    #expect(
      StandardErrorLog.text(.error, "TRAILER_NOT_LAST: a second", place)
        == #"a\u000ab.jsonl:7: error: TRAILER_NOT_LAST: a second"#)
    #expect(StandardErrorLog.text(.warning, "totals disagree", place) == #"a\u000ab.jsonl:7: warning: totals disagree"#)
    #expect(StandardErrorLog.text(.warning, "totals disagree", entries) == "settle: warning: totals disagree")
    #expect(StandardErrorLog.text(.notice, "1 record", entries) == "1 record")
    let line = StandardErrorLog.text(.info, "run ended", entries)
    #expect(
      line.wholeMatch(
        of:
          /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info: run ended files=\[{bytes=7 name=a\\u000ab} x\] seconds=1\.050/)
        != nil, "\(line)")
  }

  @Test("json: one object, numbers as numbers, texts escaped")
  func json() throws {
    let entries: [(key: String, value: Logger.MetadataValue)] = [
      ("a", "q\"\\\u{1}é"), ("b", .stringConvertible(-3)), ("c", .stringConvertible(true)),
      ("d", .array(["x", .stringConvertible(1)])), ("e", ["k": "v", "j": []]),
      ("f", .stringConvertible(ExactDecimal(12_003, exponent: -3))),
    ]
    let line = StandardErrorLog.json(.warning, "a \"b\"\nc", entries, time: "T")
    #expect(
      line == #"{"time":"T","level":"warning","message":"a \"b\"\u000ac","a":"q\"\\\u0001é","b":-3,"c":true,"#
        + #""d":["x",1],"e":{"j":[],"k":"v"},"f":12.003}"#)
    _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
  }
}
