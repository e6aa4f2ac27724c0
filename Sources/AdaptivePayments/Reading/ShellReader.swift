/// Reads a text as a shell does: words with quotes taken off, escapes put back and spliced lines put together.
///
/// More is a word than in a shell, for bodies that are pasted without quotes: `&` stands for itself, and so do brackets
/// that are closed within the word.
struct ShellReader {
  /// What stands next.
  enum Token {
    case word(SourceText)
    /// The end of a line, which the reader has gone beyond.
    case lineEnd
    /// The end of a command, or of the text: `;`, `|`, `&`, `<`, `>`, a bracket or backquote that was opened before it.
    case commandEnd
    /// A quote that is not closed, or not before an empty line; the reader stands behind it.
    case unclosedQuote
  }

  let text: [UInt8]
  /// The offset of what stands next.
  var at: Int
  /// Its line, from 1.
  var line: Int

  init(_ text: [UInt8], at: Int = 0, line: Int = 1) {
    self.text = text
    self.at = at
    self.line = line
  }

  private var byte: UInt8? { at < text.count ? text[at] : nil }

  // MARK: Words

  /// Reads the next word, or what stands in its place.
  mutating func next() -> Token {
    let start = at
    skipSpace()
    switch byte {
    case nil: return .commandEnd
    case UInt8(ascii: "\n"):
      nextLine()
      return .lineEnd
    case UInt8(ascii: "#") where at > start || at == 0:
      skipLine()
      return next()
    default: return readWord()
    }
  }

