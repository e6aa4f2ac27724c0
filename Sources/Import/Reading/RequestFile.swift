/// A file of requests as what it is made of: plain lines, and texts that curl commands send.
struct RequestFile {
  private enum Piece {
    /// What a command sends to an operation, or what stands in quotes.
    case request(SourceText, operation: String = "Pay")
    /// A request of which that cannot be told.
    case unreadable(PayRequest)
    /// A command that sends nothing.
    case skipped(RequestFinding)
  }

  /// Whether the requests are JSON; else they are pairs.
  private let isJSON: Bool
  private var reader: CommandReader
  /// The plain lines that are not handed over yet.
  private var lines = SourceText()
  /// How many requests are no JSON.
  private var malformed = 0

  /// `¤cyCode` is `&currencyCode`, as web pages show it.
  private init(_ text: [UInt8], isJSON: Bool) {
    let mangled = Array("\u{A4}cyCode=".utf8)
    let isMangled = !isJSON && text.contains(mangled[0])
    reader = CommandReader(isMangled ? text.replacing(mangled, with: "&currencyCode=".utf8) : text)
    self.isJSON = isJSON
  }

  /// Hands out the requests of a text; false if too much of it is no JSON, or an array is broken.
  static func read(
    _ text: [UInt8], isJSON: Bool, skip: (RequestFinding) -> Void, _ take: (PayRequest) -> Void
  ) -> Bool {
    var file = RequestFile(text, isJSON: isJSON)
    while let piece = file.next() {
      guard file.readLines(skip, take) else { return false }
      switch piece {
      case .request(let pairs, let operation) where !isJSON: take(PayRequest(pairs: pairs, operation: operation))
      case .request(let body, let operation):
        guard JSONRequests.read(body, operation: operation, malformed: &file.malformed, take) else { return false }
      case .unreadable(let request): take(request)
      case .skipped(let note): skip(note)
      }
    }
    return file.readLines(skip, take)
  }

  private mutating func readLines(_ skip: (RequestFinding) -> Void, _ take: (PayRequest) -> Void) -> Bool {
    defer { lines = SourceText() }
    if isJSON { return JSONRequests.read(lines, malformed: &malformed, take) }
    NameValueRequests.read(lines, skip: skip, take)
    return true
  }

  /// Reads up to the next piece, which plain lines may stand before; nil at the end of the file.
  private mutating func next() -> Piece? {
    while reader.at < reader.text.count {
      let line = reader.restOfLine
      let piece: Piece?
      if let (at, isAlone) = findCommand(in: line) {
        reader.at = at
        piece = readCommand(isAlone: isAlone)
      } else if !reader.isAtLineStart {
        reader.goToNextLine()
        piece = nil
      } else if isOptions(line) {
        piece = read(CurlCommand(&reader), isNamed: false)
      } else {
        piece = readQuoted(line)
        if piece == nil { takeLine(line) }
      }
      if let piece { return withLinesBehind(piece) }
    }
    return nil
  }

  /// A piece, which cannot be read where lines that begin with `&` follow what was in quotes: they were closed too early.
  private mutating func withLinesBehind(_ piece: Piece) -> Piece {
    let at = reader.at
    switch piece {
    case .skipped: return piece
    case .request, .unreadable:
      while reader.isAtLineStart, reader.restOfLine.trimmed.first == UInt8(ascii: "&") { reader.goToNextLine() }
    }
    guard reader.at > at, case .request(let text, _) = piece else { return piece }
    return .unreadable(
      PayRequest(unreadable: "the request goes on after its quotes, in the next line", line: text.firstLine))
  }

  private mutating func takeLine(_ line: ArraySlice<UInt8>) {
    lines.append(line, line: reader.line)
    lines.append("\n".utf8, line: reader.line)
    reader.goToNextLine()
  }

  // MARK: Commands

  private func findCommand(in line: ArraySlice<UInt8>) -> (at: Int, isAlone: Bool)? {
    guard let found = CurlCommand.find(in: line) else { return nil }
    // Values may have words of commands in them.
    let isValue = line.trimmed.first.map { "\"'#{}[],/".utf8.contains($0) } ?? false
    return !found.isAlone && isValue ? nil : found
  }

  private mutating func readCommand(isAlone: Bool) -> Piece? {
    let line = reader.line
    _ = reader.next()
    var command = CurlCommand(&reader)
    if !isAlone { command.fail("stands within other shell code; expected the command alone", line: line) }
    return read(command, isNamed: true)
  }

  private func read(_ command: CurlCommand, isNamed: Bool) -> Piece? {
    if let fault = command.fault { return .unreadable(PayRequest(unreadable: fault.reason, line: fault.line)) }
    if let text = isJSON ? command.body : command.pairs { return .request(text, operation: command.operation) }
    guard isNamed else { return nil }
    return .skipped(
      RequestFinding(
        line: command.line, payPalErrorID: nil, field: "", reason: "a curl command without a request is skipped"))
  }

  /// Whether options of a curl command stand in a line, after its address or without.
  private func isOptions(_ line: ArraySlice<UInt8>) -> Bool {
    let words = line.trimmed.split(maxSplits: 1, whereSeparator: \.isSpace)
    return line.isOption || line.isAddress && words.count > 1 && !words[0].contains(UInt8(ascii: "?"))
  }

  // MARK: Quoted pairs

  /// Reads name-value pairs in quotes that begin in a line.
  private mutating func readQuoted(_ line: ArraySlice<UInt8>) -> Piece? {
    let text = line.trimmed
    guard !isJSON, text.first == UInt8(ascii: "\"") || text.first == UInt8(ascii: "'") else { return nil }
    let number = reader.line
    var ahead = reader
    ahead.at = text.startIndex
    let quoted = ahead.readQuotedText()
    guard (quoted?.bytes ?? Array(text)).contains(UInt8(ascii: "=")) else { return nil }
    let isAlone = !ahead.restOfLine.contains(where: \.isAlphanumeric)
    reader = ahead
    if !reader.isAtLineStart { reader.goToNextLine() }
    if let quoted, isAlone { return .request(quoted) }
    return .unreadable(PayRequest(unreadable: "the quotes around a request do not end where it does", line: number))
  }
}
