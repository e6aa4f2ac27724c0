import Testing
import TestSupport

@testable import BatchRun
@testable import LedgerRuns
@testable import RunSupport

@Suite("The same bytes, whatever the threads, the chunks and the stored form")
struct SameBytesTests {
  static let threads = [1, 2, 3, 7]

  @Test("plain text", arguments: threads, [1, 7, 64, 1000, 1 << 20])
  func plain(threads: Int, chunk: Int) throws {
    let workshop = try Workshop()
    // A chunk of one byte costs as much as any other; a small batch is enough.
    let records = chunk == 1 ? 15 : 300
    for seed: UInt64 in [1, 2] {
      let batch = MixedBatch.bytes(records: records, seed: seed, hasMark: seed == 2)
      let reference = try workshop.settle([batch], threads: 1, chunk: 64 << 20)
      #expect(reference.failure == nil)
      let settled = try workshop.settle([batch], threads: threads, chunk: chunk)
      #expect(settled.difference(from: reference.reports) == nil, "seed \(seed)")
    }
  }

  @Test("LZ4 of one frame and of many", arguments: threads, [1, 7, 64, 1000, 1 << 20])
  func compressed(threads: Int, block: Int) throws {
    let workshop = try Workshop()
    let batch = MixedBatch.bytes(records: block < 64 ? 15 : 300, seed: 3, hasMark: true)
    let reference = try workshop.settle([batch]).withoutStoredForm
    let blocks = try workshop.settle([try Stored.lz4(batch, blockLength: block)], threads: threads)
    #expect(blocks.difference(from: reference) == nil)
    let frames = try workshop.settle([try Stored.frames(batch, frameLength: max(64, block))], threads: threads)
    #expect(frames.difference(from: reference) == nil)
  }

  @Test("several files, each in its own form", arguments: threads)
  func files(threads: Int) throws {
    let workshop = try Workshop()
    let batches = [
      MixedBatch.bytes(records: 200, seed: 4), [], MixedBatch.bytes(records: 200, seed: 5, hasMark: true),
      Array(" \n".utf8), MixedBatch.bytes(records: 200, seed: 4),
    ]
    let reference = try workshop.settle(batches, threads: 1, chunk: 64 << 20).withoutStoredForm
    let stored = [
      batches[0], try Stored.lz4([], blockLength: 1), try Stored.lz4(batches[2], blockLength: 500), batches[3],
      try Stored.frames(batches[4], frameLength: 3000),
    ]
    let settled = try workshop.settle(stored, threads: threads, chunk: 777)
    #expect(settled.difference(from: reference) == nil)
  }

  @Test("a batch of random seed", arguments: [2, 7])
  func random(threads: Int) throws {
    var random = SeededGenerator()
    let workshop = try Workshop()
    let batch = MixedBatch.bytes(records: 800, seed: random.next())
    let reference = try workshop.settle([batch], threads: 1, chunk: 64 << 20).reports
    let settled = try workshop.settle([batch], threads: threads, chunk: .random(in: 2...5000, using: &random))
    #expect(settled.difference(from: reference) == nil, "\(random.reproduction)")
  }

