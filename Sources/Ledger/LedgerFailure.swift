import CSQLite
import Failures
import FileSystem
import SQLite

/// Why a ledger cannot be used, or can no longer be used. Messages do not name the file, which the caller knows.
public enum LedgerFailure: Error, Sendable, Equatable {
  /// Another run is using it.
  case busy(String)
  /// It cannot be opened for reading, or does not exist.
  case unreadable(String)
  /// It cannot be opened or made.
  case unavailable(String)
  /// The file is not a ledger.
  case foreign(String)
  /// This version cannot read the ledger, or the ledger is full.
  case unusable(String)
  /// Reading or writing failed during use.
  case inputOutput(String)
  /// Its content cannot be right.
  case damaged(String)
  /// A request is incomplete, or does not fit the content.
  case usage(String)
  /// It may not be the newest copy, or is lost.
  case unsound(String, Advice)

  /// What an operator can do about a ledger that is not sound.
  public enum Advice: Sendable, Equatable {
    /// Declare that this copy counts; without a lock file this needs the number of the last payout.
    case adopt(asksForLastPayout: Bool)
    /// Put a copy back that is intact.
    case restore
    /// Make the lost ledger again.
    case makeAgain
  }

  /// What is wrong.
  public var message: String {
    switch self {
    case .busy(let text), .unreadable(let text), .unavailable(let text), .foreign(let text), .unusable(let text),
      .inputOutput(let text), .damaged(let text), .usage(let text), .unsound(let text, _):
      text
    }
  }
}

extension LedgerFailure {
  /// Uses the database; an error there becomes a failure of the ledger.
  static func telling<Result>(_ body: () throws -> Result) throws(LedgerFailure) -> Result {
    do {
      return try body()
    } catch {
      throw LedgerFailure(error)
    }
  }

  /// Uses a ledger that must exist, given its path without links.
  static func reading<Result>(_ path: String, _ body: (String) throws -> Result) throws(LedgerFailure) -> Result {
    do throws(LedgerFailure) {
      let real = try LedgerFile.resolve(path)
      guard try LedgerFile.size(real) != nil else { throw .unreadable("there is no such ledger") }
      return try telling { try body(real) }
    } catch .unavailable(let text) {
      throw .unreadable(text)
    }
  }

  init(_ error: any Error) {
    if let failure = error as? LedgerFailure {
      self = failure
      return
    }
    if let failure = error as? Failure {
      self = .inputOutput(failure.message)
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
