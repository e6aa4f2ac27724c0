import CSQLite
import FileSystem
import SQLite

/// Why a ledger cannot be used, or no longer. Messages say what is wrong with it, not where it is: the caller knows.
public enum LedgerFailure: Error, Sendable, Equatable {
  /// Another run is at work on it.
  case busy(String)
  /// It cannot be opened for reading, or there is none.
  case unreadable(String)
  /// It cannot be opened or made.
  case unavailable(String)
  /// The file is no ledger.
  case foreign(String)
  /// The ledger is one that this version cannot read, or is full.
  case unusable(String)
  /// Reading or writing failed on the way.
  case inputOutput(String)
  /// What it holds cannot be right.
  case damaged(String)
  /// What is asked of it leaves something out, or does not fit what it holds.
  case usage(String)

  /// What is wrong.
  public var message: String {
    switch self {
    case .busy(let text), .unreadable(let text), .unavailable(let text), .foreign(let text), .unusable(let text),
      .inputOutput(let text), .damaged(let text), .usage(let text):
      text
    }
  }
}

extension LedgerFailure {
  /// Does something with the database; what goes wrong there becomes a failure of the ledger.
  static func telling<Result>(_ body: () throws -> Result) throws(LedgerFailure) -> Result {
    do {
      return try body()
    } catch {
      throw LedgerFailure(error)
    }
  }

  /// Does something with a ledger that must be there, given its path without links.
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
    if let failure = error as? FileFailure {
      self = .inputOutput(failure.message)
      return
    }
    guard let error = error as? DatabaseError else {
      // Rows that hold other things than this version writes.
      self = .damaged("the ledger is damaged: a row cannot be read")
      return
    }
    let words = error.message
    switch error.code {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy("another process keeps the ledger locked")
    case SQLITE_NOTADB: self = .foreign("is no ledger: it is no SQLite database")
    // Tables or columns that are not there.
    case SQLITE_ERROR: self = .damaged("the ledger is damaged: \(words)")
    // SQLite takes some of what it cannot read for damage.
    case SQLITE_CORRUPT: self = .damaged("the ledger is damaged or cannot be read: \(words)")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
      self = .unavailable("cannot open the ledger: \(words)")
    default: self = .inputOutput("the ledger cannot be read or written: \(words)")
    }
  }
}
