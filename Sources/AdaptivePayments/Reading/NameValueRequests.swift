import BatchFile

/// Reads requests of name-value pairs (NVP): a query string a line, or one spread over lines as in PayPal's guide.
///
/// A line goes on with the request before it where that ended in `&` or a backslash, where the line begins with `&`,
/// and where it is a single pair whose name is new. A line that begins with the name that the request began with begins
/// another one, and so does any line behind an empty one. Of curl commands the bodies are read, as curl and a shell
/// would; of an address, what stands behind `?`. `¤cyCode` is `&currencyCode`, as web pages show it.
struct NameValueRequests {
  /// The lines of one request.
  private struct Lines {
    var text = SourceText()
    var names: Set<[UInt8]> = []
    var firstName: FieldName?
    var quote: UInt8?
    var goesOn = false
    var count = 0
    var isEmpty: Bool { firstName == nil }
  }

  private var reader: ShellReader
  private let isScript: Bool
  private var current = Lines()
  private var quote: UInt8?

  /// Hands out the requests of a text, in order.
  ///
  /// - Parameter skip: told of lines that are no part of a request.
  static func read(_ text: [UInt8], skip: (RequestNote) -> Void = { _ in }, _ take: (RequestFields) -> Void) {
    var requests = NameValueRequests(withCurrency(text))
    requests.readAll(skip, take)
  }

  private init(_ text: [UInt8]) {
    reader = ShellReader(text)
    isScript = ShellLine.hasCommand(text)
  }

  private mutating func readAll(_ skip: (RequestNote) -> Void, _ take: (RequestFields) -> Void) {
    while reader.at < reader.text.count {
      switch ShellLine.next(in: reader.text, at: reader.at) {
      case .nothing:
        end(skip, take)
        reader.goToNextLine()
      case .command(let place):
        reader.at = place
        takeCommands(isNamed: true, skip, take)
      case .option: takeCommands(isNamed: false, skip, take)
      case .address where isFollowedByOption(): takeCommands(isNamed: false, skip, take)
      case .address, .other: takeLine(skip, take)
      }
    }
    end(skip, take)
  }

  // MARK: Commands

  private mutating func takeCommands(
    isNamed: Bool, _ skip: (RequestNote) -> Void, _ take: (RequestFields) -> Void
  ) {
    end(skip, take)
    var isNamed = isNamed
    repeat {
      let (command, goesOn) = CurlCommand.read(from: &reader, isNamed: isNamed)
      guard !goesOn else {
        quote = reader.text[reader.at - 1]
        return
      }
      if let fault = command.fault {
        take(RequestFields(unreadable: fault.reason, line: fault.line))
      } else if command.hasBody || command.query.bytes.contains(UInt8(ascii: "=")) {
        var text = command.query
        if command.hasBody, !text.bytes.isEmpty { text.append(UInt8(ascii: "&"), line: command.line) }
        text.append(command.body)
        take(NameValuePairs.request(text))
      } else if isNamed {
        skip(RequestNote(line: command.line, field: "", reason: "a curl command without a request is skipped"))
      }
      isNamed = true
    } while reader.skipToCommandOfLine()
  }

  /// Whether options stand behind the address that the line begins with: then it is the end of a curl command.
  private func isFollowedByOption() -> Bool {
    let line = reader.text[reader.at...].prefix { $0 != UInt8(ascii: "\n") }
    let words = line.split(maxSplits: 1) { $0 == 0x20 || $0 == 0x09 }
    guard words.count == 2, !words[0].contains(UInt8(ascii: "?")) else { return false }
    return ShellLine.next(in: reader.text, at: words[1].startIndex) == .option
  }

  // MARK: Lines

  private mutating func takeLine(_ skip: (RequestNote) -> Void, _ take: (RequestFields) -> Void) {
    if takeQuoted(skip, take) { return }
    let line = reader.line
    let start = reader.at
    reader.goToNextLine()
    let whole = NameValuePairs.trimmed(reader.text[start..<reader.at])
    if whole.first == UInt8(ascii: "#") { return }
    if ShellLine.isRequestLine(whole) { return takeHead(whole, line: line, skip, take) }
    guard let bytes = Self.withoutAddress(whole) else { return }
    if !belongs(bytes) { end(skip, take) }
    if current.isEmpty, !isPairs(bytes) {
      if bytes.contains(where: { NameValuePairs.isAlphanumeric($0) }) {
        skip(RequestNote(line: line, field: "", reason: "a line without name-value pairs is skipped"))
      }
      return
    }
    if add(bytes, line: line) { end(skip, take) }
  }

