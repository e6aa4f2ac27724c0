import Failures
import FileSystem
import Text

/// Where a ledger is.
struct LedgerPlace: Sendable {
  /// Its path without links.
  let path: String
  /// The path that was given, for messages.
  let shown: String
  /// That path as a word of a command.
  var quoted: String { ShellWord.quoted(shown) }

  /// Uses a ledger that must exist.
  static func reading<Result>(
    _ given: String, _ body: (LedgerPlace) throws -> Result
  ) throws(Failure) -> Result {
    let shown = OutputPlace.shown(given)
    return try Failure.telling(shown) {
      do {
        let path = try LedgerFile.resolve(given)
        guard try LedgerFile.size(path) != nil else { throw Failure.unreadable("there is no such ledger") }
        return try body(LedgerPlace(path: path, shown: shown))
      } catch {
        let failure = Failure(ofLedger: error)
        throw failure.kind == .unavailable ? .unreadable(failure.text) : failure
      }
    }
  }
}