  private mutating func readWord() -> Token {
    var word = SourceText()
    var brackets = 0
    let start = at
    while let byte {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        guard readQuoted(into: &word) else { return .unclosedQuote }
      case UInt8(ascii: "$") where isQuote(at + 1):
        // `$'...'`, in which a browser copies a request, has escapes; a shell's translation, `$"..."`, is as `"..."`.
        at += 1
        guard readQuoted(into: &word, hasEscapes: true) else { return .unclosedQuote }
      case UInt8(ascii: "\\"):
        if !skipSplice() { takeEscaped(into: &word) }
      case 0x20, 0x09, 0x0A, 0x0D: return .word(word)
      case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "`"), UInt8(ascii: "<"), UInt8(ascii: ">"):
        return at == start ? .commandEnd : .word(word)
      case UInt8(ascii: "&") where isAlone(from: start): return .commandEnd
      case UInt8(ascii: ")") where brackets == 0: return at == start ? .commandEnd : .word(word)
      default:
        if byte == UInt8(ascii: "(") { brackets += 1 }
        if byte == UInt8(ascii: ")") { brackets -= 1 }
        word.append(byte, line: line)
        at += 1
      }
    }
    return .word(word)
  }

  /// Whether a word is nothing but `&`.
  private func isAlone(from start: Int) -> Bool {
    guard at == start else { return false }
    let next = text[at...].first { $0 != UInt8(ascii: "&") }
    return next.map { $0 == 0x20 || 0x09...0x0D ~= $0 } ?? true
  }

  /// Whether a quote stands next.
  var isAtQuote: Bool { isQuote(at) }

  private func isQuote(_ place: Int) -> Bool {
    place < text.count && (text[place] == UInt8(ascii: "'") || text[place] == UInt8(ascii: "\""))
  }

  private mutating func takeEscaped(into word: inout SourceText) {
    at += 1
    guard let byte else { return word.append(UInt8(ascii: "\\"), line: line) }
    word.append(byte, line: line)
    at += 1
  }

  // MARK: Quotes

  /// Reads the quoted text that begins here; whether it is closed. Where it is not, the reader stands behind its quote.
  mutating func readQuoted(into word: inout SourceText, hasEscapes: Bool = false) -> Bool {
    let start = (at: at + 1, line: line)
    guard let quote = byte else { return false }
    at += 1
    // So that an empty text, too, stands in a line.
    var quoted = SourceText()
    quoted.append([], line: line)
    reading: while let byte, byte != quote {
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        takeBackslash(into: &quoted)
      } else if byte == UInt8(ascii: "\\"), hasEscapes {
        takeNamedEscape(into: &quoted)
      } else if byte == UInt8(ascii: "\n") {
        guard takeLineEnds(into: &quoted) else { break reading }
      } else {
        quoted.append(byte, line: line)
        at += 1
      }
    }
    guard byte == quote else {
      (at, line) = start
      return false
    }
    at += 1
    word.append(quoted)
    return true
  }

  /// Takes the line's end and the white space behind it; not where that is an empty line, and what comes behind it
  /// goes on with neither pairs nor JSON.
  private mutating func takeLineEnds(into word: inout SourceText) -> Bool {
    var place = at + 1
    var isEmpty = false
    while place < text.count, text[place] == 0x20 || 0x09...0x0D ~= text[place] {
      if text[place] == UInt8(ascii: "\n") { isEmpty = true }
      place += 1
    }
    if isEmpty, place == text.count || !"&\"'{}[]/,\\".utf8.contains(text[place]) { return false }
    while at < place {
      word.append(text[at], line: line)
      if text[at] == UInt8(ascii: "\n") { line += 1 }
      at += 1
    }
    return true
  }

  private mutating func takeBackslash(into word: inout SourceText) {
    if skipSplice() { return }
    let isEscape = at + 1 < text.count && "\"\\$`".utf8.contains(text[at + 1])
    word.append(text[isEscape ? at + 1 : at], line: line)
    at += isEscape ? 2 : 1
  }

  /// Takes an escape of `$'...'`: a character's name, or `\u` and its number.
  private mutating func takeNamedEscape(into word: inout SourceText) {
    at += 1
    guard let byte else { return }
    at += 1
    switch byte {
    case UInt8(ascii: "n"): word.append(0x0A, line: line)
    case UInt8(ascii: "r"): word.append(0x0D, line: line)
    case UInt8(ascii: "t"): word.append(0x09, line: line)
    case UInt8(ascii: "u"):
      let digits = text[at...].prefix(4).prefix { Unicode.Scalar($0).properties.isASCIIHexDigit }
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
      at += digits.count
      if let scalar = number.flatMap(Unicode.Scalar.init) { word.append(String(scalar).utf8, line: line) }
    case UInt8(ascii: "\n"):
      word.append(byte, line: line)
      line += 1
    default: word.append(byte, line: line)
    }
  }

  // MARK: Lines

  /// Goes to the next curl command of the line in which a command has ended, or to the next line; whether to a command.
  mutating func skipToCommandOfLine() -> Bool {
    while at < text.count, at == 0 || text[at - 1] != UInt8(ascii: "\n") {
      if case .command(let place) = ShellLine.next(in: text, at: at) {
        at = place
        return true
      }
      switch next() {
      case .word: break
      case .lineEnd: return false
      case .unclosedQuote: skipLine()
      case .commandEnd: at += at < text.count ? 1 : 0
      }
    }
    return false
  }

  /// Goes to the next line.
  mutating func goToNextLine() {
    skipLine()
    if at < text.count { nextLine() }
  }

  /// Goes beyond white space within a line, spliced ones included.
  mutating func skipSpace() {
    while let byte {
      if byte == 0x20 || byte == 0x09 || byte == 0x0D {
        at += 1
      } else if byte != UInt8(ascii: "\\") || !skipSplice() {
        return
      }
    }
  }

  /// Goes beyond a backslash that ends a line, with the line's end; whether there was one.
  private mutating func skipSplice() -> Bool {
    let end = text[(at + 1)...].prefix(while: { $0 == 0x0D }).endIndex
    guard end < text.count, text[end] == UInt8(ascii: "\n") else { return false }
    at = end
    nextLine()
    return true
  }

  /// Goes to the end of the line.
  mutating func skipLine() {
    while let byte, byte != UInt8(ascii: "\n") { at += 1 }
  }

  private mutating func nextLine() {
    at += 1
    line += 1
  }
}
