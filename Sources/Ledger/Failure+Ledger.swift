import CSQLite
import Failures
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

  /// A ledger whose content is not what was written.
  package static func damagedLedger(_ what: String) -> Failure { .damaged("the ledger is damaged: \(what)") }

  init(ofLedger error: any Error) {
    if let failure = error as? Failure {
      self = failure
      return
    }
    guard let error = error as? DatabaseError else {
      // Rows whose content this version does not write.
      self = .damagedLedger("a row cannot be read")
      return
    }
    let words = error.message
    switch error.code {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy("another process keeps the ledger locked")
    case SQLITE_NOTADB: self = .foreign("is not a ledger: it is not an SQLite database")
    // Missing tables or columns.
    case SQLITE_ERROR: self = .damagedLedger(words)
    // SQLite reports some of what it cannot read as damage.
    case SQLITE_CORRUPT: self = .damaged("the ledger is damaged or cannot be read: \(words)")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
      self = .unavailable("cannot open the ledger: \(words)")
    default: self = .inputOutput("the ledger cannot be read or written: \(words)")
    }
  }
}

extension Failure {
  /// A ledger for which its lock file does not vouch.
  ///
  /// - Parameters:
  ///   - known: what the lock file says; nil if it has no valid slot.
  ///   - witness: the path of the witness that was given, for messages.
  static func lockFileDoubts(_ doubt: String, _ known: LedgerSlot?, witness: String? = nil) -> Failure {
    .unsound(
      doubt + (known.map { "; \($0.described(by: .lockFile))" } ?? ""),
      .adopt(asksForLastPayout: known?.isBesideDamage ?? true, witness: witness))
  }
}

extension Failure.Advice {
  /// Declare that this copy counts.
  ///
  /// - Parameters:
  ///   - asksForLastPayout: whether this needs the number of the last payout, as without a lock file.
  ///   - witness: the path of the witness that was given, for messages.
  static func adopt(asksForLastPayout: Bool, witness: String? = nil) -> Failure.Advice {
    Failure.Advice { ledger in
      "Put the newest copy back, together with its lock file. If it is lost"
        + (witness == nil ? "" : ", or if a copy of this ledger used the witness and nothing of that was sent")
        + ", let this copy count; the command says what it lacks:\n  "
        + adopting(ledger, asksForLastPayout ? " --last-payout N" : "", witness)
        + (asksForLastPayout
          ? "        (N: the highest number of a payout that was sent, or whose directory is there; 0 for none)" : "")
    }
  }

  /// Put a copy back that is intact.
  static func restore(witness: String? = nil) -> Failure.Advice {
    Failure.Advice { ledger in
      "Put an intact copy back (settle ledger verify reads all of it), then let it count:\n  "
        + adopting(ledger, "", witness)
    }
  }

  /// Let 1.0.0-rc.3 convert a ledger of 1.0.0-rc.1; that also writes both slots of the lock file anew.
  static var convert: Failure.Advice {
    Failure.Advice { ledger in
      "Back it up, and convert it with settle 1.0.0-rc.3 first:\n  \(adopting(ledger, "", nil))        (1.0.0-rc.3)"
    }
  }

  /// Mount the disk of the witness, or make it anew.
  static func makeWitness(_ witness: String) -> Failure.Advice {
    Failure.Advice { ledger in
      "Put it back, or mount its disk. If it is lost, make it anew; the command says what the ledger lacks:\n  "
        + adopting(ledger, "", witness)
    }
  }

  private static func adopting(_ ledger: String, _ options: String, _ witness: String?) -> String {
    "settle ledger adopt \(ShellWord.quoted(ledger))\(options)\(option(witness))"
  }

  private static func option(_ witness: String?) -> String {
    witness.map { " --witness \(ShellWord.quoted($0))" } ?? ""
  }

  /// Make the lost ledger again.
  static func makeAgain(witness: String? = nil) -> Failure.Advice {
    Failure.Advice { ledger in
      let word = ShellWord.quoted(ledger)
      return "Put it back. If it is lost for good, make it again: settle the nights' batches into their directories, "
        + "oldest first, then enter each payout, oldest first:\n"
        + "  settle run BATCH --output DIRECTORY --ledger \(word) --adopt\(option(witness))\n"
        + "  settle payout adopt DIRECTORY --ledger \(word)\(option(witness))"
    }
  }
}

extension Database {
  /// Uses it; any error becomes a failure that names the ledger.
  func telling<Result>(_ body: () throws -> Result) throws(Failure) -> Result { try Failure.telling(name, body) }
}
