import CXXHash
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Ledger

@Suite("A ledger that lacks payouts would make them again")
struct LostPayoutTests {
  let folder: TemporaryFolder
  var path: String { folder.path("ledger") }

  init() throws {
    folder = try TemporaryFolder()
    try Night(1, keys: []).enter(folder.ledger())
  }

  private func copy(_ name: String, to other: String) throws { try folder.write(folder.bytes(of: name), to: other) }

  private func enterPayout(_ number: Int) throws {
    let ledger = try folder.ledger()
    #expect(try ledger.nextPayout() == number)
    let lists = try (0..<3).map { _ in
      let entries = try AccountEntries(beside: OutputPlace(path: path + ".list"), hasNotes: true)
      try entries.finish()
      return entries
    }
    try ledger.begin(directory: [0x2F], replaces: false)
    try ledger.enter(
      PayoutEntry(
        time: "", engine: "", identity: .sample(number, until: 1), firstRun: 1, ledger: "", isAdopted: false,
        exitCode: 0, achFiles: 0, totals: [], directory: Array("/\(number)".utf8), sums: ""),
      number: number, payments: lists[0], returns: lists[1], closings: lists[2])
    try ledger.end()
  }

  @Test("it is refused, and adopted only if the operator declares that the money is not paid again; numbers continue")
  func lacks() throws {
    try enterPayout(1)
    try copy("ledger", to: "older")
    try enterPayout(2)
    try enterPayout(3)
    try copy("older", to: "ledger")
    #expect {
      _ = try folder.ledger()
    } throws: {
      let text = ($0 as? LedgerFailure)?.message ?? ""
      return text.hasPrefix("the ledger has payouts up to 1 only")
        && text.contains("run 1 was entered last, and payout 3")
    }
    #expect(try LedgerCheck(ledger: path).findings.count == 1)
    #expect {
      _ = try Ledger.adopt(path)
    } throws: { error in
      guard case .damaged(let text) = error as? LedgerFailure else { return false }
      return text.contains("lacks payouts 2 to 3") && text.contains("--lacks-payouts")
    }
    #expect(throws: LedgerFailure.self) { try Ledger.adopt(path, lacksPayouts: true, nextPayout: 3) }
    #expect(try Ledger.adopt(path, lacksPayouts: true) == "it lacks no run; it lacks payouts 2 to 3")
    #expect(try LedgerCheck(ledger: path).findings == [])
    try enterPayout(4)
    #expect(try folder.ledger().payouts().map(\.number) == [1, 4])
  }

  @Test("without a lock file the next number must be given")
  func next() throws {
    try enterPayout(1)
    try FileManager.default.removeItem(atPath: path + "-lock")
    for number in [nil, 1] {
      #expect {
        _ = try Ledger.adopt(path, nextPayout: number)
      } throws: { if case .usage = $0 as? LedgerFailure { true } else { false } }
      try FileManager.default.removeItem(atPath: path + "-lock")
    }
    _ = try Ledger.adopt(path, nextPayout: 8)
    try enterPayout(8)
  }

  @Test("a ledger that made another payout is refused, and one that is ahead of its lock file is correct")
  func another() throws {
    try copy("ledger", to: "older")
    try copy("ledger-lock", to: "older-lock")
    try enterPayout(1)
    // The lock file was not written yet.
    try copy("older-lock", to: "ledger-lock")
    try enterPayout(2)
    #expect(try folder.ledger().payouts().count == 2)
  }

  @Test("a lock file of an earlier version records no payout")
  func earlierSlot() throws {
    let slot = try folder.bytes(of: "ledger-lock")
    let stored = (0...1).compactMap { LedgerSlot.stored(in: Array(slot.dropFirst(512 * $0).prefix(64))) }
    let newest = stored.max { $0.sequence < $1.sequence }!
    var bytes = Array(newest.slot.bytes(sequence: 9).prefix(40))
    bytes += withUnsafeBytes(of: XXH3_64bits(bytes, bytes.count).littleEndian, Array.init)
    #expect(LedgerSlot.stored(in: bytes)?.slot == newest.slot)
    try folder.write(bytes, to: "ledger-lock")
    try enterPayout(1)
  }
}
