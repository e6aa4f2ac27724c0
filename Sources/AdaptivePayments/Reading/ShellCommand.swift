/// Requests as they are published within curl commands.
enum ShellCommand {
  /// What the `-d` and `--data` options of a text of curl commands hold, each line where it was; any other text as it is.
  ///
  /// Quotes are taken off, and what a shell escapes between double quotes, or without quotes, is put back.
  static func bodies(_ text: [UInt8]) -> [UInt8] {
    guard text.drop(while: isSpace).starts(with: "curl ".utf8) else { return text }
    var bodies: [UInt8] = []
    var at = 0
    while at < text.count {
      let isOption =
        at > 0 && isSpace(text[at - 1]) && ["-d", "--data"].contains { text[at...].starts(with: $0.utf8) }
      if isOption {
        while at < text.count, !isSpace(text[at]) { at += 1 }
        while at < text.count, isSpace(text[at]) || text[at] == UInt8(ascii: "\\") {
          if text[at] == UInt8(ascii: "\n") { bodies.append(text[at]) }
          at += 1
        }
        takeBody(text, &at, &bodies)
      } else {
        if text[at] == UInt8(ascii: "\n") { bodies.append(text[at]) }
        at += 1
      }
    }
    return bodies
  }

  private static func takeBody(_ text: [UInt8], _ at: inout Int, _ body: inout [UInt8]) {
    guard at < text.count else { return }
    let quote = text[at] == UInt8(ascii: "\"") || text[at] == UInt8(ascii: "'") ? text[at] : UInt8(ascii: "\n")
    if quote != UInt8(ascii: "\n") { at += 1 }
    while at < text.count, text[at] != quote {
      let isEscape = text[at] == UInt8(ascii: "\\") && quote != UInt8(ascii: "'") && at + 1 < text.count
      if isEscape, "\"\\$`\n".utf8.contains(text[at + 1]) { at += 1 }
      body.append(text[at])
      at += 1
    }
    // The line feed that ends a body without quotes is left to the caller.
    if quote != UInt8(ascii: "\n") { at += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