  /// Takes the request in quotes that begins here; not where more than punctuation stands behind it.
  private mutating func takeQuoted(_ skip: (RequestNote) -> Void, _ take: (RequestFields) -> Void) -> Bool {
    var ahead = reader
    ahead.skipSpace()
    guard !current.goesOn, ahead.isAtQuote else { return false }
    var text = SourceText()
    guard ahead.readQuoted(into: &text), text.bytes.contains(UInt8(ascii: "=")) else { return false }
    let end = ahead.at
    ahead.goToNextLine()
    guard !ahead.text[end..<ahead.at].contains(where: NameValuePairs.isAlphanumeric) else { return false }
    self.end(skip, take)
    reader = ahead
    take(NameValuePairs.request(text))
    return true
  }

  /// Goes beyond the head of an HTTP request, in whose first line its pairs may stand.
  private mutating func takeHead(
    _ whole: ArraySlice<UInt8>, line: Int, _ skip: (RequestNote) -> Void, _ take: (RequestFields) -> Void
  ) {
    end(skip, take)
    let address = whole.split(separator: 0x20)[1]
    if let mark = address.firstIndex(of: UInt8(ascii: "?")) {
      var text = SourceText()
      text.append(address[(mark + 1)...], line: line)
      take(NameValuePairs.request(text))
    }
    while reader.at < reader.text.count, ShellLine.next(in: reader.text, at: reader.at) != .nothing {
      reader.goToNextLine()
    }
  }

  /// Whether a line that begins a request has pairs, and is no header, `Name: value`.
  private func isPairs(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return false }
    guard let colon = bytes[..<equals].firstIndex(of: UInt8(ascii: ":")) else { return true }
    let isName = bytes[..<colon].allSatisfy { $0 == UInt8(ascii: "-") || NameValuePairs.isAlphanumeric($0) }
    return !(isName && bytes[colon...].dropFirst().first == 0x20)
  }

  private func belongs(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard !current.isEmpty, !current.goesOn else { return true }
    let pairs = bytes.split(separator: UInt8(ascii: "&"))
    guard let first = pairs.first.map({ NameValuePairs.name($0) }) else { return true }
    if bytes.first == UInt8(ascii: "&") { return first != current.firstName }
    return pairs.count == 1 && !current.names.contains(first.text)
  }

  /// Adds a line to a request; whether it ends it, by the quote that the request began with.
  private mutating func add(_ whole: ArraySlice<UInt8>, line: Int) -> Bool {
    var bytes = whole
    if current.isEmpty {
      current.quote = quote
      quote = nil
      if let first = bytes.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        current.quote = first
        bytes = bytes.dropFirst()
      }
    }
    let closes = current.quote != nil && bytes.last == current.quote
    if closes { bytes = bytes.dropLast() }
    let isSpliced = bytes.last == UInt8(ascii: "\\")
    if isSpliced { bytes = bytes.dropLast() }
    current.goesOn = isSpliced || bytes.last == UInt8(ascii: "&")
    current.count += whole.count + 1
    // Of a request that is too long so much is enough: it tells where it stands.
    guard current.count <= Limits.requestBytes || current.text.bytes.count <= Limits.requestBytes else { return closes }
    if !current.text.bytes.isEmpty { current.text.append(UInt8(ascii: "\n"), line: line - 1) }
    current.text.append(bytes, line: line)
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let name = NameValuePairs.name(pair)
      if current.firstName == nil { current.firstName = name }
      current.names.insert(name.text)
    }
    return closes
  }

  private mutating func end(_ skip: (RequestNote) -> Void, _ take: (RequestFields) -> Void) {
    guard !current.isEmpty else { return }
    let text = current.text
    // A script sets variables in lines that look like pairs.
    if isScript, !current.names.contains(where: PayRequest.mayHave) {
      skip(RequestNote(line: text.firstLine, field: "", reason: "lines without a field of a Pay request are skipped"))
    } else {
      take(NameValuePairs.request(text))
    }
    current = Lines()
  }

  /// What a line holds behind an address and its `?`; nil where it is an address without.
  private static func withoutAddress(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let mark = line.firstIndex { "?=& ".utf8.contains($0) }
    if let mark, line[mark] == UInt8(ascii: "?") { return line[(mark + 1)...] }
    let isAddress = line.starts(with: "https://".utf8) || line.starts(with: "http://".utf8)
    return isAddress ? nil : line
  }

  /// A text with `&currencyCode` where a browser took its beginning for the sign `&curren;`.
  private static func withCurrency(_ text: [UInt8]) -> [UInt8] {
    let mangled = Array("\u{A4}cyCode=".utf8)
    guard text.contains(0xC2) else { return text }
    var mended: [UInt8] = []
    mended.reserveCapacity(text.count)
    var at = text.startIndex
    while at < text.endIndex {
      let isMangled = text[at] == mangled[0] && text[at...].starts(with: mangled)
      if isMangled { mended += "&currencyCode=".utf8 } else { mended.append(text[at]) }
      at += isMangled ? mangled.count : 1
    }
    return mended
  }
}
