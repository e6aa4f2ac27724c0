import Digests
import FileSystem
import Foundation
import Glibc
import Ledger
import Documents
import Rules
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import RunSupport

@Suite("A lost ledger is made again: runs are entered with the directories that still exist")
struct AdoptionTests {
  let workshop: LedgerWorkshop
  var folder: TemporaryFolder { workshop.folder }

  /// Three nights with a key in common, a refund of an earlier night among them.
  private let nights = [
    Batch.text("night-1", ["A", "B"]),
    [Line.payment("B"), Line.payment("C"), refund("R-1", of: "A")].joined(separator: "\n"),
    [Line.payment("C"), Line.payment("D"), refund("R-2", of: "A")].joined(separator: "\n"),
  ]

  private static func refund(_ key: String, of payKey: String) -> String {
    #"{"type":"refund","refundKey":"\#(key)","payKey":"\#(payKey)","amount":"4.00","currencyCode":"USD"}"#
  }

  init() throws {
    workshop = try LedgerWorkshop()
    for number in nights.indices { #expect(try settle(number, adopt: false).description == "settled \(number + 1)") }
  }

  private func settle(_ number: Int, output: String? = nil, adopt: Bool = true) throws -> LedgerWorkshop.Outcome {
    try workshop.settle(nights[number], output: output ?? "out-\(number)", adopt: adopt)
  }

  private func loseLedger() throws {
    for name in ["ledger", "ledger-lock"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
  }

  /// The files of the nights' directories, with the times at which they were last changed.
  private func standing() throws -> [String: String] {
    var files: [String: String] = [:]
    for directory in try folder.names() where directory.hasPrefix("out") {
      for (name, bytes) in try workshop.reports(directory) {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("\(directory)/\(name)"))
        let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        files["\(directory)/\(name)"] = "\(time) \(SHA256.digest(of: bytes).hexadecimal)"
      }
    }
    return files
  }

  @Test("the nights in order give the ledger that was lost; no directory changes")
  func madeAgain() throws {
    let before = try (standing(), entries())
    try loseLedger()
    for number in nights.indices {
      let outcome = try settle(number)
      #expect(outcome.description == "settled \(number + 1)")
      #expect(outcome.notes.count == (number == 0 ? 1 : 0), "\(outcome.notes)")
    }
    #expect(try standing() == before.0)
    #expect(try entries() == before.1)
    #expect(try LedgerUpkeep.verify(folder.path("ledger")).findings == [])
    for number in nights.indices {
      for adopt in [true, false] {
        #expect(try settle(number, adopt: adopt).description == "already settled \(number + 1)")
      }
    }
    let fourth = try workshop.settle([Line.payment("D"), Self.refund("R-3", of: "A")].joined(separator: "\n"))
    #expect(fourth.description == "settled 4")
    #expect(try workshop.rows("exceptions.csv").map { $0[5] } == ["ALREADY_SETTLED", "REFUND_EXCEEDS_REMAINING"])
  }

  /// The runs, without the times at which they were entered.
  private func entries() throws -> [RunEntry] {
    try LedgerHistory(ledger: folder.path("ledger")).runs.map { run in
      var entry = run
      (entry.time, entry.batchKey, entry.isAdopted) = ("", nil, false)
      return entry
    }
  }

  @Test("a directory is known by its real path, under any link", arguments: ["link/out-0", "link-0"])
  func links(output: String) throws {
    try loseLedger()
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link-0"), withDestinationPath: "out-0")
    #expect(try settle(0, output: output).description == "settled 1")
    for output in ["link/out-0", "link-0", "out-0"] {
      for adopt in [true, false] {
        #expect(try settle(0, output: output, adopt: adopt).description == "already settled 1", "\(output)")
      }
    }
    #expect(try workshop.history() == (["1 out-0"], nil))
  }

  @Test("--replace leaves a run's directory alone if its folder has moved and a link leads there")
  func movedFolder() throws {
    try FileManager.default.createDirectory(atPath: folder.path("reports"), withIntermediateDirectories: false)
    let batch = Batch.text("moved", ["M"])
    #expect(try workshop.settle(batch, output: "reports/m").description == "settled 4")
    try FileManager.default.moveItem(atPath: folder.path("reports"), toPath: folder.path("disk"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("reports"), withDestinationPath: "disk")
    for output in ["reports/m", "disk/m"] {
      let refused = try workshop.settle(Batch.text("other", ["N"]), output: output, replace: true)
      #expect(refused.exitCode == 73 && refused.description.contains("the directory of run 4"))
      #expect(try workshop.settle(batch, output: output).description == "already settled 4")
    }
  }

  /// Changes `summary.json`, and its line of `SHA256SUMS` with it.
  private func changeSummary(_ change: (String) -> String) throws {
    func text(_ name: String) throws -> String {
      String(decoding: try folder.bytes(of: "out-0/\(name)"), as: UTF8.self)
    }
    func digest(_ text: String) -> String { SHA256.digest(of: Array(text.utf8)).hexadecimal }
    let old = try text("summary.json")
    let new = change(old)
    try folder.write(Array(new.utf8), to: "out-0/summary.json")
    let sums = try text("SHA256SUMS").replacingOccurrences(of: digest(old), with: digest(new))
    try folder.write(Array(sums.utf8), to: "out-0/SHA256SUMS")
  }

  @Test("reports of another engine, or of one that did not name its rules, still count as the run's")
  func otherEngine() throws {
    try loseLedger()
    try changeSummary {
      $0.replacing("\"version\":\"\(BatchRun.version)\"", with: #""version":"0.9","commit":"é""#)
        .replacing(/"rules":\{[^}]*\},/, with: "")
    }
    let before = try standing()
    #expect(try settle(0).description == "settled 1")
    #expect(try standing() == before)
    #expect(try settle(0, adopt: false).description == "already settled 1")
    #expect(try LedgerUpkeep.verify(folder.path("ledger")).findings == [])
  }

  static let changes =
    ReportKind.fileNames + [
      "SHA256SUMS", "summary", "whole summary", "spaces in the summary", "no engine", "missing", "order", "rules",
      "file",
    ]

  @Test(
    "anything else is refused (73), and nothing is changed; a ledger that was made is removed again", arguments: changes
  )
  func refused(change: String) throws {
    try loseLedger()
    var options = RunOptions(threads: 3)
    var batch = nights[0]
    switch change {
    case "summary": try changeSummary { $0.replacing(#""read":2"#, with: #""read":3"#) }
    case "whole summary": try changeSummary { _ in "[]\n" }
    case "spaces in the summary": try changeSummary { $0.replacing(#","batch""#, with: #", "batch""#) }
    case "no engine": try changeSummary { $0.replacing(/"engine":\{[^}]*\},/, with: "") }
    case "missing": try FileManager.default.removeItem(atPath: folder.path("out-0/totals.csv"))
    case "order": batch = nights[1]
    case "rules": options.rules.schedule = try FeeSchedule(json: Self.freeFees)
    case "file":
      try FileManager.default.removeItem(atPath: folder.path("out-0"))
      try folder.write([], to: "out-0")
    default:
      let bytes = try folder.bytes(of: "out-0/\(change)")
      try folder.write(bytes.dropLast() + [UInt8(ascii: "x"), UInt8(ascii: "\n")], to: "out-0/\(change)")
    }
    let before = try change == "file" ? [:] : standing()
    let output = change == "order" ? "out-1" : "out-0"
    let refused = try workshop.settle(batch, output: output, adopt: true, options: options)
    #expect(refused.exitCode == 73, "\(refused.description)")
    if ReportKind.fileNames.contains(change) { #expect(refused.description.contains("/out-0: its \(change) differs")) }
    if change != "file" { #expect(try standing() == before) }
    #expect(try folder.names() == ["batch", "out-0", "out-1", "out-2"])
  }

  /// The published schedule without fees.
  private static let freeFees = Array(
    String(decoding: FeeSchedule.published.text, as: UTF8.self)
      .replacing(/"rate": *"[0-9.]+"/, with: #""rate":"0""#).utf8)

  @Test("if there are no reports, the run publishes them; the directory of another run is not taken")
  func others() throws {
    try loseLedger()
    #expect(try settle(0, output: "new").description == "settled 1")
    #expect(try workshop.reports("new") == workshop.reports("out-0"))
    let refused = try settle(1, output: "new")
    #expect(refused.exitCode == 73 && refused.description.contains("is the directory of run 1"))
    #expect(try settle(0).description == "settled before 1")
    #expect(try workshop.history() == (["1 new"], nil))
  }

  @Test("no run waits for a directory that another run holds (75)")
  func held() throws {
    try loseLedger()
    let directory = try Directory(path: folder.path("out-0"))
    #expect(flock(directory.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0)
    #expect(
      try workshop.settle(nights[0], output: "out-0", adopt: true, isHeld: true).description
        == "75: \(folder.path("out-0")): another run holds it; wait for it to end")
    withExtendedLifetime(directory) {}
  }

  @Test("an interrupted adoption is entered or not; the next run says which", arguments: [false, true])
  func interrupted(isEntered: Bool) throws {
    let entry = try #require(try LedgerHistory(ledger: folder.path("ledger")).runs.first)
    try loseLedger()
    let ledger = try workshop.runLedger()
    let place = try OutputPlace(path: folder.path("out-0"))
    try ledger.begin(place, replaces: false)
    if isEntered {
      let options = RunOptions(threads: 1)
      try folder.write(Array(nights[0].utf8), to: "batch")
      let sources = try InputCopy.sources([folder.path("batch")], beside: place)
      let earlier = try ledger.earlier(threads: 1)
      let balances = try AccountEntries(beside: place)
      let (result, entries) = try BatchRun.settle(
        sources, to: UnreadReports(), options: options, earlier: earlier, balances: balances, progress: nil)
      earlier.close()
      let run = SettledRun(
        result: result, identity: BatchContent.identities(result.textDigests, options)[0],
        opening: try BatchContent.opening(sources), night: try entries(), balances: balances)
      _ = try run.night.enter(
        ledger.entry(run, directory: place, sums: entry.sums), balances: balances, in: ledger.ledger)
    }
    ledger.leavesAttempt = true
    _ = consume ledger
    let before = try standing()
    #expect(try settle(0).description == (isEntered ? "already settled 1" : "settled 1"))
    #expect(try standing() == before)
    #expect(try workshop.history() == (["1 out-0"], nil))
  }
}

/// Reports that no one reads.
private final class UnreadReports: ReportDestination {
  final class Report: ReportWriter {
    func write(_ text: Span<UInt8>) {}
  }

  func makeFile(_ name: String) -> Report { Report() }

  func finish(_ file: Report, name: String) {}
}
