import Failures
import Documents
import Rules
import Testing
import TestSupport

@testable import BatchRun
@testable import LedgerRuns
@testable import RunSupport

@Suite("Validation: each error and notice, for any threads and chunks")
struct ValidationTests {
  private final class Output {
    var text: [UInt8] = []
  }

  private func validate(
    _ files: [[UInt8]], format: FindingsReport.Format = .text, findings: FindingsList? = nil, threads: Int = 1,
    chunk: Int = 1 << 20
  ) throws -> (text: [UInt8], result: RunResult) {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for (number, bytes) in files.enumerated() { paths.append(try folder.write(bytes, to: "b\(number)")) }
    let output = Output()
    let result = try BatchRun.validate(
      paths, findings: findings ?? FindingsList(format), options: RunOptions(threads: threads, plainChunkLength: chunk)
    ) { text throws(Failure) in
      output.text.append(text)
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
        /b0:2: notice: FEE_CAPPED: the fee was cut to what the receiver keeps
        /b0:3: error: DUPLICATE_PAY_KEY at /payKey: payKey is "A"; an earlier payment of the batch has the same
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

  /// Records with more lines than a part should hold: errors and notices, or only notices. Some of these disappear if
  /// the record turns out to repeat a pay key.
  static let wide = [
    #"{"payKey":"W","x":0,"receiverPaymentDetails":[\#(Array(repeating: "{}", count: 400).joined(separator: ","))]}"#,
    Line.payment("W", "0.10", more: "," + (0..<60_000).map { #""x\#($0)":0"# }.joined(separator: ",")),
  ]

  @Test("a repeated pay key is reported in its place, however many lines there are", arguments: wide, [1, 2, 16])
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
        // A fee that is not charged is not capped either.
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

  @Test(
    "a list that ends early is the beginning of the full list, and everything is counted", arguments: [0, 1, 20],
    [1, 3])
  func endsTheList(limit: Int, threads: Int) throws {
    let batch = MixedBatch.bytes(records: 300, seed: 11)
    let all = FindingsList(.text)
    let lines = try validate([batch], findings: all).text.split(separator: UInt8(ascii: "\n"))
    let some = FindingsList(.text, limit: limit)
    let validated = try validate([batch], findings: some, threads: threads, chunk: 1000)
    #expect(validated.text.split(separator: UInt8(ascii: "\n")) == Array(lines.prefix(limit)))
    #expect(some.errors == all.errors && some.notices == all.notices && some.errors == validated.result.totals.errors)
    #expect(some.listed == limit && some.listed + some.unlisted == lines.count && all.unlisted == 0)
  }

  @Test(
    "without notices it is the full list without its notices, which are counted all the same",
    arguments: FindingsReport.Format.allCases)
  func withoutNotices(format: FindingsReport.Format) throws {
    let batch = MixedBatch.bytes(records: 300, seed: 12)
    func lines(_ list: FindingsList) throws -> [String] {
      String(decoding: try validate([batch], findings: list).text, as: UTF8.self).split(separator: "\n").map {
        String($0.trimmingPrefix(","))
      }
    }
    let marks = [": notice: ", #""severity":"notice""#, "::notice ", #""level":"note""#]
    let all = FindingsList(format)
    let expected = try lines(all).filter { line in !marks.contains { line.contains($0) } }
    let list = FindingsList(format, listsNotices: false)
    #expect(try lines(list) == expected)
    #expect(list.errors == all.errors && list.notices == all.notices && list.unlisted == 0)
    #expect(list.notices.reduce(0, +) > 0)
  }

  @Test("of a file that cannot be read says so in SARIF, which a list without results would hide")
  func unreadable() throws {
    let output = Output()
    #expect(throws: Failure.self) {
      try BatchRun.validate(["/missing/batch"], findings: FindingsList(.sarif), options: RunOptions(threads: 1)) {
        text throws(Failure) in
        output.text.append(text)
      }
    }
    let text = String(decoding: output.text, as: UTF8.self)
    #expect(text.contains(#""exitCode":66,"toolExecutionNotifications":[{"level":"error","message":{"text":"/missing"#))
  }

  @Test(
    "an invalid trailer comes after all errors of records", arguments: FindingsReport.Format.allCases, [7, 1 << 20])
  func invalidTrailer(format: FindingsReport.Format, chunk: Int) throws {
    let trailer = #"{"type":"trailer","recordCount":"3","totals":{}}"#
    let lines = [Line.payment("A", "0"), "5", Line.payment("B"), Line.refund, trailer]
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(lines.joined(separator: "\n").utf8), to: "b")
    let output = Output()
    let failure = #expect(throws: Failure.self) {
      try BatchRun.validate(
        [path], findings: FindingsList(format), options: RunOptions(threads: 2, plainChunkLength: chunk)
      ) {
        text throws(Failure) in
        output.text.append(text)
      }
    }
    #expect(failure?.message.hasPrefix("INVALID_TRAILER: ") == true)
    let text = String(decoding: output.text, as: UTF8.self)
    // The first line of SARIF has every code.
    let codes = text.split(separator: "\n").filter { !$0.contains("$schema") }.compactMap {
      $0.firstMatch(of: /AMOUNT_NOT_POSITIVE|NOT_AN_OBJECT|PAYMENT_NOT_SETTLED|INVALID_TRAILER/).map { String($0.0) }
    }
    let ofRecords = ["AMOUNT_NOT_POSITIVE", "NOT_AN_OBJECT", "PAYMENT_NOT_SETTLED"]
    #expect(codes == ofRecords + (format == .text ? [] : ["INVALID_TRAILER"]), "\(text)")
  }

  @Test("a batch error ends it, and the list", arguments: FindingsReport.Format.allCases)
  func endsWithBatchError(format: FindingsReport.Format) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("{}\n{\"type\":\"header\"}".utf8), to: "b")
    let output = Output()
    #expect(throws: Failure.self) {
      try BatchRun.validate([path], findings: FindingsList(format), options: RunOptions(threads: 1)) {
        text throws(Failure) in
        output.text.append(text)
      }
    }
    let text = String(decoding: output.text, as: UTF8.self)
    #expect(text.contains("HEADER_NOT_FIRST") == (format != .text))
    let end =
      switch format {
      case .text: "PAYMENT_SHAPE: "
      case .jsonl: #""line":2,"payKey":null,"severity":"fatal","code":"HEADER_NOT_FIRST","field":"""#
      case .github: ",line=2,title=HEADER_NOT_FIRST::"
      case .sarif: #"],"invocations":[{"executionSuccessful":false,"exitCode":2}]}]}"#
      }
    #expect(text.contains(end), "\(text)")
  }
}
