import Reports
import Rules
import TestSupport
import Testing

@testable import BatchRun

@Suite("Validation: each error and notice, whatever the threads and chunks")
struct ValidationTests {
  private final class Output {
    var text: [UInt8] = []
  }

  private func validate(
    _ files: [[UInt8]], format: FindingsReport.Format = .text, threads: Int = 1, chunk: Int = 1 << 20
  ) throws -> (text: [UInt8], result: RunResult) {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for (number, bytes) in files.enumerated() { paths.append(try folder.write(bytes, to: "b\(number)")) }
    let output = Output()
    let result = try BatchRun.validate(
      paths, format: format, options: RunOptions(threads: threads, plainChunkLength: chunk)
    ) { bytes, count throws(RunFailure) in
      output.text.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
    // The folder has another name each time.
    let text = String(decoding: output.text, as: UTF8.self).replacing(folder.path, with: "")
    return (Array(text.utf8), result)
  }

  @Test("lines for people, and for machines")
  func formats() throws {
    let batch = Array("\n\(Line.payment("A", "0.10"))\n\(Line.payment("A", "1", more: #","note":1"#))\n".utf8)
    let lines = String(decoding: try validate([batch]).text, as: UTF8.self)
    #expect(
      lines == """
        /b0:2: notice: FEE_CAPPED at : the fee was cut to what the receiver keeps
        /b0:3: error: DUPLICATE_PAY_KEY at /payKey: an earlier payment of the batch has the same payKey
        /b0:3: notice: UNKNOWN_FIELD at /note: unknown field; it is ignored

        """)
    let objects = String(decoding: try validate([batch], format: .jsonl).text, as: UTF8.self)
    let starts = objects.split(separator: "\n").map { $0.prefix { $0 != "A" } }
    #expect(
      starts == [
        #"{"file":"/b0","line":2,"offset":1,"payKey":""#, #"{"file":"/b0","line":3,"offset":65,"payKey":""#,
        #"{"file":"/b0","line":3,"offset":65,"payKey":""#,
      ])
  }

  @Test("the same lines and counts", arguments: [1, 2, 7], [7, 64, 1000, 1 << 20])
  func sameLines(threads: Int, chunk: Int) throws {
    let batches = [MixedBatch.bytes(records: 150, seed: 8, hasMark: true), MixedBatch.bytes(records: 150, seed: 9)]
    for format in FindingsReport.Format.allCases {
      let reference = try validate(batches, format: format, chunk: 64 << 20)
      let other = try validate(batches, format: format, threads: threads, chunk: chunk)
      #expect(Golden.firstDifference(of: other.text, from: reference.text) == nil)
      #expect(other.result.totals.errors == reference.result.totals.errors)
      #expect(other.result.totals.notices == reference.result.totals.notices)
      #expect(other.result.exitCode == 1)
    }
  }

  /// Records with more lines than a part is to hold: errors and notices, or notices alone, of which some go where the
  /// record turns out to repeat a pay key.
  static let wide = [
    #"{"payKey":"W","x":0,"receiverPaymentDetails":[\#(Array(repeating: "{}", count: 8000).joined(separator: ","))]}"#,
    Line.payment("W", "0.10", more: "," + (0..<60_000).map { #""x\#($0)":0"# }.joined(separator: ",")),
  ]

  @Test("a repeated pay key is told in its place, however many lines there are", arguments: wide, [1, 2, 16])
  func wideRepetition(record: String, threads: Int) throws {
    let lines = [record, Line.payment("A"), record, Line.payment("B"), record]
    let batch = [Array(lines.joined(separator: "\n").utf8)]
    let single = try validate([Array(record.utf8)]).text.split(separator: UInt8(ascii: "\n"))
    for chunk in [1 << 20, 5000] {
      let validated = try validate(batch, threads: threads, chunk: chunk)
      let text = validated.text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
      #expect(validated.result.totals.errors[Int(RejectionReason.duplicatePayKey.rawValue)] == 2)
      for line in [1, 3, 5] {
        let told = text.filter { $0.hasPrefix("/b0:\(line): ") }
        let errors = told.prefix { $0.contains(": error: ") }
        let isFirst = line == 1
        #expect(errors.last?.contains("DUPLICATE_PAY_KEY") != isFirst)
        #expect(told.dropFirst(errors.count).allSatisfy { $0.contains(": notice: ") })
        // A fee that is not taken is cut by nothing.
        #expect(told.contains { $0.contains("FEE_CAPPED") } == (isFirst && errors.isEmpty))
        #expect(!isFirst || told.count == single.count)
      }
    }
  }

  @Test("a validation counts what a settlement counts, and settles nothing")
  func agreesWithSettlement() throws {
    let batch = MixedBatch.bytes(records: 300, seed: 10)
    let settled = try #require(try Workshop().settle([batch]).result)
    let validated = try validate([batch], threads: 2).result
    #expect(validated.totals.errors == settled.totals.errors)
    #expect(validated.totals.byOutcome == settled.totals.byOutcome)
    #expect(validated.totals.currencies.map(\.amount) == settled.totals.currencies.map(\.amount))
  }

  @Test("a batch error ends it")
  func endsWithBatchError() throws {
    #expect(throws: RunFailure.self) { try validate([Array(#"{"type":"header"}"#.utf8)]) }
  }
}
