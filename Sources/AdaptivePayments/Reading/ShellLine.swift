/// Tells where in a file curl commands begin, among requests, comments and whatever else a page or script has.
enum ShellLine {
  /// What a line begins with.
  enum Beginning: Equatable {
    /// It is empty, or the text is at its end.
    case nothing
    /// An option, `-d` or `--data`, of a command of which nothing else is there.
    case option
    /// An address, `https://`.
    case address
    /// `curl`, which stands at the offset: behind a prompt, `NAME=$(`, a backquote or `sudo` it does, too.
    case command(at: Int)
    case other
  }

  private static let wordsBefore: [StaticString] = [
    "sudo", "time", "exec", "command", "export", "local", "readonly", "if", "then", "do", "!", "$", "%", ">",
  ]

  /// What the line begins with that begins at `start`.
  static func next(in text: [UInt8], at start: Int) -> Beginning {
    var place = skipSpace(text, start)
    guard place < text.count, text[place] != UInt8(ascii: "\n") else { return .nothing }
    let rest = text[place...]
    if isOption(rest) { return .option }
    if rest.starts(with: "https://".utf8) || rest.starts(with: "http://".utf8) { return .address }
    var isFirst = true
    while isFirst || place < text.count {
      isFirst = false
      let word = text[place...].prefix { !isSpace($0) && $0 != UInt8(ascii: "\n") }
      if isCurl(word) { return .command(at: place) }
      if let inner = substitution(word) {
        place = skipSpace(text, place + inner)
        let command = text[place...].prefix { !isSpace($0) && $0 != UInt8(ascii: "\n") }
        return isCurl(command) ? .command(at: place) : .other
      }
      guard wordsBefore.contains(where: { $0.withUTF8Buffer { word.elementsEqual($0) } }) else { return .other }
      place = skipSpace(text, word.endIndex)
    }
    return .other
  }

  /// Whether a text has a curl command anywhere: then it may be a script, with lines that are no requests.
  static func hasCommand(_ text: [UInt8]) -> Bool {
    var at = 0
    while at < text.count {
      if case .command = next(in: text, at: at) { return true }
      at = (text[at...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count) + 1
    }
    return false
  }

  /// Whether a line is the first of an HTTP request, `POST /AdaptivePayments/Pay HTTP/1.1`: its headers go to an empty line.
  static func isRequestLine(_ line: ArraySlice<UInt8>) -> Bool {
    let words = line.split(separator: 0x20)
    return words.count == 3 && words[0].allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
      && words[2].starts(with: "HTTP/".utf8)
  }

  /// How many bytes of a word stand before a command whose output is taken: `NAME=$(`, `"$(`, a backquote.
  private static func substitution(_ word: ArraySlice<UInt8>) -> Int? {
    var rest = word
    let name = word.prefix { $0 == UInt8(ascii: "_") || isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    if !name.isEmpty {
      guard word.dropFirst(name.count).first == UInt8(ascii: "=") else { return nil }
      rest = word.dropFirst(name.count + 1)
    }
    if rest.first == UInt8(ascii: "\"") { rest = rest.dropFirst() }
    if rest.starts(with: "$(".utf8) { return rest.startIndex + 2 - word.startIndex }
    return rest.first == UInt8(ascii: "`") ? rest.startIndex + 1 - word.startIndex : nil
  }

  /// Whether a word is `curl`, with or without the folder that it is in.
  private static func isCurl(_ word: ArraySlice<UInt8>) -> Bool {
    // A word that a shell would end or open something in is none: the reader must get beyond it.
    guard !word.contains(where: { "`$\"'()=;|&<>".utf8.contains($0) }) else { return false }
    let name = word.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? []
    return name.elementsEqual("curl".utf8) || name.elementsEqual("curl.exe".utf8)
  }

  private static func isOption(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "-") else { return false }
    let name = text.dropFirst().first == UInt8(ascii: "-") ? text.dropFirst(2) : text.dropFirst()
    return name.first.map(isLetter) ?? false
  }

  private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

  private static func skipSpace(_ text: [UInt8], _ start: Int) -> Int {
    text[min(start, text.count)...].prefix(while: isSpace).endIndex
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
