import Failures
import Foundation
import Ledger
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import RunSupport

@Suite("Runs with a ledger: the same again, the same batch id, keys of earlier nights")
struct LedgerRunTests {
  let workshop: LedgerWorkshop
  var folder: TemporaryFolder { workshop.folder }

  init() throws { workshop = try LedgerWorkshop() }

  @Test("the reports are those of a run without a ledger")
  func sameReports() throws {
    let text = Batch.text("night-1", ["A", "B", "B", "C"])
    #expect(try workshop.settle(text).description == "settled 1")
    let plain = try Workshop()
    try plain.folder.write(Array(text.utf8), to: "batch")
    var options = RunOptions(threads: 1)
    options.fileNames = [folder.path("batch")]
    #expect(try plain.settle(files: ["batch"], options: options).reports == workshop.reports())
    #expect(try folder.names() == ["batch", "ledger", "ledger-lock", "out"])
  }

  @Test("the same batch again is reported as settled; nothing is written, and the exit code is that of its run")
  func again() throws {
    let text = Batch.text("night-1", ["A", "B", "B"])
    #expect(try workshop.settle(text).exitCode == 1)
    let before = try folder.bytes(of: "ledger")
    for replace in [false, true, false] {
      let outcome = try workshop.settle(text, replace: replace)
      #expect(outcome.description == "already settled 1")
      #expect(outcome.exitCode == 1)
    }
    #expect(try folder.bytes(of: "ledger") == before)
    #expect(try folder.names() == ["batch", "ledger", "ledger-lock", "out"])
  }

  @Test("the same batch is refused, and writes nothing, if its directory is gone or changed, or for another output")
  func refuses() throws {
    let text = Batch.text("night-1", ["A", "B", "B"])
    #expect(try workshop.settle(text).description == "settled 1")
    let before = try folder.bytes(of: "ledger")
    #expect(try workshop.settle(text, output: "other").description == "settled before 1")
    #expect(try workshop.settle(text, output: "other").exitCode == 3)
    #expect(try folder.names() == ["batch", "ledger", "ledger-lock", "out"])
    let reports = try workshop.reports()
    try folder.write(Array("x".utf8), to: "out/totals.csv")
    for replace in [false, true] {
      #expect(try workshop.settle(text, replace: replace).description == "settled before 1, reports lost")
    }
    try FileManager.default.removeItem(atPath: folder.path("out"))
    #expect(try workshop.settle(text).description == "settled before 1, reports lost")
    #expect(try folder.names() == ["batch", "ledger", "ledger-lock"])
    #expect(try folder.bytes(of: "ledger") == before)
    #expect(try workshop.settle(text, republish: true).description == "already settled 1, published")
    #expect(try workshop.reports() == reports)
    #expect(try workshop.settle(text).description == "already settled 1")
  }

  @Test("a directory that was published again before its run was interrupted becomes the run's")
  func interruptedRepublication() throws {
    let text = Batch.text("night-1", ["A"])
    #expect(try workshop.settle(text).description == "settled 1")
    try FileManager.default.moveItem(atPath: folder.path("out"), toPath: folder.path("new"))
    #expect(try workshop.settle(text, output: "new").description == "settled before 1, reports lost")
    #expect(try workshop.settle(text, output: "new", republish: true).description == "already settled 1")
    #expect(try workshop.history().runs == ["1 new"])
    #expect(try workshop.settle(text, output: "new").description == "already settled 1")
  }

