import Failures
import Foundation
import Documents
import Testing
import TestSupport

@testable import BatchRun
@testable import LedgerRuns
@testable import Publication
@testable import RunSupport

@Suite("Publishing reports: all or nothing")
struct PublicationTests {
  static let names = [
    "SHA256SUMS", "control.csv", "exceptions.csv", "preapprovals.csv", "receivers.csv", "refunds.csv", "settlement.csv",
    "summary.json", "totals.csv",
  ]
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array(Line.payment("A").utf8), to: "batch")
  }

  private func settle(_ input: String = "batch", output: String = "out", replace: Bool = false) -> Failure? {
    do throws(Failure) {
      _ = try BatchRun.settle(
        [folder.path(input)], output: folder.path(output), replace: replace, options: RunOptions(threads: 3))
      return nil
    } catch {
      return error
    }
  }

  @Test("seven files, nothing else, and nothing next to them")
  func publishes() throws {
    #expect(settle() == nil)
    #expect(try folder.names() == ["batch", "out"])
    #expect(try folder.names(in: "out") == Self.names)
  }

  @Test("SHA256SUMS is what sha256sum checks, sorted by name")
  func sums() throws {
    #expect(settle() == nil)
    let sums = String(decoding: try folder.bytes(of: "out/SHA256SUMS"), as: UTF8.self)
    #expect(sums.split(separator: "\n").map { $0.dropFirst(66) } == Self.names.dropFirst().map { $0[...] })
    let check = Process()
    check.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    check.arguments = ["--check", "--strict", "--status", "SHA256SUMS"]
    check.currentDirectoryURL = URL(fileURLWithPath: folder.path("out"))
    try check.run()
    check.waitUntilExit()
    #expect(check.terminationStatus == 0)
  }

  @Test("an output that exists is left alone", arguments: ["a directory", "a file", "a dangling link"])
  func refusesExisting(kind: String) throws {
    switch kind {
    case "a directory":
      try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
    case "a file": try folder.write([1], to: "out")
    default: try FileManager.default.createSymbolicLink(atPath: folder.path("out"), withDestinationPath: "nowhere")
    }
    #expect(settle()?.exitCode == 73)
    #expect(settle()?.message == "\(folder.path("out")): exists already; name another output or give --replace")
    #expect(try folder.names() == ["batch", "out"])
    // Not a directory, so it may not be replaced either.
    if kind != "a directory" { #expect(settle(replace: true)?.exitCode == 73) }
  }

  @Test("--replace swaps an old directory, complete or not, and makes a new one if nothing is there")
  func replaces() throws {
    #expect(settle(replace: true) == nil)
    let first = try folder.bytes(of: "out/settlement.csv")
    try folder.write(Array(Line.payment("B").utf8), to: "batch")
    try FileManager.default.removeItem(atPath: folder.path("out/totals.csv"))
    #expect(settle(replace: true) == nil)
    #expect(try folder.bytes(of: "out/settlement.csv") != first)
    #expect(try folder.names(in: "out") == Self.names)
    #expect(try folder.names() == ["batch", "out"])
  }

  @Test(
    "--replace leaves a directory alone that contains anything except reports",
    arguments: ["notes.txt", ".hidden", "SHA256SUMS~"])
  func sparesStrangers(stranger: String) throws {
    #expect(settle() == nil)
    try folder.write([1], to: "out/" + stranger)
    let failure = settle(replace: true)
    #expect(failure?.exitCode == 73)
    #expect(
      failure?.message
        == "\(folder.path("out")): contains \(stranger), which is not a report; --replace leaves it alone")
    #expect(try folder.bytes(of: "out/" + stranger) == [1])
    // Before the batch is read.
    try folder.write(Array(#"{"type":"header"}"#.utf8), to: "batch")
    #expect(settle(replace: true)?.exitCode == 73)
  }

  @Test("an old directory stays unchanged if the new run fails")
  func keepsOldOnFailure() throws {
    #expect(settle() == nil)
    let old = try folder.bytes(of: "out/SHA256SUMS")
    try folder.write(Array(#"{"type":"header"}"#.utf8), to: "batch")
    #expect(settle(replace: true)?.exitCode == 2)
    #expect(try folder.bytes(of: "out/SHA256SUMS") == old)
    #expect(try folder.names() == ["batch", "out"])
  }

  @Test("the parent must exist and be a directory")
  func needsParent() throws {
    #expect(settle(output: "missing/out")?.exitCode == 73)
    #expect(
      settle(output: "missing/out")?.message
        == "\(folder.path("missing")): No such file or directory; this directory must exist")
    #expect(
      settle(output: "batch/out")?.message
        == "\(folder.path("batch")): is not a directory; this directory must exist")
    #expect(try folder.names() == ["batch"])
  }

  @Test("names that no new directory can have", arguments: [".", "..", "x/..", "./."])
  func needsName(name: String) {
    #expect(settle(output: name)?.exitCode == 73)
    #expect(settle(output: name, replace: true)?.exitCode == 73)
  }

  @Test("slashes after the name are removed")
  func trimsSlashes() throws {
    #expect(settle(output: "out//") == nil)
    #expect(try folder.names(in: "out") == Self.names)
  }

  @Test("an output that another run holds")
  func heldLock() throws {
    let held = try SettlementDirectory(path: folder.path("out"), replaces: false)
    let failure = settle()
    #expect(failure?.exitCode == 75)
    #expect(
      failure?.message
        == "\(folder.path(".out.partial")): another run is working on this output; wait for it to end")
    #expect(try folder.names() == [".out.partial", "batch"], "the holder's directory is not touched")
    withExtendedLifetime(held) {}
  }

  @Test("what a killed run left behind is removed; an abandoned one leaves nothing")
  func clearsLeftovers() throws {
    _ = try? SettlementDirectory(path: folder.path("out"), replaces: false)
    #expect(try folder.names() == ["batch"])
    try FileManager.default.createDirectory(atPath: folder.path(".out.partial"), withIntermediateDirectories: false)
    try folder.write([1, 2, 3], to: ".out.partial/settlement.csv")
    #expect(settle() == nil)
    #expect(try folder.names() == ["batch", "out"])
    #expect(try folder.names(in: "out") == Self.names)
  }

  @Test("what appears at the output while the run is active stays", arguments: [false, true])
  func losesRace(replaces: Bool) throws {
    var directory: SettlementDirectory? = try completed(replaces: replaces)
    try folder.write([7], to: "out")
    #expect(throws: Failure.self) { try directory?.publish() }
    #expect(try folder.bytes(of: "out") == [7])
    directory = nil
    #expect(try folder.names() == ["batch", "out"])
  }

  @Test("reports that appear at the output meanwhile stay, unless --replace is given", arguments: [false, true])
  func losesRaceToReports(replaces: Bool) throws {
    #expect(settle(output: "other") == nil)
    let other = try folder.bytes(of: "other/SHA256SUMS")
    let directory = try completed(replaces: replaces)
    try FileManager.default.moveItem(atPath: folder.path("other"), toPath: folder.path("out"))
    if replaces { try directory.publish() } else { #expect(throws: Failure.self) { try directory.publish() } }
    #expect(try (folder.bytes(of: "out/SHA256SUMS") == other) == !replaces)
  }

  @Test("a complete directory keeps its temporary name until it is published")
  func twoSteps() throws {
    let directory = try completed(replaces: false)
    #expect(try folder.names() == [".out.partial", "batch"])
    #expect(try folder.names(in: ".out.partial") == Self.names)
    try directory.publish()
    #expect(try folder.names() == ["batch", "out"])
    #expect(try folder.names(in: "out") == Self.names)
  }

  @Test("--replace does not wait long for anyone who holds the old reports")
  func heldOldReports() throws {
    #expect(settle() == nil)
    let old = try folder.bytes(of: "out/SHA256SUMS")
    let holder = open(folder.path("out"), O_RDONLY)
    defer { close(holder) }
    #expect(flock(holder, LOCK_EX) == 0)
    #expect(settle(replace: true)?.exitCode == 75)
    #expect(try folder.bytes(of: "out/SHA256SUMS") == old)
    #expect(try folder.names() == ["batch", "out"])
  }

  private func completed(replaces: Bool) throws -> SettlementDirectory {
    let directory = try SettlementDirectory(path: folder.path("out"), replaces: replaces)
    for name in ReportKind.fileNames { try directory.finish(try directory.makeFile(name), name: name) }
    try directory.complete()
    return directory
  }

  @Test("inputs that cannot be opened or read")
  func needsInput() throws {
    #expect(settle("missing")?.exitCode == 66)
    #expect(settle("missing")?.message == "\(folder.path("missing")): cannot open the file: No such file or directory")
    #expect([66, 74].contains(settle("../")?.exitCode))
    #expect(try folder.names() == ["batch"])
  }

  @Test("each failure has its exit code")
  func exitCodes() {
    let failures: [(Failure, Int32)] = [
      (.unreadable("x"), 66), (.unavailable("x"), 73), (.inputOutput("x"), 74), (.brokenPipe, 141),
      (.busy("x"), 75), (.configuration("x"), 78),
    ]
    for (failure, code) in failures { #expect(failure.exitCode == code) }
  }
}
