import FileSystem
import SystemPackage
import Text

/// Where a payout's directory goes that must not be looked at for traces any more (`ledger.md`, Traces).
public enum SetAside {
  /// The command that moves a directory to a folder of its own, two levels below its parent, to be pasted. No trace is
  /// looked for there.
  ///
  /// - Parameter directory: as messages and commands show it.
  public static func command(_ directory: String) -> String {
    let folder = MissingPayouts.parent(of: directory)
    let all = folder == "." ? "set-aside" : FilePath(folder).appending("set-aside").string
    let free = (1...).lazy.map { FilePath(all).appending("\($0)").string }.first(where: OutputPlace.isGone)!
    return "mkdir -p \(ShellWord.quoted(free)) && mv \(ShellWord.quoted(directory)) \(ShellWord.quoted(free))"
  }
}