  @Test("--replace leaves the directory of another run alone; a run's own is repaired")
  func replacesNoOther() throws {
    let text = Batch.text("night-1", ["A"])
    #expect(try workshop.settle(text).description == "settled 1")
    let reports = try workshop.reports()
    let other = Batch.text("night-2", ["B"])
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path)
    for output in ["out", "link/out"] {
      #expect(
        try workshop.settle(other, output: output, replace: true).description
          == "73: \(folder.path(output)): is the directory of run 1, which --replace leaves alone; name another output")
    }
    #expect(
      try workshop.settle(other).description
        == "73: \(folder.path("out")): is the directory of run 1, whose batch is settled; send corrections in a batch "
        + "of a later day, and name another output")
    #expect(try workshop.reports() == reports)
    #expect(try workshop.history().runs == ["1 out"])
    #expect(try folder.names() == ["batch", "ledger", "ledger-lock", "link", "out"])
    try folder.write(Array("x".utf8), to: "out/totals.csv")
    #expect(try workshop.settle(other, replace: true).exitCode == 73)
    #expect(
      try workshop.settle(text, replace: true, republish: true).description == "already settled 1, published")
    #expect(try workshop.reports() == reports)
    // If nothing exists there, nothing is replaced.
    try FileManager.default.removeItem(atPath: folder.path("out"))
    #expect(try workshop.settle(other, replace: true).description == "settled 2")
  }

  @Test("into another new directory the same bytes are published, ten times; one run is entered")
  func replays() throws {
    let text = Batch.text("night-1", ["A", "B", "B"])
    #expect(try workshop.settle(text).description == "settled 1")
    #expect(try workshop.settle(Batch.text("night-2", ["D", "A"]), output: "second").description == "settled 2")
    let reports = try workshop.reports()
    for number in 1...10 {
      #expect(try workshop.settle(text, output: "again-\(number)").description == "settled before 1")
      let outcome = try workshop.settle(text, output: "again-\(number)", republish: true)
      #expect(outcome.description == "already settled 1, published" && outcome.exitCode == 1)
      #expect(try workshop.reports("again-\(number)") == reports)
      let again = try workshop.settle(text, output: "again-\(number)", republish: true)
      #expect(again.description == "already settled 1" && again.exitCode == 1)
      #expect(try workshop.settle(text, output: "again-\(number)").exitCode == 3, "it is not the run's directory")
    }
    #expect(try workshop.history().runs == ["1 out", "2 second"])
  }

  @Test("what SQLite quotes from a damaged ledger reaches no terminal unescaped")
  func quotesNoControls() {
    let failure = Failure.damaged("unrecognized token: \"\u{1}\u{9B}\"").ofLedger("ledger")
    #expect(failure.message == #"ledger: unrecognized token: "\u0001\u009b""#)
  }

  @Test("old reports that cannot be removed are reported, and tried again by the next run with the ledger")
  func oldReportsStay() throws {
    try FileManager.default.createDirectory(atPath: folder.path("out/totals.csv"), withIntermediateDirectories: true)
    let first = try workshop.settle(Batch.text("night-1", ["A"]), replace: true)
    #expect(first.description == "settled 1")
    #expect(
      first.notes.map { $0.replacing(folder.path, with: "") } == [
        "new ledger /ledger: no earlier run is known",
        "/.out.partial: the replaced reports cannot be removed; the next run with this ledger tries again",
      ])
    let left = [".out.ledger", ".out.partial", "batch", "ledger", "ledger-lock", "out"]
    #expect(try folder.names() == left)
    // The first try fails: what is left next to published reports stops no run.
    let second = try workshop.settle(Batch.text("night-2", ["B"]), output: "second")
    #expect(second.description == "settled 2")
    #expect(second.notes.count == 1 && second.notes[0].contains("it is left there, next to the reports of run 1"))
    #expect(try folder.names() == left.dropFirst() + ["second"])
    try FileManager.default.removeItem(atPath: folder.path(".out.partial/totals.csv"))
    #expect(try workshop.settle(Batch.text("night-1", ["A"])).description == "already settled 1")
    #expect(try folder.names() == left.dropFirst(2) + ["second"])
  }

  @Test("if the first reports are gone, the new ones describe the batch with its names and compression of that time")
  func settlesAgainOtherwiseStored() throws {
    let text = Batch.text("night-1", ["A", "B", "B"])
    #expect(try workshop.settle(text).description == "settled 1")
    let reports = try workshop.reports()
    try FileManager.default.moveItem(atPath: folder.path("out"), toPath: folder.path("moved"))
    // An LZ4 frame of one block that is not compressed.
    let length = UInt32(text.utf8.count) | 1 << 31
    let header: [UInt8] = [0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82]
    let lengthBytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    let frame = header + lengthBytes + Array(text.utf8) + [0, 0, 0, 0]
    try folder.write(frame, to: "other.lz4")
    #expect(
      workshop.settle(files: ["other.lz4"], output: "again", republish: true).description
        == "already settled 1, published")
    #expect(try workshop.reports("again") == reports)
    // The new reports belong to the run now, even if the old ones are restored somewhere.
    try FileManager.default.moveItem(atPath: folder.path("moved"), toPath: folder.path("out"))
    #expect(try workshop.settle(text).description == "settled before 1")
    #expect(try workshop.settle(text, output: "again").description == "already settled 1")
  }

  @Test("if the first reports are gone or damaged, they are made again as they were", arguments: [1, 3])
  func settlesAgain(threads: Int) throws {
    // The third night rejects A, which the first settled; its own keys and those of later nights must not count.
    let text = Batch.text("night-2", ["A", "B", "C", "C"])
    let options = RunOptions(threads: threads)
    #expect(try workshop.settle(Batch.text("night-1", ["A"]), output: "first").description == "settled 1")
    #expect(try workshop.settle(text, options: options).description == "settled 2")
    #expect(try workshop.settle(Batch.text("night-3", ["B", "E"]), output: "third").description == "settled 3")
    let reports = try workshop.reports()
    #expect(try workshop.rows("settlement.csv").map { $0[0] } == ["B", "B", "C", "C"])
    try FileManager.default.removeItem(atPath: folder.path("out"))
    // It was accepted with the records that it rejects.
    var strict = options
    strict.mostRejected = .records(0)
    #expect(try workshop.settle(text, republish: true, options: strict).description == "already settled 2, published")
    #expect(try workshop.reports() == reports)
    // If damaged, the output exists, so it needs --replace, or another output.
    try folder.write([1], to: "out/settlement.csv")
    #expect(
      try workshop.settle(text, republish: true, options: options).description
        == "73: \(folder.path("out")): exists already; name another output or give --replace")
    #expect(
      try workshop.settle(text, output: "other", republish: true, options: options).description
        == "already settled 2, published")
    #expect(try workshop.reports("other") == reports)
    #expect(
      try workshop.settle(text, replace: true, republish: true, options: options).description
        == "already settled 2, published")
    #expect(try workshop.reports() == reports)
    #expect(try workshop.history().runs == ["1 first", "2 other", "3 third"])
  }

  @Test("the identity is that of the text: compression, frame boundaries and names do not matter")
  func compressedAgain() throws {
    let text = Array(Batch.text("night-1", (1...300).map { "K-\($0)" }).utf8)
    try folder.write(text, to: "plain")
    try folder.write(try Stored.lz4(text, blockLength: 1000), to: "blocks")
    try folder.write(try Stored.frames(text, frameLength: 70), to: "frames")
    #expect(workshop.settle(files: ["plain"]).description == "settled 1")
    let reports = try workshop.reports()
    for name in ["blocks", "frames"] {
      #expect(workshop.settle(files: [name]).description == "already settled 1")
      #expect(
        workshop.settle(files: [name], output: name + "-out", republish: true).description
          == "already settled 1, published")
      // A copy of what was published, with the file name given then.
      #expect(try workshop.reports(name + "-out") == reports)
    }
    try FileManager.default.removeItem(atPath: folder.path("out"))
    #expect(
      workshop.settle(files: ["frames"], output: "new", republish: true).description == "already settled 1, published")
    #expect(try workshop.reports("new")["settlement.csv"] == reports["settlement.csv"])
  }

  @Test("several files are one batch in their order; other boundaries between them make another batch")
  func severalFiles() throws {
    try folder.write(Array((Line.payment("A") + "\n").utf8), to: "a")
    try folder.write(Array((Line.payment("B") + "\n").utf8), to: "b")
    try folder.write(Array((Line.payment("A") + "\n" + Line.payment("B") + "\n").utf8), to: "ab")
    #expect(workshop.settle(files: ["a", "b"]).description == "settled 1")
    #expect(workshop.settle(files: ["a", "b"]).description == "already settled 1")
    #expect(workshop.settle(files: ["b", "a"], output: "out2").description == "settled 2")
    #expect(workshop.settle(files: ["ab"], output: "out3").description == "settled 3")
    #expect(workshop.settle(files: ["a"], output: "out4").description == "settled 4")
    #expect(try workshop.rows("settlement.csv", of: "out2").isEmpty)
    #expect(try workshop.rows("settlement.csv", of: "out4").isEmpty)
  }

  @Test("a batch that was settled despite its trailer is the same batch, and is published again despite it")
  func mismatchAgain() throws {
    let text = Batch.text("night-1", ["A", "B"]).replacingOccurrences(of: "20.00", with: "21.00")
    let warned = RunOptions(threads: 1, enforcesControlTotals: false)
    #expect(try workshop.settle(text).exitCode == 2)
    #expect(try workshop.settle(text, options: warned).description == "settled 1")
    let reports = try workshop.reports()
    #expect(try workshop.settle(text).description == "already settled 1")
    try FileManager.default.removeItem(atPath: folder.path("out"))
    #expect(try workshop.settle(text, output: "new", republish: true).description == "already settled 1, published")
    #expect(try workshop.reports("new") == reports)
  }

  @Test("the same batch id with other content ends the run; with the same content, or without an id, it does not")
  func batchIDReused() throws {
    #expect(try workshop.settle(Batch.text("night-1", ["A", "B"])).description == "settled 1")
    let before = try folder.bytes(of: "ledger")
    let outcome = try workshop.settle(Batch.text("night-1", ["A", "C"]), output: "new")
    #expect(
      outcome.description
        == "2: BATCH_ID_REUSED: \(folder.path("batch")):1: run 1 settled other content under the batch id night-1")
    #expect(try folder.names() == ["batch", "ledger", "ledger-lock", "out"])
    #expect(try workshop.history() == (["1 out"], nil))
    #expect(try folder.bytes(of: "ledger").count == before.count)
    #expect(try workshop.settle(Batch.text(nil, ["P"]), output: "y").description == "settled 2")
    #expect(try workshop.settle(Batch.text(nil, ["Q"]), output: "z").description == "settled 3")
  }

  @Test("a batch id is kept and shown unchanged, even if it looks like a card number")
  func cardNumberAsID() throws {
    let number = "4111111111111111"
    #expect(try workshop.settle(Batch.text(number, ["A"])).description == "settled 1")
    #expect(try LedgerHistory(ledger: folder.path("ledger")).runs[0].batchID == number)
    let outcome = try workshop.settle(Batch.text(number, ["B"]), output: "new")
    #expect(outcome.description.hasPrefix("2: BATCH_ID_REUSED: "))
    #expect(outcome.description.hasSuffix("under the batch id \(number)"))
    #expect(try workshop.settle(Batch.text("4111111111111112", ["C"]), output: "other").description == "settled 2")
  }

  @Test("a file's name is kept unchanged, whatever its digits are, also in reports that are made again")
  func cardNumberAsName() throws {
    for name in ["4111111111111111.jsonl", "night-4111-1111-1111-1111\u{1B}.jsonl"] {
      let workshop = try LedgerWorkshop()
      try workshop.folder.write(Array(Batch.text("night-1", ["A", "A"]).utf8), to: name)
      #expect(workshop.settle(files: [name]).description == "settled 1")
      let reports = try workshop.reports()
      try FileManager.default.removeItem(atPath: workshop.folder.path("out"))
      #expect(workshop.settle(files: [name], republish: true).description == "already settled 1, published")
      #expect(try workshop.reports() == reports)
    }
  }

  @Test("keys of pending, held and rejected payments may be used again; those of settled ones may not")
  func keepsSettledKeys() throws {
    let first = [
      Line.payment("S"), Line.payment("P", more: #","status":"STATUS_CREATED""#),
      Line.payment("H", more: #","status":"STATUS_OTHER""#), Line.payment("R", "-1"), Line.payment("S"),
    ]
    #expect(try workshop.settle(first.joined(separator: "\n")).description == "settled 1")
    let second = [
      Line.payment("P"), Line.payment("H"), Line.payment("R"), Line.payment("S"),
      Line.payment("S", more: #","status":"STATUS_CREATED""#), Line.payment("T"),
    ]
    #expect(try workshop.settle(second.joined(separator: "\n"), output: "second").description == "settled 2")
    #expect(try Set(workshop.rows("settlement.csv", of: "second").map { $0[0] }) == ["P", "H", "R", "T"])
    let rows = try workshop.rows("exceptions.csv", of: "second")
    #expect(
      rows.map { "\($0[1]) \($0[5]) \($0[6]) \($0[9]) \($0[10])" } == [
        #"4 ALREADY_SETTLED /payKey 579042 "payKey is ""S""; run 1 settled a payment with the same""#,
        #"5 DUPLICATE_PAY_KEY /payKey 579042 "payKey is ""S""; an earlier payment of the batch has the same""#,
        #"5 ALREADY_SETTLED /payKey 579042 "payKey is ""S""; run 1 settled a payment with the same""#,
      ])
    #expect(
      try String(decoding: folder.bytes(of: "second/summary.json"), as: UTF8.self).contains(
        #""errors":{"ALREADY_SETTLED":2,"DUPLICATE_PAY_KEY":1}"#))
  }

  @Test("a record of nearly a thousand errors keeps the order of its rows", arguments: [1, 2])
  func manyErrors(threads: Int) throws {
    let item = #"{"name":7,"itemPrice":"x","itemCount":"x","totalPrice":"x"}"#
    func record(_ key: String) -> String {
      let items = Array(repeating: item, count: 240).joined(separator: ",")
      return Line.payment(
        key, more: #","invoiceData":{"totalTax":"0","totalShipping":"0","invoiceItems":[\#(items)]}"#)
    }
    #expect(try workshop.settle(Line.payment("A")).description == "settled 1")
    let text = [record("A"), record("A"), record("B"), record("B")].joined(separator: "\n")
    let options = RunOptions(threads: threads, plainChunkLength: 1 << 12)
    #expect(try workshop.settle(text, output: "wide", options: options).description == "settled 2")
    let rows = try workshop.rows("exceptions.csv", of: "wide").map { "\($0[1]) \($0[5])" }
    #expect(rows.count == 4 * 960 + 4)
    #expect(rows.filter { $0.hasSuffix("ALREADY_SETTLED") } == ["1 ALREADY_SETTLED", "2 ALREADY_SETTLED"])
    let second = rows.filter { $0.hasPrefix("2 ") }
    #expect(second.suffix(2) == ["2 DUPLICATE_PAY_KEY", "2 ALREADY_SETTLED"])
    #expect(rows.filter { $0.hasPrefix("1 ") }.last == "1 ALREADY_SETTLED")
    #expect(rows.last == "4 DUPLICATE_PAY_KEY")
  }

  @Test("a pipe is copied first, so that it can be identified, and settled again")
  func pipes() throws {
    mkfifo(folder.path("pipe"), 0o600)
    func settleFromPipe(_ text: String, output: String, republish: Bool = false) -> LedgerWorkshop.Outcome {
      let writer = Thread { [path = folder.path("pipe")] in
        let handle = FileHandle(forWritingAtPath: path)
        try? handle?.write(contentsOf: Data(text.utf8))
        try? handle?.close()
      }
      writer.start()
      return workshop.settle(files: ["pipe"], output: output, republish: republish)
    }
    let text = Batch.text("night-1", (1...5000).map { "K-\($0)" })
    #expect(settleFromPipe(text, output: "out").description == "settled 1")
    let reports = try workshop.reports()
    #expect(settleFromPipe(text, output: "out").description == "already settled 1")
    try FileManager.default.removeItem(atPath: folder.path("out"))
    #expect(settleFromPipe(text, output: "new", republish: true).description == "already settled 1, published")
    #expect(try workshop.reports("new") == reports)
    #expect(try folder.names() == ["ledger", "ledger-lock", "new", "pipe"])
  }

  @Test("a run that fails leaves no trace in the ledger", arguments: ["corrupt", "missing", "exists"])
  func failures(kind: String) throws {
    #expect(try workshop.settle(Batch.text("night-1", ["A"]), output: "first").description == "settled 1")
    switch kind {
    case "corrupt": #expect(try workshop.settle(#"{"type":"header"}"#).exitCode == 2)
    case "missing": #expect(workshop.settle(files: ["nowhere"]).exitCode == 66)
    default: #expect(try workshop.settle(Batch.text("night-2", ["B"]), output: "first").exitCode == 73)
    }
    #expect(try workshop.history() == (["1 first"], nil))
    #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    #expect(try workshop.settle(Batch.text("night-2", ["B"])).description == "settled 2")
  }

  @Test("an engine that computes other figures than the run did publishes nothing")
  func otherFigures() throws {
    let text = Batch.text("night-1", ["A"])
    #expect(try workshop.settle(text).description == "settled 1")
    try FileManager.default.removeItem(atPath: folder.path("out"))
    // As if the run had been made by an engine with other results.
    let opened = try workshop.runLedger()
    let entry = try #require(try opened.ledger.run(number: 1))
    try opened.ledger.move(.run(1), to: entry.directory, sums: entry.sums.replacingOccurrences(of: "a", with: "b"))
    _ = consume opened
    let outcome = try workshop.settle(text, output: "new", republish: true)
    #expect(outcome.exitCode == 78)
    #expect(outcome.description.contains("run 1 settled this batch with version 1.0.0-rc.4 of settle"))
    #expect(try folder.names() == ["batch", "ledger", "ledger-lock"])
  }
}