  @Test("long reports, which lanes write and digest, with refunds and with a ledger", arguments: [2, 7, 16, 64])
  func lanes(threads: Int) throws {
    let workshop = try LedgerWorkshop()
    var lines = MixedBatch.bytes(records: 5000, seed: 6).split(separator: UInt8(ascii: "\n")).map(Array.init)
    // Every second refund names a key that no payment has.
    lines += (0..<50).map { number in
      Array(
        #"{"type":"refund","refundKey":"R\#(number)","payKey":"\#(number % 2 == 0 ? "Paid" : "None")\#(number)"}"#.utf8)
    }
    lines += (0..<9000).map { Array(Line.payment("Paid\($0)").utf8) }
    let text = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    try workshop.folder.write(text, to: "plain")
    try workshop.folder.write(try Stored.lz4(text, blockLength: 65_536), to: "packed")
    var options = RunOptions(threads: 1)
    options.plainChunkLength = 1 << 18
    for (place, file) in ["plain", "packed"].enumerated() {
      options.threads = 1
      _ = try BatchRun.settle(
        [workshop.folder.path(file)], output: workshop.folder.path("\(file) alone"), replace: false, options: options)
      let reference = try workshop.reports("\(file) alone")
      #expect(reference["settlement.csv"]!.count > 500_000)
      #expect(reference["refunds.csv"]!.count(where: { $0 == UInt8(ascii: "\n") }) > 10)
      options.threads = threads
      _ = try BatchRun.settle(
        [workshop.folder.path(file)], output: workshop.folder.path("\(file) out"), replace: false, options: options)
      #expect(try workshop.reports("\(file) out") == reference)
      let run = workshop.settle(files: [file], output: "\(file) entered", ledger: "ledger \(place)", options: options)
      #expect(run.description == "settled 1")
      #expect(try workshop.reports("\(file) entered") == reference)
      #expect(try LedgerUpkeep.verify(workshop.folder.path("ledger \(place)")).findings == [])
    }
  }

  @Test("header and trailer are found wherever chunks end", arguments: [1, 2, 7, 64, 1 << 20])
  func framed(chunk: Int) throws {
    let workshop = try Workshop()
    let lines = [#"{"type":"header","batchId":"B-1"}"#, Line.payment("A"), "", Line.payment("B", "2.50")]
    let trailer = #"{"type":"trailer","recordCount":2,"totals":{"USD":"12.5"}}"#
    for ending in ["\n", "\r\n"] {
      let text = (lines + [trailer]).joined(separator: ending)
      let settled = try workshop.settle(text, threads: 2, chunk: chunk)
      #expect(settled.failure == nil)
      #expect(settled.text("summary.json").contains(#""batch":{"id":"B-1","controlTotals":"verified""#))
      // 10.00 x 0.029 + 0.30 is 0.59; 2.50 x 0.029 + 0.30 is 0.3725.
      #expect(settled.rows("totals.csv") == ["USD,2,12.50,0.00,11.54,0.96,0.00,0,0.00,0.00,0.00"])
    }
  }

  @Test("header and trailer with thousands of unknown fields", arguments: zip([1, 16], [1 << 20, 5000]))
  func wideFrames(threads: Int, chunk: Int) throws {
    let fields = (0..<40_000).map { #""x\#($0)":0"# }.joined(separator: ",")
    let header = #"{\#(fields),"type":"header","batchId":"B-1"}"#
    let trailer = #"{"type":"trailer",\#(fields),"recordCount":2,"totals":{"USD":20}}"#
    let wide = Line.payment("W", more: ",\(fields)")
    let good = try Workshop().settle(
      [header, Line.payment("A"), wide, trailer].joined(separator: "\n"), threads: threads, chunk: chunk)
    #expect(good.result?.controlTotals == .verified)
    #expect(good.rows("settlement.csv").map { $0.prefix(2) } == ["A,", "A,", "W,", "W,"])
    #expect(good.text("summary.json").contains(#""notices":{"UNKNOWN_FIELD":40000}"#))
    let late = try Workshop().settle(
      [Line.payment("A"), header].joined(separator: "\n"), threads: threads, chunk: chunk)
    #expect(late.failure?.message.hasSuffix(":2: a header after other records; expected it first") == true)
    let behind = try Workshop().settle(
      [Line.payment("A"), wide, trailer, "", wide].joined(separator: "\n"), threads: threads, chunk: chunk)
    #expect(
      behind.failure?.message.hasSuffix(":5: a record follows the trailer of line 3; expected the trailer last") == true
    )
  }

  @Test("a record that is committed by itself waits for the chunk before it, however long that takes")
  func slowChunk() throws {
    let lines = (["A0"] + (0..<9000).map { "A\($0)" }).map { Line.payment($0) + "\n" }.joined()
    let elements = Array(repeating: "0", count: 33_000).joined(separator: ",")
    // The last of the lines ends in the second chunk, and the record that is too wide for a worker begins there.
    let settled = try Workshop().settle(
      lines + #"{"payKey":"W","receiverPaymentDetails":[\#(elements)]}"# + "\n", threads: 2,
      chunk: lines.utf8.count - 9)
    let places = settled.exceptions.map { $0.prefix { $0 != " " } }
    #expect(places.count == 1001 && places[0] == "2" && places[1...].allSatisfy { $0 == "9002" })
  }

  /// Receivers that give nearly as many rows as a record may have, and the rows that each gives.
  static let wide = [
    (element: "{}", count: 450, rows: 2),
    (element: #"{"recipient":"x","country":"Q","paymentType":1,"paymentSubType":1}"#, count: 190, rows: 5),
  ]

  @Test("records of nearly a thousand errors", arguments: wide, [1, 16])
  func midRecord(wide: (element: String, count: Int, rows: Int), threads: Int) throws {
    let receivers = Array(repeating: wide.element, count: wide.count).joined(separator: ",")
    let record = #"{"payKey":"W","receiverPaymentDetails":[\#(receivers)]}"#
    let lines = [Line.payment("A"), record, Line.payment("W"), Line.payment("A"), record, Line.payment("B")]
    for chunk in threads == 1 ? [1 << 20] : [5000] {
      let settled = try Workshop().settle(lines.joined(separator: "\n"), threads: threads, chunk: chunk)
      let result = try #require(settled.result)
      #expect(result.totals.recordsRead == 6)
      #expect(result.totals[.rejected] == 4)
      // The count of receivers is an error of its own.
      let first = wide.rows * wide.count + 1
      let rows = settled.exceptions.map { "\($0.prefix(1)) \($0.split(separator: " ")[2])" }
      try #require(rows.count == 2 * first + 3)
      #expect(rows.prefix(first).allSatisfy { $0.hasPrefix("2 ") })
      #expect(rows[first - 1] == "2 RECEIVER_COUNT")
      #expect(rows[first..<first + 2] == ["3 DUPLICATE_PAY_KEY", "4 DUPLICATE_PAY_KEY"])
      #expect(rows[(first + 2)...].allSatisfy { $0.hasPrefix("5 ") })
      // The second wide record repeats the first one's key: its last row says so, after all its others.
      #expect(rows.suffix(2) == ["5 RECEIVER_COUNT", "5 DUPLICATE_PAY_KEY"])
      #expect(rows.filter { $0.hasSuffix("DUPLICATE_PAY_KEY") }.count == 3)
    }
  }
}
