import FileSystem
import Foundation
import Testing
import TestSupport

@testable import BatchRun
@testable import RunSupport

@Suite("A new ledger: it is reported, it is removed if no run is entered, and it can be refused")
struct NewLedgerTests {
  let workshop: LedgerWorkshop
  var folder: TemporaryFolder { workshop.folder }

  init() throws { workshop = try LedgerWorkshop() }

  private var note: String { "new ledger \(folder.path("ledger")): no earlier run is known" }

  @Test("a run that makes a ledger says so, and later runs do not")
  func says() throws {
    let batches = (1...3).map { Batch.text("night-\($0)", ["K-\($0)"]) }
    #expect(try workshop.settle(batches[0], output: "1").notes == [note])
    #expect(try workshop.settle(batches[1], output: "2").notes == [])
    #expect(try workshop.settle(batches[0], output: "1").notes == [])
    #expect(try workshop.settle(batches[2], output: "3", mustHaveRuns: true).description == "settled 3")
  }

  static let failures: [(exitCode: Int32, batch: String?, output: String)] = [
    (2, #"{"type":"header"}"#, "out"), (66, nil, "out"), (73, Batch.text("night", ["A"]), "file"),
    (73, Batch.text("night", ["A"]), "missing/out"),
  ]

  @Test("a run that enters nothing leaves no ledger that it made", arguments: failures)
  func removes(exitCode: Int32, batch: String?, output: String) throws {
    try folder.write([], to: "file")
    if let batch { try folder.write(Array(batch.utf8), to: "batch") }
    let before = try folder.names()
    #expect(workshop.settle(files: ["batch"], output: output).exitCode == exitCode)
    #expect(try folder.names() == before)
    // A ledger with a run stays unchanged.
    #expect(try workshop.settle(Batch.text("first", ["F"]), output: "first").description == "settled 1")
    let ledger = try folder.bytes(of: "ledger")
    if let batch { try folder.write(Array(batch.utf8), to: "batch") } else { try remove("batch") }
    #expect(workshop.settle(files: ["batch"], output: output).exitCode == exitCode)
    #expect(try folder.bytes(of: "ledger").count == ledger.count)
    #expect(try workshop.history() == (["1 first"], nil))
  }

  @Test("a file that is not a ledger gets no lock file")
  func foreign() throws {
    try folder.write(Array("run,time\n".utf8), to: "ledger")
    #expect(try workshop.settle(Batch.text("night", ["A"])).exitCode == 78)
    #expect(try folder.names() == ["batch", "ledger"])
  }

  @Test("a ledger that cannot be made leaves nothing", arguments: ["disk", "folder"])
  func unmade(kind: String) throws {
    // A folder takes the name of SQLite's journal, or that of the ledger's lock file.
    let name = kind == "disk" ? "ledger-journal" : "ledger-lock"
    try FileManager.default.createDirectory(atPath: folder.path("\(name)/x"), withIntermediateDirectories: true)
    #expect((73...74).contains(try workshop.settle(Batch.text("night", ["A"])).exitCode ?? 0))
    #expect(try folder.names() == ["batch", name])
    try remove(name)
    #expect(try workshop.settle(Batch.text("night", ["A"])).description == "settled 1")
  }

  @Test("one that an interrupted run left without a run counts as new; if another run made it, that run keeps it")
  func leftBehind() throws {
    func leave(isInterrupted: Bool) throws {
      let ledger = try workshop.runLedger()
      if isInterrupted { try ledger.begin(OutputPlace(path: folder.path("out")), replaces: false) }
      ledger.keep()
    }
    for isInterrupted in [true, false] {
      try leave(isInterrupted: isInterrupted)
      let failed = try workshop.settle(#"{"type":"header"}"#)
      #expect(failed.exitCode == 2 && failed.notes == [note])
      #expect(try folder.names() == ["batch"] + (isInterrupted ? [] : ["ledger", "ledger-lock"]))
    }
    try leave(isInterrupted: true)
    let settled = try workshop.settle(Batch.text("night", ["A"]))
    #expect(settled.description == "settled 1" && settled.notes == [note])
  }

  @Test(
    "a run that requires an existing ledger makes none, and uses none without runs",
    arguments: ["absent", "no folder", "link", "empty lock file", "lost", "no run"])
  func refuses(kind: String) throws {
    var name = "ledger"
    switch kind {
    case "no folder": name = "missing/ledger"
    case "link": try FileManager.default.createSymbolicLink(atPath: folder.path("ledger"), withDestinationPath: "gone")
    case "empty lock file": try folder.write([], to: "ledger-lock")
    case "lost":
      #expect(try workshop.settle(Batch.text("first", ["F"]), output: "first").description == "settled 1")
      try remove("ledger")
    case "no run": try workshop.runLedger().keep()
    default: break
    }
    try folder.write(Array(Batch.text("night", ["A"]).utf8), to: "batch")
    let before = try folder.names()
    let refused = workshop.settle(files: ["batch"], ledger: name, mustHaveRuns: true)
    #expect(refused.exitCode == 74 && refused.notes == [], "\(refused.description)")
    #expect(try folder.names() == before.filter { kind != "empty lock file" || $0 != "ledger-lock" })
  }

  private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder.path(name)) }
}
