import Digests
import Failures
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

  private func enterPayout(_ number: Int, until run: Int = 1) throws {
    let ledger = try folder.ledger()
    #expect(try ledger.lastKnownPayout() + 1 == number)
    var lists: [ListKind: AccountEntries] = [:]
    for kind in [ListKind.payments, .returns, .adjustments, .closings] {
      lists[kind] = try AccountEntries(kind, beside: OutputPlace(path: path + ".list"))
      try lists[kind]!.finish()
    }
    try ledger.begin(directory: [0x2F], replaces: false)
    _ = try ledger.enter(
      PayoutEntry(
        number: number, time: "", engine: "", identity: .sample(number, until: run), firstRun: 1, ledger: "",
        isAdopted: false,
        exitCode: 0, achFiles: 0, totals: [], directory: Array("/\(number)".utf8), sums: ""),
      lists)
    try ledger.end()
  }

  /// Makes the ledger count, as an operator who says nothing, or which payout was the last.
  private func adopt(lastPayout: Int? = nil, givenUp: [Int] = []) throws -> AdoptedLedger {
    let adopted = try AdoptedLedger(path)
    try adopted.count(
      lastPayout: max(adopted.lastPayoutOfLock ?? 0, lastPayout ?? 0), word: lastPayout,
      givenUp: givenUp.map { ($0, nil) })
    return adopted
  }

  @Test("it is refused, and no one else can use it while it is adopted")
  func lacks() throws {
    try enterPayout(1)
    try copy("ledger", to: "older")
    try enterPayout(2)
    try enterPayout(3)
    try copy("older", to: "ledger")
    #expect {
      _ = try folder.ledger()
    } throws: {
      guard let failure = $0 as? Failure, failure.isUnsound(asksForLastPayout: false) else { return false }
      return failure.text.hasPrefix("the ledger has payouts up to 1 only")
        && failure.text.contains("run 1 was entered last, and payout 3")
    }
    #expect(try LedgerCheck(ledger: path).findings.count == 1)
    let adopted = try adopt(givenUp: [2])
    #expect(try adopted.lastPayoutOfLock == 3 && adopted.lackedRuns() == "it lacks no run")
    #expect(throws: Failure.self) { try folder.ledger() }
    withExtendedLifetime(adopted) {}
  }

  @Test("what is adopted counts, under its name; numbers that are given up are not used again")
  func counts() throws {
    try enterPayout(1)
    try copy("ledger", to: "older")
    try enterPayout(2)
    try enterPayout(3)
    let name = try folder.ledger().name()
    try copy("older", to: "ledger")
    _ = try adopt(givenUp: [2])
    #expect(try LedgerCheck(ledger: path).findings == [])
    #expect(try folder.ledger().name() == name)
    #expect(try folder.ledger().givenUp().map(\.number) == [2])
    try enterPayout(4)
    #expect(try folder.ledger().payouts().map(\.number) == [1, 4])
    // The older copy does not know what was adopted.
    try copy("older", to: "ledger")
    #expect(throws: Failure.self) { try folder.ledger() }
  }

  @Test("without a valid lock file, or with that of another ledger, it is not known which payout was the last")
  func unknown() throws {
    try enterPayout(1)
    try Night(1, keys: []).enter(folder.ledger("other"))
    try copy("other-lock", to: "ledger-lock")
    #expect(throws: Failure.self) { try folder.ledger() }
    #expect(try AdoptedLedger(path).lastPayoutOfLock == nil)
    try FileManager.default.removeItem(atPath: path + "-lock")
    #expect {
      _ = try folder.ledger()
    } throws: {
      ($0 as? Failure)?.isUnsound(asksForLastPayout: true) == true
    }
    #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
    _ = try adopt(lastPayout: 7)
    #expect(try folder.ledger().word() == 7)
    try enterPayout(8)
  }

  @Test("a ledger that made another payout is refused, and one that is ahead of its lock file is correct")
  func another() throws {
    try copy("ledger", to: "older")
    try copy("ledger-lock", to: "older-lock")
    try enterPayout(1)
    try copy("ledger-lock", to: "newer-lock")
    // The lock file was not written yet.
    try copy("older-lock", to: "ledger-lock")
    try enterPayout(2)
    #expect(try folder.ledger().payouts().count == 2)
    // Restored, used where its payout was not known, and brought here again.
    try copy("older", to: "ledger")
    try copy("older-lock", to: "ledger-lock")
    try enterPayout(1, until: 2)
    try copy("newer-lock", to: "ledger-lock")
    #expect {
      _ = try folder.ledger()
    } throws: {
      guard let failure = $0 as? Failure, failure.isUnsound(asksForLastPayout: false) else { return false }
      return failure.text.hasPrefix("the ledger's payout 1 is not the one that was entered")
    }
  }

  @Test("a lock file of rc.2 has no name, and one of rc.3 no digest of a directory", arguments: [56, 64])
  func earlierSlot(length: Int) throws {
    let slot = try folder.bytes(of: "ledger-lock")
    let stored = (0...1).compactMap { LedgerSlot.stored(in: Array(slot.dropFirst(512 * $0).prefix(LedgerSlot.length))) }
    let newest = stored.max { $0.sequence < $1.sequence }!
    var bytes = Array(newest.slot.bytes(sequence: 9).prefix(length))
    let checksum = XXH3.checksum(of: bytes.span)
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
    // A ledger that was never adopted has the beginning of its id as its name.
    #expect(LedgerSlot.stored(in: bytes)?.slot == newest.slot)
    try folder.write(bytes, to: "ledger-lock")
    try enterPayout(1)
  }
}
