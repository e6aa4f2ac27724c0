/// Reads the words of a command as a shell does: quotes and backslashes are taken off, and a line goes on in the next one
/// after a backslash.
///
/// It does not know variables, substitutions and `$'...'`: it tells which words have them. For bodies that are pasted
/// without quotes, `&` and brackets within a word stand for themselves.
struct CommandReader {
  /// What stands next.
  enum Token {
    /// A word, and whether a shell would put something else in its place, or in that of a part of it.
    case word(SourceText, needsShell: Bool)
    case lineEnd
    /// What separates commands, `;`, `|` and `&`, or begins a file's name, `<` and `>`; or the end of the text.
    case commandEnd
    case unclosedQuote
  }

  let text: [UInt8]
  /// The offset of what stands next.
  var at = 0
  /// Its line, from 1.
  private(set) var line = 1
  private var word = SourceText()
  private var needsShell = false

  init(_ text: [UInt8]) { self.text = text }

  private var byte: UInt8? { at < text.count ? text[at] : nil }

  /// Whether nothing of the line is read.
  var isAtLineStart: Bool { at == 0 || text[at - 1] == UInt8(ascii: "\n") }

  /// What is left of the line, without its end.
  var restOfLine: ArraySlice<UInt8> { text[at...].prefix { $0 != UInt8(ascii: "\n") } }

  mutating func goToNextLine() {
    at = restOfLine.endIndex
    if byte != nil { takeLineEnd() }
  }

  private mutating func takeLineEnd() {
    at += 1
    line += 1
  }

  // MARK: Words

  /// Reads the next word, or what stands in its place.
  mutating func next() -> Token {
    while byte == 0x20 || byte == 0x09 || byte == 0x0D || takeSplice() {
      if byte == 0x20 || byte == 0x09 || byte == 0x0D { at += 1 }
    }
    switch byte {
    case nil: return .commandEnd
    case UInt8(ascii: "\n"):
      takeLineEnd()
      return .lineEnd
    case UInt8(ascii: "#"):
      at = restOfLine.endIndex
      return next()
    case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "<"), UInt8(ascii: ">"): return takeCommandEnd()
    case UInt8(ascii: "&") where text[(at + 1)...].first.map(" \t\r\n&>".utf8.contains) ?? true:
      return takeCommandEnd()
    default: return readWord()
    }
  }

  private mutating func takeCommandEnd() -> Token {
    at += 1
    return .commandEnd
  }

  private mutating func readWord() -> Token {
    word = SourceText()
    needsShell = false
    while let byte, !" \t\r\n;|<>".utf8.contains(byte) {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        guard readQuoted() else { return .unclosedQuote }
      case UInt8(ascii: "\\"):
        if takeSplice() { continue }
        at += 1
        takeByte()
      default:
        noteShellCode(among: "'\"")
        takeByte()
      }
    }
    return .word(word, needsShell: needsShell)
  }

  private mutating func takeByte() {
    guard let byte else { return }
    word.append(CollectionOfOne(byte), line: line)
    if byte == UInt8(ascii: "\n") { takeLineEnd() } else { at += 1 }
  }

  /// Notes a variable or a substitution that begins here: a backquote, or `$` before a name or a bracket.
  private mutating func noteShellCode(among more: String) {
    if byte == UInt8(ascii: "`") { needsShell = true }
    guard byte == UInt8(ascii: "$"), at + 1 < text.count else { return }
    let next = text[at + 1]
    if next.isAlphanumeric || "_{(".utf8.contains(next) || more.utf8.contains(next) { needsShell = true }
  }

  /// Goes beyond a backslash that ends a line, with the line's end; whether there was one.
  private mutating func takeSplice() -> Bool {
    guard byte == UInt8(ascii: "\\") else { return false }
    let end = text[(at + 1)...].prefix { $0 == 0x0D }.endIndex
    guard end == text.count || text[end] == UInt8(ascii: "\n") else { return false }
    at = end
    if byte != nil { takeLineEnd() }
    return true
  }

  // MARK: Quotes

  /// Reads the text in quotes that begins here; nil if they are not closed.
  mutating func readQuotedText() -> SourceText? {
    word = SourceText()
    return readQuoted() ? word : nil
  }

  /// Reads the quoted part of a word that begins here; whether it is closed before the text's end, and before a line
  /// that is another curl command, where the reader then stands.
  private mutating func readQuoted() -> Bool {
    let quote = byte
    at += 1
    // An empty text, too, stands in a line.
    word.append([], line: line)
    while let byte, byte != quote {
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        if takeSplice() { continue }
        if at + 1 < text.count, "\"\\$`".utf8.contains(text[at + 1]) { at += 1 }
        takeByte()
        continue
      }
      if quote == UInt8(ascii: "\"") { noteShellCode(among: "") }
      takeByte()
      if byte == UInt8(ascii: "\n"), CurlCommand.find(in: restOfLine)?.isAlone == true { return false }
    }
    guard byte == quote, quote != nil else { return false }
    at += 1
    return true
  }
}
