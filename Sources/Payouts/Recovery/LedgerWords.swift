import Text

/// A ledger in messages, and the commands that settle what is wrong with it, to be pasted.
struct LedgerWords {
  /// Its path.
  let shown: String
  /// The path of the witness that was given; nil if none was.
  var witness: String?

  private var option: String { witness.map { " --witness \(ShellWord.quoted($0))" } ?? "" }

  /// The command that enters a payout.
  ///
  /// - Parameter directory: the word for its directory.
  func adopting(_ directory: String) -> String {
    "settle payout adopt \(directory) --ledger \(ShellWord.quoted(shown))\(option)"
  }

  /// The command that enters a night again.
  var adoptingNight: String {
    "settle run BATCH --output DIRECTORY --ledger \(ShellWord.quoted(shown)) --adopt\(option)"
  }

  /// The command that makes the ledger count.
  ///
  /// - Parameter options: its further options.
  func counting(_ options: String) -> String { "settle ledger adopt \(ShellWord.quoted(shown)) \(options)\(option)" }
}
