import CSQLite
import Failures
import FileSystem
import SQLite
import Text

/// Failures of a ledger. Where they arise, its path is not known as the user gave it; `ofLedger` adds that.
extension Failure {
  /// Uses a ledger; any error becomes a failure that names it.
  ///
  /// - Parameter shown: its path for messages; nil if the caller adds it.
  static func telling<Result>(_ shown: String?, _ body: () throws -> Result) throws(Failure) -> Result {
    do { return try body() } catch {
      let failure = Failure(ofLedger: error)
      throw shown.map(failure.ofLedger) ?? failure
    }
  }

  /// The failure with the path of its ledger, unless it is about something else.
  ///
  /// - Parameter shown: the path for messages.
  package func ofLedger(_ shown: String) -> Failure {
    if subject != nil { return self }
    // SQLite quotes what it finds in a damaged file.
    return Failure(kind, MessageText.escapedName(Array(text.utf8)), subject: shown, advice: advice)
  }

  init(ofLedger error: any Error) {
    if let failure = error as? Failure {
      self = failure
      return
    }
    guard let error = error as? DatabaseError else {
      // Rows whose content this version does not write.
      self = .damaged("the ledger is damaged: a row cannot be read")
      return
    }
    let words = error.message
    switch error.code {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy("another process keeps the ledger locked")
    case SQLITE_NOTADB: self = .foreign("is not a ledger: it is not an SQLite database")
    // Missing tables or columns.
    case SQLITE_ERROR: self = .damaged("the ledger is damaged: \(words)")
    // SQLite reports some of what it cannot read as damage.
    case SQLITE_CORRUPT: self = .damaged("the ledger is damaged or cannot be read: \(words)")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
      self = .unavailable("cannot open the ledger: \(words)")
    default: self = .inputOutput("the ledger cannot be read or written: \(words)")
    }
  }
}

extension Failure.Advice {
  /// Declare that this copy counts.
  ///
  /// - Parameter asksForLastPayout: whether this needs the number of the last payout, as without a lock file.
  static func adopt(asksForLastPayout: Bool) -> Failure.Advice {
    Failure.Advice { ledger in
      "Put the newest copy back, together with its lock file. If it is lost, let this copy count; the command says "
        + "what it lacks:\n  settle ledger adopt \(ShellWord.quoted(ledger))"
        + (asksForLastPayout
          ? " --last-payout N        (N: the highest number of a payout that was sent, or whose directory is there; "
            + "0 for none)" : "")
    }
  }

  /// Put a copy back that is intact.
  static let restore = Failure.Advice { ledger in
    "Put an intact copy back (settle ledger verify reads all of it), then let it count:\n"
      + "  settle ledger adopt \(ShellWord.quoted(ledger))"
  }

  /// Make the lost ledger again.
  static let makeAgain = Failure.Advice { ledger in
    let word = ShellWord.quoted(ledger)
    return "Put it back. If it is lost for good, make it again: settle the nights' batches into their directories, "
      + "oldest first, then enter each payout, oldest first:\n"
      + "  settle run BATCH --output DIRECTORY --ledger \(word) --adopt\n"
      + "  settle payout adopt DIRECTORY --ledger \(word)"
  }
}

extension Database {
  /// Uses it; any error becomes a failure that names the ledger.
  func telling<Result>(_ body: () throws -> Result) throws(Failure) -> Result { try Failure.telling(name, body) }
}
