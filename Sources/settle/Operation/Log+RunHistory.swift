import Bookkeeping
import Console

extension Log {
  /// Warns if a ledger may not be the newest copy, and about a run that is active or was interrupted.
  static func warn(about history: RunHistory) {
    for message in [history.doubt, history.unfinished] { if let message { warning(message) } }
  }
}
