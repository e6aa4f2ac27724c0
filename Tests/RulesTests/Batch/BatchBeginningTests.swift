import Failures
import Testing

@testable import Rules

@Suite("How a batch begins: a JSON value over several lines is not a batch")
struct BatchBeginningTests {
  static let texts: [(files: [String], firstLine: BatchBeginning.FirstLine)] = [
    ([""], .blank), (["\n \t\r\n"], .blank), (["[\n"], .bracket), (["[{},\n"], .bracket), (["[]"], .bracket),
    (["{\n\"payKey\":1}\n"], .brace), (["{"], .brace), (["{ \t\r\n}"], .brace), (["{} \n"], .other),
    (["{\"payKey\":1}\n"], .other), (["\r\n\n \t[\n"], .bracket), (["\u{FEFF}[\n"], .bracket),
    (["\u{FEFF} \n{\n"], .brace), (["\n\u{FEFF}[\n"], .other), (["x[\n"], .other), (["\n\n", "[\n"], .bracket),
    (["{", "}\n"], .brace), (["{ ", "\u{FEFF}[\n"], .brace), (["\n", "\u{FEFF}{ \n"], .brace), (["{\n[\n"], .brace),
    (["{}\n", "[\n"], .other), (["null\n[\n"], .other), (["\u{B}[\n"], .other),
  ]

  @Test("the first line that is not empty, however the text is cut into pieces", arguments: texts, [1, 2, 3, 1000])
  func firstLine(text: (files: [String], firstLine: BatchBeginning.FirstLine), piece: Int) {
    var beginning = BatchBeginning()
    for file in text.files {
      let bytes = Array(file.utf8)
      for start in stride(from: 0, to: max(1, bytes.count), by: piece) {
        beginning.append(bytes.span.extracting(start..<min(bytes.count, start + piece)), startsFile: start == 0)
      }
    }
    #expect(beginning.firstLine == text.firstLine)
    #expect(beginning.bytes == Array(text.files.joined().utf8))
  }

  @Test("at most 4096 bytes are kept, and a later part of the batch does not change a first line")
  func append() {
    var beginning = BatchBeginning(bytes: Array(repeating: 0x20, count: 4095), firstLine: .blank)
    beginning.append(BatchBeginning(bytes: Array("[1".utf8), firstLine: .bracket))
    beginning.append(BatchBeginning(bytes: Array("x".utf8), firstLine: .other))
    #expect(beginning.bytes == Array(repeating: 0x20, count: 4095) + Array("[".utf8))
    #expect(beginning.firstLine == .bracket)
  }

  @Test("it is a batch error unless there is a header, and the message says how to convert it")
  func error() throws {
    let records = BatchEnvelope.Place(file: "f", line: 1)
    for (line, command) in [(BatchBeginning.FirstLine.bracket, "jq -c '.[]'"), (.brace, "jq -c .")] {
      var envelope = BatchEnvelope()
      try envelope.countRecords(3, at: records)
      let error = try #require(throws: BatchError.self) {
        try envelope.finish(ControlTotals(), beginning: BatchBeginning(firstLine: line), file: "f")
      }
      #expect(error.code == .notABatch && error.reason.contains(command))
    }
    var envelope = BatchEnvelope()
    try envelope.countRecords(3, at: records)
    #expect(try envelope.finish(ControlTotals(), beginning: BatchBeginning(firstLine: .other)).state == .absent)
  }
}
