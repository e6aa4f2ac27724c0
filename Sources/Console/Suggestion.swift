/// Guesses which command or option a misspelt one was meant to be.
enum Suggestion {
  /// ` Did you mean 'NAME'?`, or nothing if no name is near.
  static func text(for word: String, among names: [String]) -> String {
    // A wrong or misplaced letter counts twice: as one too many and one missing.
    let distances = names.map { (name: $0, distance: word.difference(from: $0).count) }
    guard let nearest = distances.min(by: { $0.distance < $1.distance }),
      nearest.distance <= max(2, word.count / 2)
    else { return "" }
    return " Did you mean '\(nearest.name)'?"
  }

  /// A hint about an option that the command does not have, for a usage error that mentions only a missing argument.
  static func forOptions(of arguments: [String], usage: String) -> String? {
    guard usage.contains(": error: Missing expected argument") else { return nil }
    let known = usage.matches(of: /--[a-z][a-z-]*/).map { String($0.output) }
    let names = arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
    for name in names where name.hasPrefix("--") {
      if known.contains(name) { continue }
      let suggestion = text(for: name, among: known)
      if !suggestion.isEmpty { return "Unknown option '\(name)'.\(suggestion)" }
    }
    return nil
  }
}
