import Failures
import FoundationEssentials
import SQLite

/// The rollback journal next to a ledger, or a write-ahead log that someone put there. SQLite applies either when it
/// opens the ledger. If an operator has put another copy of the ledger in place, that would damage the copy.
enum LedgerJournal {
  /// The paths of those that SQLite would apply.
  static func paths(_ ledger: String) throws(Failure) -> [String] {
    var found: [String] = []
    for path in [ledger + "-journal", ledger + "-wal"] where try LedgerFile.size(path) ?? 0 > 0 { found.append(path) }
    return found
  }

  /// Throws if the ledger is not sound with what SQLite would apply, before SQLite does so.
  ///
  /// - Parameters:
  ///   - known: what the lock file says; nil if it has no valid slot.
  ///   - witness: the path of the witness that was given, for messages.
  static func expectOwn(_ ledger: String, known: LedgerSlot?, witness: String? = nil) throws {
    guard try !paths(ledger).isEmpty, try LedgerFile.size(ledger) ?? 0 > 0 else { return }
    // As it is: an older copy that was put in place is whole, but lacks what its lock file names.
    do { if try doubt(of: Database(immutable: ledger), known) == nil { return } } catch {}
    let found = try withCopy(ledger) { copy in
      try doubt(of: LedgerConnection.open(copy, isReadOnly: false), known)
    }
    if let found { throw Failure.lockFileDoubts(found, known, witness: witness) }
  }

  /// Throws if one would damage the ledger.
  static func expectHarmless(_ ledger: String) throws {
    guard let journal = try paths(ledger).first else { return }
    let isHarmless = try withCopy(ledger) { try LedgerCheck(copy: $0).findings.isEmpty }
    if !isHarmless { throw foreign(journal) }
  }

  private static func foreign(_ journal: String) -> Failure {
    .inputOutput(
      "\(journal) belongs to another state of the ledger, and would damage it; nothing was changed. Move it away, then "
        + "try again")
  }

  private static func doubt(of database: Database, _ known: LedgerSlot?) throws -> String? {
    defer { database.close() }
    return try database.read { try LedgerSlot.doubt(of: $0, known: known) }
  }

  /// Calls `body` with the path of a copy of the ledger and its journals, in a directory next to it that is removed
  /// afterwards.
  static func withCopy<Result>(_ ledger: String, _ body: (String) throws -> Result) throws -> Result {
    let folder = ledger + "-trial"
    let files = FileManager.default
    defer { try? files.removeItem(atPath: folder) }
    do {
      try? files.removeItem(atPath: folder)
      try files.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      for ending in ["", "-journal", "-wal"] where try LedgerFile.size(ledger + ending) != nil {
        try files.copyItem(atPath: ledger + ending, toPath: folder + "/copy" + ending)
      }
    } catch {
      throw Failure.inputOutput("the ledger cannot be copied to \(folder), to try its journal: \(error)")
    }
    return try body(folder + "/copy")
  }
}
