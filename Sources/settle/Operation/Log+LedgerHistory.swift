import Console
import Ledger

extension Log {
  /// Warns if a ledger may not be the newest copy, and about a run that is active or was interrupted.
  static func warn(about history: LedgerHistory) {
    for message in [history.doubt, history.unfinished] { if let message { warning(message) } }
  }
}
