import BatchRun
import Foundation
import Rules
import Testing
import TestSupport

@testable import settle

/// Explanations word for word: `Golden/explain` has one file for each payment of `ExplainedBatch`.
@Suite struct ExplanationTests {
  @Test(arguments: ExplainedBatch.payKeys)
  func explanation(payKey: String) throws {
    let (text, search) = try explain(payKey)
    try expect(text, in: "\(payKey).txt")
    #expect((search.rejected > 0) == payKey.hasPrefix("E-"))
  }

  @Test func discountsAreErrorsWithStrictItems() throws {
    let (text, search) = try explain("D-1", strictItems: true)
    try expect(text, in: "D-1-strict-items.txt")
    #expect(search.rejected == 1)
  }

  @Test(arguments: ["C-1", "P-1", "B-1"])
  func anotherSchedule(payKey: String) throws {
    let schedule = try FeeSchedule(json: Array(ExplainedBatch.schedule.utf8))
    try expect(try explain(payKey, schedule: schedule).text, in: "\(payKey)-other-fees.txt")
  }

  @Test(arguments: ["A-1", "A-2", "E-50"])
  func taxes(payKey: String) throws {
    let taxes = try TaxTable(json: Array(ExplainedBatch.taxes.utf8))
    try expect(try explain(payKey, taxes: taxes).text, in: "\(payKey)-taxes.txt")
  }

