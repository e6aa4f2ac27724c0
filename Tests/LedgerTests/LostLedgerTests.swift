import Claims
import Failures
import Foundation
@testable import SQLite
import TestSupport
import Testing

@testable import Ledger

@Suite("The lock file reveals a ledger that is lost, cut short, or restored from an older copy")
struct LostLedgerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func night(_ number: Int) -> Night {
    Night(number, keys: (0..<500).map { Fingerprint(low: UInt64($0), high: UInt64(number * 1000 + $0) << 50).ofPayKey })
  }

  private func enter(_ numbers: ClosedRange<Int>) throws {
    for number in numbers { try night(number).enter(folder.ledger()) }
  }

  private func copy(_ name: String, to other: String) throws { try folder.write(folder.bytes(of: name), to: other) }

  private func failure() -> Failure? {
    do throws(Failure) {
      _ = try folder.ledger()
      return nil
    } catch {
      return error.unnamed
    }
  }

  /// The failure for a ledger that is gone and whose lock file names a run.
  private func gone(after run: Int) -> Failure {
    .unsound("the ledger is gone; its lock file says run \(run) was entered last", .makeAgain())
  }

  static let losses = [
    "gone", "empty", "cut by a page", "cut within a page", "header", "text", "older", "other", "another run",
  ]

  @Test("the message says what was found, and which run was entered last; nothing is written", arguments: losses)
  func tells(loss: String) throws {
    try enter(1...2)
    try copy("ledger", to: "older")
    try copy("ledger-lock", to: "older-lock")
    try enter(3...3)
    let whole = try folder.bytes(of: "ledger")
    let found: String
    switch loss {
    case "gone":
      try FileManager.default.removeItem(atPath: folder.path("ledger"))
      found = "the ledger is gone"
    case "empty":
      try folder.write([], to: "ledger")
      found = "the ledger is empty, and a new one is made only if there is no file"
    case "cut by a page", "cut within a page":
      let left = whole.dropLast(loss == "cut by a page" ? 4096 : 1)
      try folder.write(Array(left), to: "ledger")
      found = "the ledger is cut short: it has \(left.count) bytes of \(whole.count)"
    case "header", "text":
      try folder.write(loss == "text" ? Array("run,time\n".utf8) : Array(whole.prefix(90)), to: "ledger")
      found = loss == "text" ? "is not a ledger: it is not an SQLite database" : "the ledger is cut short"
    case "older":
      try copy("older", to: "ledger")
      found = "the ledger has runs up to 2 only"
    case "other":
      for number in 1...4 { try night(number).enter(folder.ledger("new")) }
      try copy("new", to: "ledger")
      found = "is not the ledger of its lock file"
    default:
      // Restored, used where its gaps were not known, and brought here again.
      for number in 8...9 { try night(number).enter(folder.ledger("older")) }
      try copy("older", to: "ledger")
      found = "the ledger's run 3 is not the one that was entered"
    }
    let before = try (folder.names(), loss == "gone" ? [] : folder.bytes(of: "ledger"))
    let failure = try #require(self.failure())
    #expect(failure.kind == .unsound)
    let text = failure.text
    #expect(text.hasPrefix(found) && text.hasSuffix("; its lock file says run 3 was entered last"), "\(text)")
    let isOlder = ["older", "other", "another run"].contains(loss)
    #expect(
      failure.advice
        == (isOlder ? .adopt(asksForLastPayout: false) : ["gone", "empty"].contains(loss) ? .makeAgain() : .restore()))
    if loss != "gone" { #expect(try LedgerCheck(ledger: folder.path("ledger")).findings != []) }
    #expect(try folder.names() == before.0)
    if loss != "gone" { #expect(try folder.bytes(of: "ledger") == before.1) }
    try folder.write(whole, to: "ledger")
    try enter(4...4)
  }

  @Test(
    "a ledger ahead of its lock file is correct: a run was killed before it was recorded, or while it was withdrawn"
  )
  func ahead() throws {
    try enter(1...2)
    let lock = try folder.bytes(of: "ledger-lock")
    try enter(3...4)
    try folder.write(lock, to: "ledger-lock")
    try enter(5...5)
    #expect(try LedgerHistory(ledger: folder.path("ledger")).runs.count == 5)
  }

  @Test("a withdrawn run does not count as lost, wherever the withdrawal is interrupted", arguments: [false, true])
  func takenBack(isInterrupted: Bool) throws {
    try enter(1...1)
    var ledger: Ledger? = try folder.ledger()
    try ledger?.begin(directory: [0x2F, 0x61], replaces: false)
    #expect(try ledger.map { try night(2).enterOnly($0) } == 2)
    let entered = try folder.bytes(of: "ledger")
    try ledger?.withdraw(.run(2))
    try ledger?.end()
    ledger = nil
    // As if only the lock file had been written.
    if isInterrupted { try folder.write(entered, to: "ledger") }
    #expect(failure() == nil)
    if !isInterrupted { try enter(3...3) }
    #expect(try folder.ledger().run(number: 2)?.batchID == (isInterrupted ? "batch-2" : "batch-3"))
  }

  @Test("a damaged slot may have been the newer one: the other one vouches only for a ledger that is ahead of it")
  func halfWritten() throws {
    try enter(1...3)
    try copy("ledger", to: "third")
    let lock = try folder.bytes(of: "ledger-lock")
    func damage(_ place: Int) throws {
      var damaged = lock
      damaged[place + 20] ^= 1
      try folder.write(damaged, to: "ledger-lock")
    }
    func sequence(_ place: Int) -> UInt64 {
      LedgerSlot.stored(in: Array(lock.dropFirst(place).prefix(LedgerSlot.length)))!.sequence
    }
    let newest = sequence(0) > sequence(512) ? 0 : 512
    try damage(newest)
    // The older slot says run 2, or that run 3 is being entered.
    try enter(4...4)
    try copy("third", to: "ledger")
    try damage(512 - newest)
    let found = try #require(self.failure())
    #expect(found.isUnsound(asksForLastPayout: true))
    #expect(found.text.hasPrefix("the ledger's lock file is damaged"))
    try FileManager.default.removeItem(atPath: folder.path("ledger"))
    #expect(failure() == gone(after: 3))
    // Without any slot, the lock file counts as absent.
    try folder.write(Array(repeating: 7, count: 560), to: "ledger-lock")
    try copy("third", to: "ledger")
    #expect(failure()?.isUnsound(asksForLastPayout: true) == true)
    #expect(try folder.bytes(of: "ledger-lock") == Array(repeating: 7, count: 560))
    try FileManager.default.removeItem(atPath: folder.path("ledger"))
    #expect(try Night(1, keys: []).enter(folder.ledger()) == 1)
  }

  @Test("a lost ledger is made again with the name and the last payout of its lock file")
  func madeAgain() throws {
    try enter(1...2)
    let name = try folder.ledger().name()
    try AdoptedLedger(folder.path("ledger")).count(lastPayout: 5, word: 5, givenUp: [])
    try FileManager.default.removeItem(atPath: folder.path("ledger"))
    // Nothing is entered: the lock file stays as it was.
    do {
      let ledger = try Ledger(path: folder.path("ledger"), makesAgain: true)
      #expect(ledger.isMadeFromLock && ledger.lastRun == 0)
      ledger.removeIfEmpty()
    }
    #expect(try folder.names() == ["ledger-lock"])
    try night(1).enter(Ledger(path: folder.path("ledger"), makesAgain: true))
    #expect(try folder.ledger().name() == name && folder.ledger().lastKnownPayout() == 5)
    #expect(try folder.ledger().lastRun == 1 && !folder.ledger().needsWord())
  }

  @Test("a ledger made again without a lock file needs the operator's word, also if it is lost once more")
  func needsWord() throws {
    for _ in 0..<2 {
      try night(1).enter(Ledger(path: folder.path("ledger"), makesAgain: true))
      #expect(try folder.ledger().needsWord())
      try FileManager.default.removeItem(atPath: folder.path("ledger"))
    }
    try night(1).enter(Ledger(path: folder.path("ledger"), makesAgain: true))
    try AdoptedLedger(folder.path("ledger")).count(lastPayout: 0, word: 0, givenUp: [])
    #expect(try !folder.ledger().needsWord())
  }

  /// Turns the ledger into one of 1.0.0-rc.2 (6) or rc.3 (7), with what its runs contained.
  private func takeBack(to format: Int) throws {
    let database = try Database(path: folder.path("ledger"))
    try database.write { database in
      for column in ["witness", "lastDirectory", "others"] {
        try database.execute(sql: "ALTER TABLE ledgerID DROP COLUMN \(column)")
      }
      for column in ["changedAccounts", "refused", "keepsDay", "terms", "noPayments", "delayed", "reserved"] {
        try database.execute(sql: "ALTER TABLE payout DROP COLUMN \(column)")
      }
      for column in ["delayed", "reserved", "kept"] {
        try database.execute(sql: "ALTER TABLE payoutTotal DROP COLUMN \(column)")
      }
      try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '8:%'")
      guard format < 7 else { return }
      for column in ["name", "word", "madeAgain", "digest"] {
        try database.execute(sql: "ALTER TABLE ledgerID DROP COLUMN \(column)")
      }
      for column in ["place", "bookedRun", "enteredAfter", "adjustments", "adjusted"] {
        try database.execute(sql: "ALTER TABLE payout DROP COLUMN \(column)")
      }
      try database.execute(
        sql: """
          ALTER TABLE payoutTotal DROP COLUMN adjusted; ALTER TABLE attempt DROP COLUMN digest; DROP TABLE givenUp;
          ALTER TABLE run DROP COLUMN checks; DELETE FROM grdb_migrations WHERE identifier LIKE '7:%'
          """)
      for run in 1...3 { try EntryTable.keepDigest(database, .run(run)) }
    }
    database.close()
  }

  /// What a ledger's tables are, column by column.
  private func columns(of name: String) throws -> [String] {
    let database = try Database(path: folder.path(name))
    defer { database.close() }
    return try String.fetchAll(
      database,
      sql: """
        SELECT tables.name || wr || strict || cid || columns.name || columns.type || "notnull" || columns.pk
          || coalesce(dflt_value, '')
        FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns ORDER BY tables.name, cid
        """)
  }

  @Test("a ledger of rc.2 or rc.3 is read unchanged, and upgraded when something is entered", arguments: [6, 7])
  func earlierFormat(format: Int) throws {
    try enter(1...3)
    try takeBack(to: format)
    let before = try folder.bytes(of: "ledger")
    let reading = try LedgerReading(path: folder.path("ledger"))
    #expect(reading.history.runs.map(\.unnumbered) == (1...3).map { night($0).entry })
    #expect(try LedgerCheck(ledger: folder.path("ledger")).findings == [])
    let ledger = try folder.ledger()
    #expect(!ledger.isUpgraded)
    #expect(try folder.bytes(of: "ledger") == before)
    var fourth = night(4)
    fourth.refunds = [RefundEntry(refundKey: "r", payment: Fingerprint(low: 5, high: 2005 << 50).ofPayKey, taken: [1])]
    try fourth.enter(ledger)
    #expect(ledger.isUpgraded)
    let now = try ledger.entryLookup()
    #expect(try now.run(ofRefund: "r") == 4)
    now.close()
    _ = consume ledger
    #expect(try !folder.ledger().isUpgraded)
    #expect(
      try LedgerHistory(ledger: folder.path("ledger")).runs.map(\.unnumbered)
        == (1...3).map { night($0).entry } + [fourth.entry])
    let check = try LedgerCheck(ledger: folder.path("ledger"))
    #expect(check.findings == [] && check.keyCount == 2000)
    _ = try folder.ledger("new")
    #expect(try columns(of: "ledger") == columns(of: "new"))
    try FileManager.default.removeItem(atPath: folder.path("ledger"))
    #expect(failure() == gone(after: 4))
  }

  @Test("a ledger of rc.1 is refused by all, and left as it was")
  func firstFormat() throws {
    try enter(1...2)
    try Database(path: folder.path("ledger")).write {
      try $0.execute(
        sql: """
          DELETE FROM grdb_migrations WHERE identifier NOT LIKE '6:%';
          UPDATE grdb_migrations SET identifier = '3: refunds and agreements'
          """)
    }
    let (before, path) = (try folder.bytes(of: "ledger"), folder.path("ledger"))
    let expected = Failure(
      .configuration, "is a ledger of 1.0.0-rc.1 or before, which this version does not read", subject: path,
      advice: .convert)
    #expect(expected.message.contains("settle 1.0.0-rc.3 first:\n  settle ledger adopt \(path)"))
    let uses: [() throws -> Void] = [
      { _ = try folder.ledger() }, { _ = try LedgerReading(path: path) }, { _ = try LedgerHistory(ledger: path) },
      { _ = try LedgerCheck(ledger: path) }, { _ = try AdoptedLedger(path) },
      { try Ledger.copy(path, into: folder.path("copy")) },
    ]
    try folder.write([], to: "copy")
    for use in uses { #expect(throws: expected, performing: use) }
    #expect(try folder.bytes(of: "ledger") == before)
  }

  @Test("a ledger whose upgrade fails stays as it was")
  func carriesOverWhole() throws {
    try enter(1...3)
    try takeBack(to: 6)
    // A table that the upgrade makes.
    try Database(path: folder.path("ledger")).write { try $0.execute(sql: "CREATE TABLE givenUp (number)") }
    let ledger = try folder.ledger()
    #expect(throws: Failure.damaged("the ledger is damaged: table givenUp already exists").ofLedger(ledger.path)) {
      try night(4).enterOnly(ledger)
    }
    #expect(!ledger.isUpgraded)
    _ = consume ledger
    let read = try Database(path: folder.path("ledger"))
    let added = "SELECT count(*) FROM pragma_table_info('ledgerID') WHERE name = 'name'"
    #expect(try Int.fetchOne(read, sql: added) == 0)
    try read.write { try $0.execute(sql: "DROP TABLE givenUp; DELETE FROM attempt") }
    read.close()
    try enter(4...4)
    #expect(try LedgerCheck(ledger: folder.path("ledger")).findings == [])
  }

  @Test("an adopted copy counts from now on, and the ledger that it replaces no longer does")
  func adopts() throws {
    try enter(1...2)
    try copy("ledger", to: "older")
    try enter(3...5)
    try copy("ledger", to: "newer")
    try copy("older", to: "ledger")
    #expect(try adopt("ledger") == "it lacks runs 3 to 5")
    try enter(6...6)
    #expect(try folder.ledger().run(number: 3)?.batchID == "batch-6")
    for name in ["older", "newer"] {
      try copy("ledger", to: "adopted")
      try copy(name, to: "ledger")
      let text = try #require(self.failure()).text
      #expect(text.hasPrefix("is not the ledger of its lock file"))
      try copy("adopted", to: "ledger")
    }
    #expect(try adopt("ledger") == "it lacks no run")
    try FileManager.default.removeItem(atPath: folder.path("ledger-lock"))
    #expect(try adopt("ledger").hasPrefix("no lock file of this ledger says"))
    #expect(throws: Failure.unreadable("there is no such ledger").ofLedger(folder.path("none"))) {
      try AdoptedLedger(folder.path("none"))
    }
    try folder.write([], to: "empty")
    #expect(throws: Failure.damaged("the ledger is empty").ofLedger(folder.path("empty"))) {
      try AdoptedLedger(folder.path("empty"))
    }
    #expect(try folder.names().contains("empty-lock") == false)
  }

  /// Makes a copy count; returns which runs it lacks.
  private func adopt(_ name: String) throws -> String {
    let adopted = try AdoptedLedger(folder.path(name))
    let lacked = try adopted.lackedRuns()
    try adopted.count(lastPayout: 0, word: nil, givenUp: [])
    return lacked
  }

  @Test("if either slot of the lock file is damaged then, neither the adopted ledger nor the old one counts")
  func adoptsInBothSlots() throws {
    try enter(1...3)
    try copy("ledger", to: "old")
    #expect(try adopt("ledger") == "it lacks no run")
    try copy("ledger", to: "adopted")
    let lock = try folder.bytes(of: "ledger-lock")
    for place in [0, 512] {
      var damaged = lock
      damaged[place + 20] ^= 1
      try folder.write(damaged, to: "ledger-lock")
      for name in ["adopted", "old"] {
        try copy(name, to: "ledger")
        let found = try #require(self.failure())
        #expect(found.isUnsound(asksForLastPayout: true))
        #expect(
          found.text.hasPrefix(
            name == "old" ? "is not the ledger of its lock file" : "the ledger's lock file is damaged"))
      }
      try copy("adopted", to: "ledger")
    }
  }

  @Test("a check refuses a ledger that a run is using, and reads one that no run has used yet")
  func checksAlone() throws {
    let held = try folder.ledger()
    #expect(
      throws: Failure.busy("another run is using this ledger; wait for it to end").ofLedger(folder.path("ledger"))
    ) {
      try LedgerCheck(ledger: folder.path("ledger"))
    }
    withExtendedLifetime(held) {}
    #expect(throws: Failure.unreadable("there is no such ledger").ofLedger(folder.path("none"))) {
      try LedgerCheck(ledger: folder.path("none"))
    }
    #expect(try folder.names() == ["ledger", "ledger-lock"])
  }

  @Test("a copy made while a run is active has what was entered, and nothing of the work in progress")
  func copies() throws {
    try enter(1...2)
    let ledger = try folder.ledger()
    try ledger.begin(directory: [0x2F, 0x61], replaces: false)
    try folder.write([], to: "copy")
    try Ledger.copy(folder.path("ledger"), into: folder.path("copy"))
    #expect(try adopt("copy").hasPrefix("no lock file"))
    #expect(try folder.ledger("copy").attempt() == nil)
    try night(3).enter(folder.ledger("copy"))
    _ = try night(4).enterOnly(ledger)
    try folder.write([], to: "copy 2")
    try Ledger.copy(folder.path("ledger"), into: folder.path("copy 2"))
    #expect(try adopt("copy 2").hasPrefix("no lock file"))
    #expect(try folder.ledger("copy 2").attempt()?.entered == .run(3))
    for name in ["copy", "copy 2"] {
      let check = try LedgerCheck(ledger: folder.path(name))
      #expect(check.findings == [] && check.keyCount == 1500)
    }
  }
}
