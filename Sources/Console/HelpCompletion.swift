/// Completes the names of commands after `settle help`, which the argument parser's scripts do not.
enum HelpCompletion {
  /// A completion script for bash, zsh or fish with those names added.
  static func added(to script: String, _ commands: [String]) -> String {
    guard !commands.isEmpty else { return script }
    let names = commands.joined(separator: " ")
    guard !script.hasPrefix("#compdef") else {
      return script.replacing("'*:subcommands:'", with: "'*:subcommands:(\(names))'")
    }
    let bash = "_settle_help() {\n"
    guard script.contains(bash) else {
      let condition = "__settle_should_offer_completions_for_positional \"settle help\" -ge 1"
      return script + "\ncomplete -c 'settle' -n '\(condition)' -fa '\(names)'"
    }
    return script.replacing(bash, with: bash + "    COMPREPLY=($(compgen -W '\(names)' -- \"${cur}\"))\n")
  }
}