  @Test("of a line full of items, only one is in memory at a time")
  func manyItems() throws {
    let folder = try TemporaryFolder()
    let items = Array(repeating: "{}", count: 349_000).joined(separator: ",")
    let record = #"{"payKey":"K","recipient":"a@b.example","subTotal":"1","invoiceData":{"invoiceItems":[\#(items)]}}"#
    let (process, output) = (Process(), Pipe())
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("settle")
    process.arguments = ["explain", try folder.write(Array((record + "\n").utf8), to: "batch.jsonl"), "--pay-key", "K"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It writes after everything is explained, and then waits for the reader.
    let first = try output.fileHandleForReading.read(upToCount: 1) ?? Data()
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let peak = try #require(Int(status.firstMatch(of: /VmHWM:\s+(\d+) kB/)?.1 ?? ""))
    let text = String(decoding: try first + (output.fileHandleForReading.readToEnd() ?? Data()), as: UTF8.self)
    process.waitUntilExit()
    #expect(peak < 135 << 10, "\(peak) kB")
    #expect(process.terminationStatus == 1)
    #expect(text.contains("  items           item 1: ? x ?, total price ?\n"))
    #expect(text.contains("\n                  item 349000: ? x ?, total price ?\n"))
  }

  /// What other records of the batch decide: the state of an agreement, and what refunds left of a payment.
  @Test(
    arguments: [
      ("agreement", [], [], [1, 2]), ("under-agreement", ["P-1"], [], []), ("over-agreement", ["P-2"], [], []),
      ("refund-of-an-amount", [], ["R-1"], []), ("refund-of-receivers", [], ["R-2"], []),
      ("refund-refused", [], ["R-3"], []),
      ("refund-repeated", [], ["R-1"], [8]), ("refund-of-a-held-payment", [], ["R-4"], []),
    ] as [(String, [String], [String], [Int])])
  func laterClaims(name: String, payKeys: [String], refundKeys: [String], numbers: [Int]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(ExplainedBatch.later.utf8), to: "batch")
    let json = ExplainedBatch.schedule.replacing(#"{"rounding""#, with: #"{"refunds":"RETURN","rounding""#)
    let schedule = try FeeSchedule(json: Array(json.utf8))
    let search = try RecordSearch(
      payKeys: payKeys, refundKeys: refundKeys, lines: numbers.map { RecordSearch.Line(file: path, number: $0) },
      options: RunOptions(rules: SettlementRules(schedule: schedule), threads: 1))
    var text = ""
    try search.explain([path], plainChunkLength: 100) { text += $0 }
    #expect(search.missing.isEmpty)
    try expect(text.replacing(path, with: "batch.jsonl"), in: "\(name).txt")
  }

  @Test func aKeyThatIsNotThere() throws {
    let (text, search) = try explain("NOBODY")
    #expect(text.isEmpty)
    #expect(search.missing == ["no payment with the key NOBODY"])
  }

  @Test func aKeyInARecordThatNobodyCanRead() throws {
    let (text, search) = try explain("R-2")
    #expect(text.isEmpty)
    #expect(search.missing[0].hasSuffix("contains the key, but the record is unreadable: MALFORMED_JSON"))
  }

  /// The explanations are the same for any chunks.
  @Test func recordsThatSpanChunks() throws {
    for length in [1, 100, 1000] {
      #expect(try explain("E-25", chunk: length).text == explain("E-25").text)
    }
  }

  /// The same payments by their lines, whether or not their keys are asked for, too.
  @Test(arguments: [1, 100, 1 << 20])
  func linesAndSeveralKeys(chunk: Int) throws {
    let batch = [
      #"{"type":"header"}"#, "", #"{"recipient":"a@b.example","subTotal":"1"}"#, #"{"payKey":"A","subTotal":"1"}"#,
      "[]",
      #"{"payKey":"B","recipient":"a@b.example","subTotal":"1"}"#, String(repeating: "x", count: (1 << 20) + 1),
      #"{"payKey":"B","recipient":"a@b.example","subTotal":"1"}"#,
      #"{"payKey":"\u0041","recipient":"a@b.example","subTotal":"1"}"#,
    ]
    func headings(_ payKeys: [String], _ numbers: [Int]) throws -> (text: String, missing: [String]) {
      let folder = try TemporaryFolder()
      let path = try folder.write(Array(batch.joined(separator: "\n").utf8), to: "batch")
      let search = try RecordSearch(
        payKeys: payKeys, lines: numbers.map { RecordSearch.Line(file: path, number: $0) },
        options: RunOptions(threads: 1))
      var text = ""
      try search.explain([path], plainChunkLength: chunk) { text += $0 }
      let shown = text.split(separator: "\n").filter {
        $0.contains("error:") || $0.hasSuffix("ED") && !$0.hasPrefix(" ")
      }
      return (shown.joined(separator: "\n"), search.missing.map { $0.replacing(path, with: "batch") })
    }
    let lines = try headings(["A"], [1, 2, 3, 5, 7, 8, 10])
    #expect(
      lines.text == """
        Payment without a valid key: REJECTED
          error: MISSING_FIELD at /payKey: payKey is missing; it is required
        Payment A: REJECTED
          error: MISSING_FIELD at /recipient: recipient is missing; it is required
        Record: REJECTED
          error: NOT_AN_OBJECT: the line is an array; expected a JSON object
        Record: REJECTED
          error: RECORD_TOO_LONG: the line is over 1048576 bytes; expected a record on each line and LF after it
        Payment B: REJECTED
          error: DUPLICATE_PAY_KEY at /payKey: payKey is "B"; an earlier payment of the batch has the same
        Payment A: REJECTED
          error: DUPLICATE_PAY_KEY at /payKey: payKey is "A"; an earlier payment of the batch has the same
        """)
    #expect(
      lines.missing == [
        "batch:1: the header, not a payment",
        "batch:10: no record; the line is empty, or the file ends before it",
        "batch:2: no record; the line is empty, or the file ends before it",
      ])
    let keys = try headings(["B", "A", "C"], [])
    #expect(keys.text.components(separatedBy: "Payment ").map { $0.prefix(3) } == ["", "A: ", "B: ", "B: ", "A: "])
    #expect(keys.missing == ["no payment with the key C"])
    #expect(try headings([], [6]).text == "Payment B: SETTLED")
  }

  private func expect(_ text: String, in name: String, at place: SourceLocation = #_sourceLocation) throws {
    let complaint = try Golden().complaint(Array(text.utf8), name: "explain/\(name)")
    #expect(complaint == nil, sourceLocation: place)
  }

  private func explain(
    _ payKey: String, schedule: FeeSchedule = .published, strictItems: Bool = false, taxes: TaxTable? = nil,
    chunk: Int = 1 << 20
  ) throws -> (text: String, search: RecordSearch) {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(ExplainedBatch.text.utf8), to: "batch")
    let search = try RecordSearch(
      payKeys: [payKey],
      options: RunOptions(
        rules: SettlementRules(schedule: schedule, taxes: taxes, strictItems: strictItems), threads: 1))
    var text = ""
    try search.explain([path], plainChunkLength: chunk) { text += $0 }
    return (text.replacing(path, with: "batch.jsonl"), search)
  }
}
