import CSQLiteCalls
import GRDB
import Glibc

/// Why a ledger cannot be used, or no longer. Messages say what is wrong with it, not where it is: the caller knows.
public enum LedgerFailure: Error, Sendable, Equatable {
  /// Another run is at work on it.
  case busy(String)
  /// There is none, and it may not be made.
  case missing(String)
  /// It cannot be opened or made.
  case unavailable(String)
  /// The file is no ledger, or one that this version cannot read.
  case unusable(String)
  /// Reading or writing failed on the way.
  case inputOutput(String)
  /// What it holds cannot be right.
  case damaged(String)

  /// What is wrong.
  public var message: String {
    switch self {
    case .busy(let text), .missing(let text), .unavailable(let text), .unusable(let text), .inputOutput(let text),
      .damaged(let text):
      text
    }
  }
}

extension LedgerFailure {
  /// Does something with the database; what goes wrong there becomes a failure of the ledger.
  static func telling<Result>(_ body: () throws -> Result) throws(LedgerFailure) -> Result {
    do {
      // What failed before was borne by SQLite.
      _ = settle_take_sqlite_error()
      return try body()
    } catch {
      throw LedgerFailure(error)
    }
  }

  init(_ error: any Error) {
    if let failure = error as? LedgerFailure {
      self = failure
      return
    }
    guard let error = error as? DatabaseError else {
      // Rows that hold other things than this version writes.
      self = .damaged("the ledger is damaged: a row cannot be read")
      return
    }
    let code = settle_take_sqlite_error()
    let said = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    let words = code == 0 ? said : "\(said): \(LedgerLock.text(code))"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy("another process keeps the ledger locked")
    case .SQLITE_NOTADB: self = .unusable("is no ledger: it is no SQLite database")
    // Tables or columns that are not there.
    case .SQLITE_ERROR: self = .damaged("the ledger is damaged: \(words)")
    case .SQLITE_CORRUPT: self = .damaged("the ledger is damaged: \(words)")
    case .SQLITE_CANTOPEN where code == EIO, .SQLITE_READONLY where code == EIO:
      self = .inputOutput("the ledger cannot be read or written: \(words)")
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
      self = .unavailable("cannot open the ledger: \(words)")
    default: self = .inputOutput("the ledger cannot be read or written: \(words)")
    }
  }
}
