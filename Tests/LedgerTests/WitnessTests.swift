import Failures
import Foundation
import TestSupport
import Testing

@testable import Ledger

@Suite("A witness finds a ledger that was put back together with its lock file")
struct WitnessTests {
  let folder: TemporaryFolder
  var path: String { folder.path("ledger") }
  var witness: String { folder.path("disk/witness") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: true)
  }

  private func open(
    _ name: String = "ledger", with witness: String? = "disk/witness", makesAgain: Bool = false,
    mustHaveRuns: Bool = false,
    onlyReads: Bool = false
  ) throws(Failure) -> Ledger {
    try openingWhenFree(isBusy: \Failure.isBusy) { () throws(Failure) in
      try Ledger(
        path: folder.path(name), mustHaveRuns: mustHaveRuns, makesAgain: makesAgain,
        witness: witness.map { folder.path($0) }, isKept: onlyReads)
    }
  }

  /// Enters nights as commands do that are given the witness, or nil.
  private func enter(
    _ numbers: ClosedRange<Int>, _ name: String = "ledger", with witness: String? = "disk/witness", adopt: Bool = false
  ) throws {
    for number in numbers {
      let ledger = try open(name, with: witness, makesAgain: adopt)
      try Night(number, keys: []).enter(ledger)
      try ledger.keepWitness()
    }
  }

  private func copy(_ name: String, to other: String) throws { try folder.write(folder.bytes(of: name), to: other) }

  /// Puts both files back.
  private func putBack(_ name: String) throws {
    try copy(name, to: "ledger")
    try copy("\(name)-lock", to: "ledger-lock")
  }

  private func save(_ name: String) throws {
    try copy("ledger", to: name)
    try copy("ledger-lock", to: "\(name)-lock")
  }

  private func remove(_ names: String...) throws {
    for name in names { try FileManager.default.removeItem(atPath: folder.path(name)) }
  }

  private func failure(
    _ name: String = "ledger", with witness: String? = "disk/witness", makesAgain: Bool = false
  ) -> Failure? {
    do throws(Failure) {
      _ = try open(name, with: witness, makesAgain: makesAgain)
      return nil
    } catch {
      return error.unnamed
    }
  }

  @discardableResult
  private func adopt(_ lastPayout: Int? = nil, with witness: String? = "disk/witness") throws -> String {
    let adopted = try openingWhenFree(isBusy: \Failure.isBusy) { () throws(Failure) in
      try AdoptedLedger(path, witness: witness.map { folder.path($0) })
    }
    let lacked = try adopted.lackedRuns()
    #expect(
      try adopted.count(lastPayout: max(lastPayout ?? 0, adopted.lastKnownPayout()), word: lastPayout, givenUp: [])
        == nil)
    return lacked
  }

  @Test("both files put back are refused, and adopting the ledger says what it lacks")
  func putBack() throws {
    try enter(1...1)
    try save("older")
    try enter(2...3)
    try putBack("older")
    let before = try (folder.bytes(of: "ledger"), folder.bytes(of: "ledger-lock"), folder.bytes(of: "disk/witness"))
    let found = try #require(failure())
    #expect(
      found
        == .unsound(
          "the ledger has runs up to 1 only; its witness \(witness) says run 3 was entered last",
          .adopt(asksForLastPayout: false, witness: witness)))
    #expect(try folder.bytes(of: "ledger") == before.0)
    #expect(try folder.bytes(of: "ledger-lock") == before.1 && folder.bytes(of: "disk/witness") == before.2)
    #expect(try adopt() == "it lacks runs 2 to 3")
    try enter(2...3)
    #expect(try open().run(number: 3) != nil)
    // Put back once more, the ledger has another id.
    try putBack("older")
    #expect(failure()?.text.hasPrefix("is not the ledger of its witness \(witness)") == true)
  }

  @Test("without the option a ledger works, and knows that it has a witness; a ledger ahead of its witness is right")
  func withoutOption() throws {
    try enter(1...1)
    try enter(2...2, with: nil)
    #expect(try open(with: nil).hasWitness())
    #expect(failure() == nil)
    try enter(3...3)
    try save("third")
    try enter(4...4)
    try putBack("third")
    #expect(failure(with: nil) == nil && failure() != nil)
  }

  @Test("a ledger that is adopted without the option has another id than its witness, until it is adopted with it")
  func adoptedWithout() throws {
    try enter(1...2)
    #expect(try adopt(with: nil) == "it lacks no run")
    #expect(failure()?.text.hasPrefix("is not the ledger of its witness") == true)
    #expect(try adopt() == "it lacks no run")
    #expect(failure() == nil)
  }

  @Test("it is made the first time only; later its absence is refused, as if its disk were not mounted")
  func absent() throws {
    try enter(1...1, with: nil)
    try enter(2...2)
    for folderToo in [false, true] {
      try remove(folderToo ? "disk" : "disk/witness")
      #expect(
        failure()
          == .unsound(
            "its witness \(witness) is not there, as if its disk were not mounted", .makeWitness(witness)))
      if folderToo {
        try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: true)
      }
      #expect(try folder.names(in: "disk") == [])
      #expect(try adopt() == "it lacks no run")
      #expect(failure() == nil)
    }
    try folder.write([], to: "disk/witness")
    #expect(failure() == .unsound("its witness \(witness) is empty", .makeWitness(witness)))
  }

  @Test("its folder must exist, it must be a file that can be written, and nothing is made before that is known")
  func unusable() throws {
    for name in ["none/witness", "disk"] {
      let found = try #require(failure(with: name))
      #expect(found.exitCode == 73, "\(found)")
      #expect(try folder.names() == ["disk"])
    }
    for name in ["ledger", "ledger-lock"] { #expect(failure(with: name)?.exitCode == 64) }
    #expect(try folder.names() == ["disk"])
    try enter(1...1, with: nil)
    #expect(failure(with: "ledger-lock")?.exitCode == 64)
    #expect(failure(with: "none/witness")?.exitCode == 73)
  }

  @Test("two ledgers cannot share one: it is never overwritten")
  func shared() throws {
    try enter(1...1)
    try enter(1...1, "other", with: nil)
    let before = try folder.bytes(of: "disk/witness")
    let names = try [open(), open("other", with: nil)].map { try $0.name().digits }
    for other in [try #require(failure("other")), try #require(adoptionFailure("other"))] {
      #expect(other.kind == .inputOutput && names.allSatisfy(other.text.contains), "\(other)")
    }
    #expect(try folder.bytes(of: "disk/witness") == before)
  }

  private func adoptionFailure(_ name: String) -> Failure? {
    do throws(Failure) {
      _ = try AdoptedLedger(folder.path(name), witness: witness)
      return nil
    } catch {
      return error.unnamed
    }
  }

  @Test(
    "a damaged one is refused, and a damaged slot counts only for a ledger that is ahead of the other",
    arguments: [0, 512])
  func damaged(place: Int) throws {
    try enter(1...3)
    let whole = try folder.bytes(of: "disk/witness")
    func sequence(_ place: Int) -> UInt64 {
      LedgerSlot.stored(in: Array(whole.dropFirst(place).prefix(LedgerSlot.length)))?.sequence ?? 0
    }
    var damaged = whole
    damaged[place + 20] ^= 1
    try folder.write(damaged, to: "disk/witness")
    let isOlder = sequence(place) < sequence(512 - place)
    // The intact slot is that of run 3, or of run 2.
    #expect(failure()?.text.hasPrefix("the witness \(witness) is damaged") ?? false == isOlder)
    try folder.write(whole.map { $0 ^ 1 }, to: "disk/witness")
    #expect(failure() == .unsound("its witness \(witness) is damaged", .makeWitness(witness)))
    #expect(try adopt() == "it lacks no run")
    #expect(failure() == nil)
  }

  @Test("if only the witness is left, a lost ledger is made again with its name and numbers, and no new one is made")
  func onlyWitnessLeft() throws {
    try enter(1...2)
    try adopt(4)
    let name = try open().name()
    try remove("ledger", "ledger-lock")
    #expect(
      failure()
        == .unsound(
          "the ledger is gone; its witness \(witness) says run 2 was entered last, and payout 4",
          .makeAgain(witness: witness)))
    #expect(throws: Failure.self) { try open(mustHaveRuns: true) }
    #expect(try folder.names() == ["disk"])
    try enter(1...2, adopt: true)
    let again = try open()
    #expect(try again.name() == name && again.lastKnownPayout() == 4 && !again.needsWord() && again.lastRun == 2)
  }

  @Test("a ledger that was made again without the option takes name and numbers later")
  func taken() throws {
    try enter(1...2)
    try adopt(4)
    let name = try open().name()
    try remove("ledger", "ledger-lock")
    try enter(1...1, with: nil, adopt: true)
    #expect(try open(with: nil).name() != name && open(with: nil).needsWord())
    #expect(failure()?.advice == .adopt(asksForLastPayout: false, witness: witness))
    #expect(try adopt() == "it lacks run 2")
    let again = try open()
    #expect(try again.name() == name && again.lastKnownPayout() == 4 && !again.needsWord())
  }

  @Test("an opening that enters nothing leaves no witness, and one that only reads makes none")
  func nothingEntered() throws {
    do { try open().removeIfEmpty() }
    #expect(try folder.names() == ["disk"] && folder.names(in: "disk") == [])
    try enter(1...1, with: nil)
    do { _ = try open(onlyReads: true) }
    #expect(try folder.names(in: "disk") == [])
    try enter(2...2)
    let before = try folder.bytes(of: "disk/witness")
    try enter(3...3, with: nil)
    do { _ = try open(onlyReads: true) }
    #expect(try folder.bytes(of: "disk/witness") == before)
  }

  @Test("a first command that is killed blocks nothing, wherever the witness is by then")
  func firstKilled() throws {
    // Made, and nothing written to it.
    do { _ = try open() }
    #expect(try folder.bytes(of: "disk/witness") == [])
    #expect(failure() == nil)
    try enter(1...1)
    #expect(try open().hasWitness())
  }
}
