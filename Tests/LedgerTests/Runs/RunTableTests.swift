import Claims
import Digests
@testable import SQLite
import Failures
import TestSupport
import Testing

@testable import Ledger

@Suite("Runs in a ledger")
struct RunTableTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func ledger() throws -> Ledger { try folder.ledger() }

  @Test("what is entered is found again, by number and identity, even by another opening of the file")
  func entersAndFinds() throws {
    try Night(1, keys: [Fingerprint(low: 5, high: 6)]).enter(ledger())
    var second = Night(2, keys: [])
    second.entry.batchID = nil
    second.entry.batchKey = nil
    second.entry.files = []
    second.entry.totals = []
    second.entry.directory = [0x2F, 0xFF, 0x00 + 0x41]
    try second.enter(ledger())
    let ledger = try ledger()
    let first = Night(1, keys: [Fingerprint(low: 5, high: 6)]).entry
    let found = try #require(try ledger.run([first.identity]))
    #expect(found.unnumbered == first && found.id == .run(1))
    #expect(try ledger.run(number: 2)?.unnumbered == second.entry)
    #expect(try ledger.run(number: 3) == nil)
    #expect(try ledger.attempt() == nil)
  }

  @Test("the key of the fingerprints is drawn once for each ledger")
  func hashKey() throws {
    let first = try ledger().hash
    #expect(try ledger().hash == first)
    #expect(try folder.ledger("other").hash != first)
  }

  @Test(
    "another content, schedule or set of options is another identity", arguments: ["content", "schedule", "options"])
  func tellsIdentities(part: String) throws {
    let ledger = try ledger()
    let night = Night(1, keys: [])
    try night.enter(ledger)
    var other = night.entry.identity
    switch part {
    case "content": other.content[31] ^= 1
    case "schedule": other.schedule[0] ^= 1
    default: other.options = "strictItems=1"
    }
    #expect(try ledger.run([other]) == nil)
    var again = night
    again.entry.identity = other
    #expect(try again.enter(ledger) == 2)
    #expect(try ledger.run([other])?.number == 2)
    #expect(try ledger.run([night.entry.identity])?.number == 1)
  }

  @Test("an identity cannot be entered twice; nothing of the second run stays")
  func refusesTwice() throws {
    let ledger = try ledger()
    try Night(1, keys: [Fingerprint(low: 5, high: 6)]).enter(ledger)
    try ledger.begin(directory: [1], replaces: true)
    #expect(throws: Failure.self) { try Night(1, keys: [Fingerprint(low: 7, high: 8)]).enterOnly(ledger) }
    #expect(try ledger.attempt() == Attempt(directory: [1], replaces: true, entered: nil))
    let earlier = try ledger.keyLookup(readers: 1)
    #expect(try earlier.run(of: Fingerprint(low: 5, high: 6), reader: 0) == 1)
    #expect(try earlier.run(of: Fingerprint(low: 7, high: 8), reader: 0) == nil)
    earlier.close()
  }

  @Test("openings show which contents may be known")
  func openings() throws {
    let ledger = try ledger()
    let entry = Night(1, keys: []).entry
    #expect(try !ledger.hasRun(opening: entry.opening))
    try Night(1, keys: []).enter(ledger)
    #expect(try ledger.hasRun(opening: entry.opening))
    #expect(try !ledger.hasRun(opening: [1]))
  }

  @Test("a run is found by the kind of digest that it was entered with")
  func plainDigests() throws {
    let ledger = try ledger()
    var (first, second) = (Night(1, keys: []), Night(2, keys: []))
    try first.enter(ledger)
    #expect(try !ledger.hasPlainRuns())
    second.entry.identity.isPlain = true
    try second.enter(ledger)
    #expect(try ledger.hasPlainRuns())
    first.entry.identity.isPlain = true
    let (other, plain) = (first.entry.identity, second.entry.identity)
    #expect(try ledger.run([other]) == nil)
    #expect(try ledger.run([other, plain])?.unnumbered == second.entry)
  }

  @Test("an attempt exists from its beginning to its end, for everyone who opens the ledger")
  func attempts() throws {
    try ledger().begin(directory: [0x2F, 0xC3], replaces: true)
    #expect(try ledger().attempt() == Attempt(directory: [0x2F, 0xC3], replaces: true, entered: nil))
    _ = try Night(1, keys: [Fingerprint(low: 5, high: 6)]).enterOnly(ledger())
    #expect(try ledger().attempt()?.entered == .run(1))
    try ledger().end(newKeys: 1)
    #expect(try ledger().attempt() == nil)
    #expect(try ledger().run(number: 1) != nil)
  }

  @Test("a run whose reports are in another place now")
  func moves() throws {
    let ledger = try ledger()
    try Night(1, keys: []).enter(ledger)
    try ledger.move(.run(1), to: [0x2F, 0x62], sums: "other\n")
    #expect(try ledger.run(number: 1)?.directory == [0x2F, 0x62])
    #expect(try ledger.run(number: 1)?.sums == "other\n")
  }

  @Test("the history lists all runs in order, even while a run is active")
  func history() throws {
    let ledger = try ledger()
    for number in 1...12 { try Night(number, keys: []).enter(ledger) }
    try ledger.begin(directory: [9], replaces: false)
    let history = try LedgerHistory(ledger: folder.path("ledger"))
    #expect(history.runs.map(\.number) == Array(1...12))
    #expect(history.runs.map(\.unnumbered) == (1...12).map { Night($0, keys: []).entry })
    #expect(history.attempt == Attempt(directory: [9], replaces: false, entered: nil))
    withExtendedLifetime(ledger) {}
  }

  @Test("the texts of rules are kept once, found by their digest, and removed with the last run that had them")
  func rules() throws {
    let schedules: [[UInt8]] = [Array(repeating: 7, count: 100_000), Array("b".utf8)]
    for number in 1...4 {
      var night = Night(number, keys: [])
      night.rules = ["fees": schedules[number / 4], "splits": []]
      try night.enter(ledger())
      #expect(try ledger().run(number: number)?.rules == night.entry.rules)
    }
    #expect(try folder.bytes(of: "ledger").count < 250_000)
    func text(_ text: [UInt8]) throws -> [UInt8]? {
      try LedgerReading(path: folder.path("ledger")).ruleText(SHA256.digest(of: text).bytes)
    }
    for rule in schedules + [[]] { #expect(try text(rule) == rule) }
    var fifth = Night(5, keys: [])
    fifth.rules = ["fees": schedules[0], "taxes": [9]]
    let ledger = try ledger()
    try ledger.begin(directory: [1], replaces: false)
    #expect(try fifth.enterOnly(ledger) == 5)
    #expect(try text([9]) == [9])
    try ledger.withdraw(.run(5))
    try ledger.end()
    #expect(try text([9]) == nil && text(schedules[0]) == schedules[0])
    _ = consume ledger
    #expect(try LedgerCheck(ledger: folder.path("ledger")).findings == [])
  }

  @Test("whether details were pruned after a run: by the recorded pruning, else by the run's refunds")
  func prunedSince() throws {
    let key = Fingerprint(low: 5, high: 6).ofPayKey
    var first = Night(1, keys: [key])
    first.entry.day = 10
    first.details = [key: [1]]
    try first.enter(ledger())
    try Night(2, keys: []).enter(ledger())
    #expect(try ledger().prune(before: 11).runs == 1)
    try Night(3, keys: []).enter(ledger())
    func isPrunedSince(before run: Int) throws -> Bool {
      let entries = try ledger().entryLookup(before: run)
      defer { entries.close() }
      return try entries.isPrunedSince(SettledPayment(run: 1, key: key))
    }
    #expect(try [2, 3, 4].map(isPrunedSince) == [true, false, false])
    // As earlier versions pruned.
    let database = try Database(path: folder.path("ledger"))
    try database.write {
      try $0.execute(sql: "UPDATE run SET pruned = NULL WHERE number = 1")
      try EntryTable.keepDigest($0, .run(1))
    }
    database.close()
    var fourth = Night(4, keys: [])
    fourth.refunds = [RefundEntry(refundKey: "r", payment: key, taken: [1])]
    try fourth.enter(ledger())
    #expect(try [2, 3, 4, 5].map(isPrunedSince) == [false, false, true, false])
  }
}
