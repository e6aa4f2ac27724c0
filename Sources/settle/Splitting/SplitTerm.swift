import ArgumentParser
import JSON

/// A party and what it gets, as an argument of `settle split`: `NAME:TERMS`.
struct SplitTerm {
  let name: String
  /// The other fields of the term's object on a line.
  private let terms: [(String, JSONTree)]

  /// Throws if a text is not written correctly.
  @Sendable static func parsed(_ text: String) throws -> SplitTerm {
    guard let colon = text.lastIndex(of: ":") else { throw ValidationError("expected NAME:TERMS") }
    let terms = text[text.index(after: colon)...]
    let name = String(text[..<colon])
    if terms == "rest" { return SplitTerm(name: name, terms: [("rest", .boolean(true))]) }
    let pairs = try terms.split(separator: ",", omittingEmptySubsequences: false).map { pair -> (String, JSONTree) in
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, ["subtotal", "percent", "share", "min", "max"].contains(parts[0]) else {
        throw ValidationError("expected rest, or KEY=VALUE of subtotal, percent, share, min and max")
      }
      return (parts[0], .string(parts[1]))
    }
    return SplitTerm(name: name, terms: pairs)
  }

  /// The term's object on a line.
  var tree: JSONTree { .object([("name", .string(name))] + terms) }
}
