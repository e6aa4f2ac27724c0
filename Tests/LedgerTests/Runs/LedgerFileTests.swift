import Claims
import Failures
import Foundation
@testable import SQLite
import TestSupport
import Testing

@testable import Ledger

@Suite("Files that are ledgers, and files that are not")
struct LedgerFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The failure to open a file; nil if it opens. Waits while the file is busy, unless it should be.
  private func failure(_ name: String = "ledger", isHeld: Bool = false) -> Failure? {
    do throws(Failure) {
      _ = isHeld ? try Ledger(path: folder.path(name)) : try folder.ledger(name)
      return nil
    } catch {
      return error.unnamed
    }
  }

  private func historyFailure(_ name: String = "ledger") -> Failure? {
    do throws(Failure) {
      _ = try LedgerHistory(ledger: folder.path(name))
      return nil
    } catch {
      return error.unnamed
    }
  }

  @Test("a new ledger is only for its owner, and is one file when no run is active")
  func makes() throws {
    #expect(failure() == nil)
    #expect(try folder.names() == ["ledger", "ledger-lock"])
    for name in try folder.names() {
      let mode = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test("an empty file is not a new ledger; its history is empty")
  func refusesEmpty() throws {
    try folder.write([], to: "ledger")
    #expect(try LedgerHistory(ledger: folder.path("ledger")).runs.isEmpty)
    #expect(failure() == .unsound("the ledger is empty, and a new one is made only if there is no file", .restore()))
    try Database(path: folder.path("database")).execute(sql: "VACUUM")
    #expect(failure("database") == .foreign("is not a ledger: it is an empty database"))
  }

  @Test("a new ledger whose making was interrupted at any step is made again", arguments: [nil, 0, 8192] as [Int?])
  func makesAgain(size: Int?) throws {
    var lock: LedgerLock? = try LedgerLock(ledger: folder.path("ledger"))
    try lock?.keep(LedgerSlot())
    lock = nil
    if size == 0 { try folder.write([], to: "ledger") }
    if size == 8192 { try Database(path: folder.path("ledger")).execute(sql: "VACUUM") }
    #expect(try Night(1, keys: []).enter(folder.ledger()) == 1)
  }

  @Test("a ledger whose making was interrupted is completed", arguments: [1, 2])
  func finishesMaking(steps: Int) throws {
    let database = try Database(path: folder.path("ledger"))
    try database.write { try $0.execute(sql: "PRAGMA application_id = \(LedgerSchema.applicationID)") }
    if steps == 2 {
      try database.write { try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)") }
    }
    database.close()
    #expect(try LedgerHistory(ledger: folder.path("ledger")).runs.isEmpty)
    #expect(failure() == nil)
    #expect(try Night(1, keys: []).enter(folder.ledger()) == 1)
  }

  @Test("a file that is not a ledger is refused and left unchanged", arguments: ["text", "database", "zeros"])
  func refusesOthers(kind: String) throws {
    switch kind {
    case "text": try folder.write(Array(String(repeating: "run,time\n", count: 9).utf8), to: "ledger")
    case "zeros": try folder.write(Array(repeating: 0, count: 8192), to: "ledger")
    default:
      try Database(path: folder.path("ledger")).write { try $0.execute(sql: "CREATE TABLE run (number INTEGER)") }
    }
    let before = try folder.bytes(of: "ledger")
    let found = try #require(failure())
    #expect(found.kind == .foreign && historyFailure()?.kind == .foreign)
    #expect(found.text.hasPrefix("is not a ledger: it is "))
    #expect(try folder.bytes(of: "ledger") == before)
  }

  @Test("a ledger of a later version is refused and left unchanged")
  func refusesLater() throws {
    #expect(failure() == nil)
    try Database(path: folder.path("ledger")).write {
      try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('9: something new')")
    }
    let before = try folder.bytes(of: "ledger")
    let expected = Failure.configuration("is a ledger of a later version of settle; this one cannot read it")
    #expect(failure() == expected)
    #expect(historyFailure() == expected)
    #expect(try folder.bytes(of: "ledger") == before)
  }

  @Test("folders, pipes and devices are not ledgers")
  func refusesOtherFiles() throws {
    try FileManager.default.createDirectory(atPath: folder.path("ledger"), withIntermediateDirectories: false)
    #expect(failure() == .foreign("is not a ledger: it is not a regular file"))
    mkfifo(folder.path("pipe"), 0o600)
    #expect(failure("pipe") == .foreign("is not a ledger: it is not a regular file"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("null"), withDestinationPath: "/dev/null")
    #expect(failure("null") == .foreign("is not a ledger: it is not a regular file"))
  }

  @Test("its folder must exist, and its name must be valid")
  func needsFolder() throws {
    guard let failure = self.failure("missing/ledger"), failure.kind == .unavailable else {
      Issue.record("no failure")
      return
    }
    #expect(failure.text.hasSuffix("; the ledger's folder must exist"))
    #expect(historyFailure("missing/ledger") != nil)
    for name in ["..", "."] { #expect(self.failure(name) != nil) }
    #expect(historyFailure("nowhere") == .unreadable("there is no such ledger"))
    #expect(try folder.names() == [], "looking makes nothing")
  }

  @Test("one run at a time, under each of the ledger's names; a history may be read meanwhile")
  func isBusy() throws {
    let held = try folder.ledger()
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "ledger")
    let busy = Failure.busy("another run is using this ledger; wait for it to end")
    #expect(failure(isHeld: true) == busy)
    #expect(failure("link", isHeld: true) == busy)
    #expect(historyFailure() == nil)
    #expect(historyFailure("link") == nil)
    withExtendedLifetime(held) {}
  }

  @Test("the lock ends with its holder")
  func letsGo() {
    for _ in 0..<3 { #expect(failure() == nil) }
  }

  @Test("a link is followed if it leads somewhere; otherwise nothing is made through it")
  func danglingLink() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "ledger")
    #expect(failure("link") == .unavailable("is a broken link"))
    #expect(try folder.names() == ["link"])
    #expect(failure() == nil)
    #expect(failure("link") == nil)
  }

  @Test("a run that uses a ledger under another name notices the one that is active")
  func anotherName() throws {
    let ledger = try Ledger(path: folder.path("ledger"))
    try FileManager.default.linkItem(atPath: folder.path("ledger"), toPath: folder.path("hard link"))
    let other = try Ledger(path: folder.path("hard link"))
    func isBusy(_ body: () throws(Failure) -> Void) -> Bool {
      do throws(Failure) { try body() } catch { if error.isBusy { return true } }
      return false
    }
    try ledger.begin(directory: Array("/a".utf8), replaces: false)
    #expect(isBusy { () throws(Failure) in try other.begin(directory: Array("/b".utf8), replaces: false) })
    #expect(try ledger.attempt()?.directory == Array("/a".utf8))
    // Removed by the other run, which found no run using the directory.
    try other.end()
    #expect(
      isBusy { () throws(Failure) in
        _ = try ledger.enter(Night.entry(1), keys: ClaimedKeys())
      })
    #expect(try ledger.run(number: 1) == nil)
  }

  /// Possible losses of pay keys: noticed when a ledger is opened for look-ups, or when a key is looked up.
  static let losses = [
    "DELETE FROM keyBlock",
    "DELETE FROM keyBlock WHERE id = (SELECT min(id) FROM keyBlock)",
    "DELETE FROM keyBlock WHERE id = (SELECT max(id) FROM keyBlock)",
    "DELETE FROM keyBlock WHERE id IN (SELECT id FROM keyBlock LIMIT 20 OFFSET 7)",
    "DELETE FROM keyBlock WHERE id % 3 = 1",
    "UPDATE keyBlock SET id = id + 1 WHERE id = (SELECT id FROM keyBlock LIMIT 1 OFFSET 3)",
    "DELETE FROM keySegment",
    "DELETE FROM keySegment WHERE id = (SELECT max(id) FROM keySegment)",
    "UPDATE keySegment SET shard = 63 - shard",
    "UPDATE keySegment SET shard = 5, firstBlock = firstBlock WHERE shard = 7",
    "DELETE FROM hashKey",
    "UPDATE hashKey SET key0 = key0 + 1",
    "INSERT INTO hashKey SELECT * FROM hashKey",
    "DROP TABLE keyBlock",
    "DROP TABLE hashKey",
  ]

  @Test("a lost pay key is detected, and never mistaken for a new one", arguments: losses)
  func tellsLoss(sql: String) throws {
    var random = SeededGenerator()
    let nights = (1...3).map { _ in (0..<30_000).map { _ in Fingerprint.random(&random) } }
    for (number, keys) in nights.enumerated() {
      try Night(number + 1, keys: keys).enter(try Ledger(path: folder.path("ledger")))
    }
    let database = try Database(path: folder.path("ledger"))
    try database.write { try $0.execute(sql: sql) }
    database.close()
    var wrong = 0
    var told = 0
    do {
      let ledger = try Ledger(path: folder.path("ledger"))
      let earlier = try ledger.keyLookup(readers: 1)
      for (number, keys) in nights.enumerated() {
        for key in keys {
          do throws(Failure) {
            if try earlier.run(of: key, reader: 0) != number + 1 { wrong += 1 }
          } catch {
            guard error.kind == .damaged else { throw error }
            told += 1
          }
        }
      }
    } catch let failure as Failure {
      // Damage is found when it is opened, or later.
      if failure.kind == .unsound, failure.advice == .restore() { told += 1 }
      if failure.kind == .damaged { told += 1 }
    }
    #expect(wrong == 0 && told > 0, "\(random.reproduction)")
  }

  @Test(
    "damage is detected, never followed: every page of a ledger overwritten in turn", arguments: [0x00, 0xFF, 0x5A])
  func tellsDamage(filling: UInt8) throws {
    var random = SeededGenerator()
    let keys = (0..<3000).map { _ in Fingerprint.random(&random) }
    let ledger = try folder.ledger()
    try Night(1, keys: keys).enter(ledger)
    _ = consume ledger
    let good = try folder.bytes(of: "ledger")
    for page in 0..<good.count / 4096 {
      var bad = good
      bad.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Array(repeating: filling, count: 4096))
      try folder.write(bad, to: "bad")
      try folder.write(folder.bytes(of: "ledger-lock"), to: "bad-lock")
      // Whatever happens, no answer is wrong: a key is found with its run, or damage is reported.
      do {
        let ledger = try folder.ledger("bad")
        do {
          let earlier = try ledger.keyLookup(readers: 1)
          // Nothing can be entered while they are read.
          defer { earlier.close() }
          for key in keys { #expect(try earlier.run(of: key, reader: 0) == 1, "page \(page), \(random.reproduction)") }
        }
        _ = try LedgerHistory(ledger: folder.path("bad"))
        try Night(2, keys: [Fingerprint.random(&random)]).enter(ledger)
      } catch let failure as Failure {
        // A lock held longer than the attempts would leave the page unchecked.
        #expect(!failure.message.isEmpty && !failure.isBusy, "page \(page): \(failure.message)")
      }
    }
  }
}
