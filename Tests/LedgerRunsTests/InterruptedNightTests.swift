import Failures
import FileSystem
import Foundation
import Ledger
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import Publication
@testable import RunSupport

@Suite("A night that stops between two steps: the next run completes it or clears it away")
struct InterruptedNightTests {
  /// Where a run stops, as if it were killed.
  enum Stop: String, CaseIterable, Sendable {
    case begun
    case halfWritten
    case complete
    case linked
    case entered
    case published
    case unlinked
    case ended

    var isEntered: Bool { self == .entered || isPublished }
    var isPublished: Bool { [.published, .unlinked, .ended].contains(self) }
  }

  /// Which run uses the ledger or the output next.
  enum Next: String, CaseIterable, Sendable {
    case sameBatchSameOutput
    case sameBatchOtherOutput
    case otherBatchOtherOutput
    case sameOutputNoLedger
    case sameOutputOtherLedger
  }

  let workshop: LedgerWorkshop
  var folder: TemporaryFolder { workshop.folder }
  private let text = Batch.text("night-2", ["A", "B", "C"])

  init() throws { workshop = try LedgerWorkshop() }

  @Test("an unreachable ledger is not mistaken for one that is gone")
  func ledgerOutOfReach() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: "loop")
    let place = try OutputPlace(path: folder.path("out"))
    try LedgerNote(place).make(of: folder.path("loop/ledger"))
    #expect(throws: Failure.self) { try LedgerNote.resolve(place, except: nil) { _ in } }
    #expect(try folder.names().contains(".out.ledger"))
    try FileManager.default.removeItem(atPath: folder.path("loop"))
    try LedgerNote.resolve(place, except: nil) { _ in }
    #expect(try folder.names() == [])
  }

  /// Does the steps of a run up to a point.
  private func run(upTo stop: Stop, replaces: Bool) throws {
    try folder.write(Array(text.utf8), to: "batch")
    let ledger = try workshop.runLedger()
    // A killed run removes nothing.
    ledger.keep()
    let place = try OutputPlace(path: folder.path("out"))
    try ledger.begin(place, replaces: replaces)
    if stop == .begun { return }
    let directory = try SettlementDirectory(path: folder.path("out"), replaces: replaces)
    if stop == .halfWritten {
      let file = try directory.makeFile("settlement.csv")
      try file.write("a")
      return directory.leave()
    }
    let options = RunOptions(threads: 1)
    let sources = [InputSource(path: folder.path("batch"))]
    let earlier = try ledger.earlier(threads: 1)
    let balances = try AccountEntries(beside: place)
    let (result, entries) = try BatchRun.settle(
      sources, to: directory, options: options, earlier: earlier, balances: balances, progress: nil)
    earlier.close()
    try directory.complete()
    if stop == .complete { return directory.leave() }
    try LedgerNote(place).make(of: ledger.path)
    if stop == .linked { return directory.leave() }
    let run = SettledRun(
      result: result, identity: BatchContent.identities(result.textDigests, options)[0],
      opening: try BatchContent.opening(sources), night: try entries(), balances: balances)
    let entry = try ledger.entry(run, directory: place, sums: directory.sums)
    _ = try run.night.enter(entry, balances: balances, in: ledger.ledger)
    if stop == .entered { return directory.leave() }
    try directory.publish()
    if stop == .published { return }
    LedgerNote(place).remove()
    if stop == .unlinked { return }
    try ledger.ledger.end(newKeys: run.night.keyCount)
  }

  private func isHidden(_ name: String) -> Bool { name.hasPrefix(".") }

  @Test("every stop, and every next run", arguments: Stop.allCases, Next.allCases)
  func recovers(stop: Stop, next: Next) throws {
    #expect(try workshop.settle(Batch.text("night-1", ["A"]), output: "first").description == "settled 1")
    let replaces = stop == .complete || stop == .published
    if replaces { #expect(try workshop.settle(Batch.text("x", ["X"]), ledger: "old").description == "settled 1") }
    try run(upTo: stop, replaces: replaces)

    // Before anything is cleaned up, the history contains what counts, and nothing else.
    let early = try workshop.history()
    #expect(early.runs == (stop.isPublished ? ["1 first", "2 out"] : ["1 first"]))
    #expect((early.unfinished == nil) == stop.isPublished)

    let isKnown = stop.isEntered
    switch next {
    case .sameBatchSameOutput:
      let outcome = try workshop.settle(text, replace: true)
      #expect(outcome.description == (isKnown ? "already settled 2" : "settled 2"))
      #expect(outcome.notes.count == (stop == .entered ? 1 : 0))
    case .sameBatchOtherOutput:
      let outcome = try workshop.settle(text, output: "other")
      #expect(outcome.description == (isKnown ? "settled before 2" : "settled 2"))
    case .otherBatchOtherOutput:
      let outcome = try workshop.settle(Batch.text("night-3", ["B", "D"]), output: "other")
      #expect(outcome.description == (isKnown ? "settled 3" : "settled 2"))
      #expect(
        try workshop.rows("exceptions.csv", of: "other").map { $0[5] } == (isKnown ? ["ALREADY_SETTLED"] : []))
    case .sameOutputNoLedger:
      let failure: Failure? = {
        do throws(Failure) {
          _ = try openingWhenFree(isBusy: \.isBusy) { () throws(Failure) in
            try BatchRun.settle(
              [folder.path("batch")], output: folder.path("out"), replace: false, options: RunOptions(threads: 1))
          }
          return nil
        } catch {
          return error
        }
      }()
      // What was entered is published first, and is then in the way; what should be replaced still exists.
      #expect(failure?.exitCode == (isKnown || replaces ? 73 : nil))
    case .sameOutputOtherLedger:
      let outcome = try workshop.settle(text, ledger: "third")
      #expect(outcome.exitCode == (isKnown || replaces ? 73 : 0))
    }

    if isKnown {
      #expect(try workshop.rows("settlement.csv").filter { $0[2] == "RECEIVER" }.map { $0[0] } == ["B", "C"])
      #expect(try workshop.history().runs.prefix(2) == ["1 first", "2 out"])
    }
    // The run that used the output has cleaned it up; so has the run that used the ledger.
    let usesOutput = next != .sameBatchOtherOutput && next != .otherBatchOtherOutput
    let usesLedger = next != .sameOutputNoLedger && next != .sameOutputOtherLedger
    if usesLedger {
      #expect(try workshop.history().unfinished == nil)
      #expect(try folder.names().filter(isHidden) == [])
    } else if usesOutput, stop != .complete {
      #expect(try folder.names().filter(isHidden) == [], "\(stop) \(next)")
    }
    // In the end everything is in order with the ledger.
    var last = try workshop.settle(text, output: "last", republish: true)
    // Nothing is published again if no run was entered.
    if last.exitCode == 64 { last = try workshop.settle(text, output: "last") }
    #expect(last.result != nil)
    #expect(try workshop.history().unfinished == nil)
    #expect(try folder.names().filter(isHidden) == [])
  }

  @Test("a run that was entered and can no longer be published is withdrawn")
  func withdraws() throws {
    #expect(try workshop.settle(Batch.text("night-1", ["A"]), output: "first").description == "settled 1")
    try run(upTo: .entered, replaces: false)
    try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
    let outcome = try workshop.settle(Batch.text("night-3", ["B", "D"]), output: "other")
    #expect(outcome.description == "settled 2")
    #expect(
      outcome.notes.count == 1
        && outcome.notes[0].hasSuffix("run 2, which was interrupted before it could be published, is withdrawn"))
    #expect(try workshop.rows("exceptions.csv", of: "other").isEmpty)
    #expect(try folder.names().filter(isHidden) == [])
    #expect(try workshop.history() == (["1 first", "2 other"], nil))
  }

  @Test("if entered reports cannot get their name, their run is withdrawn, and the batch settles later")
  func cannotPublish() throws {
    #expect(try workshop.settle(Batch.text("night-1", ["A"]), output: "first").description == "settled 1")
    try folder.write(Array(text.utf8), to: "batch")
    let (folder, place) = (folder, folder.path("out"))
    // What appears at the output once the reports are complete.
    let progress = RunProgress(show: { _ in }, clear: {}) { phase in
      if case .reported = phase { _ = FileManager.default.createFile(atPath: place, contents: nil) }
    }
    let failure = #expect(throws: Failure.self) {
      try openingWhenFree(isBusy: \Failure.isBusy) { () throws(Failure) in
        _ = try BatchRun.settle(
          [folder.path("batch")], output: place, replace: false, options: RunOptions(threads: 1),
          ledger: folder.path("ledger"), progress: progress)
      }
    }
    #expect(failure?.exitCode == 73)
    #expect(failure?.message == "\(place): exists already; name another output or give --replace")
    #expect(try workshop.history() == (["1 first"], nil))
    #expect(try LedgerUpkeep.verify(folder.path("ledger")).findings == [])
    #expect(try folder.names() == ["batch", "first", "ledger", "ledger-lock", "out"])
    try FileManager.default.removeItem(atPath: place)
    #expect(try workshop.settle(text).description == "settled 2")
    #expect(try workshop.rows("settlement.csv").filter { $0[2] == "RECEIVER" }.map { $0[0] } == ["B", "C"])
  }

  @Test("an entered run whose reports are gone stays: nothing of it is settled twice")
  func keepsWhatIsGone() throws {
    #expect(try workshop.settle(Batch.text("night-1", ["A"]), output: "first").description == "settled 1")
    try run(upTo: .published, replaces: false)
    let reports = try workshop.reports()
    try FileManager.default.removeItem(atPath: folder.path("out"))
    let outcome = try workshop.settle(Batch.text("night-3", ["B", "D"]), output: "other")
    #expect(outcome.description == "settled 3")
    #expect(outcome.notes.count == 1 && outcome.notes[0].contains("settle run --republish"))
    #expect(try workshop.rows("exceptions.csv", of: "other").map { $0[5] } == ["ALREADY_SETTLED"])
    #expect(try workshop.settle(text).description == "settled before 2, reports lost")
    #expect(try workshop.settle(text, republish: true).description == "already settled 2, published")
    #expect(try workshop.reports() == reports)
  }

  @Test("a second run with the ledger, or at the output, ends at once while one is active", arguments: [true, false])
  func oneAtATime(usesLedger: Bool) throws {
    let held = try workshop.runLedger()
    let place = try OutputPlace(path: folder.path("out"))
    try held.begin(place, replaces: false)
    let directory = try SettlementDirectory(path: folder.path("out"), replaces: false)
    let outcome = try workshop.settle(
      text, output: usesLedger ? "other" : "out", ledger: usesLedger ? "ledger" : "new", isHeld: true)
    #expect(outcome.exitCode == 75)
    withExtendedLifetime((held, directory)) {}
  }

  @Test("an output that is being entered in a ledger which another run holds is busy")
  func busyThroughLink() throws {
    try run(upTo: .entered, replaces: false)
    let held = try workshop.runLedger()
    #expect(try workshop.settle(text, ledger: "new", isHeld: true).exitCode == 75)
    withExtendedLifetime(held) {}
    #expect(try folder.names().filter(isHidden) == [".out.ledger", ".out.partial"], "nothing is cleared away")
  }

  @Test("a note that was not written completely names no ledger; a symbolic or hard link is not followed")
  func notesThatAreNone() throws {
    #expect(try workshop.settle(text, ledger: "real").description == "settled 1")
    let place = try OutputPlace(path: folder.path("new"))
    try folder.write(Array(folder.path("real").utf8), to: ".new.ledger")
    try LedgerNote.resolve(place, except: nil) { _ in }
    #expect(try !folder.names().contains(".new.ledger"))
    let note = folder.path(".new.ledger")
    for target in ["real", "note"] {
      try folder.write(Array((folder.path("real") + "\n").utf8), to: "note")
      try FileManager.default.createSymbolicLink(atPath: note, withDestinationPath: folder.path(target))
      let outcome = try workshop.settle(Batch.text("night-3", ["Z"]), output: "new", ledger: "third")
      #expect(
        outcome.description == "73: \(note): was not made by a run of this user, and is not followed; remove it"
      )
      try FileManager.default.removeItem(atPath: note)
    }
    try FileManager.default.linkItem(atPath: folder.path("note"), toPath: note)
    #expect(throws: Failure.self) { try LedgerNote.resolve(place, except: nil) { _ in } }
  }

  @Test("a note that names a missing ledger is not an obstacle")
  func deadNote() throws {
    try run(upTo: .linked, replaces: false)
    for name in ["ledger", "ledger-lock"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
    #expect(try workshop.settle(text).description == "settled 1")
    #expect(try folder.names() == ["batch", "ledger", "ledger-lock", "out"])
  }
}
