/// Reads requests of name-value pairs (NVP): a query string a line, or one spread over lines as in PayPal's guide.
///
/// A line goes on with the request before it where that ended in `&` or a backslash, where the line begins with `&`,
/// and where it is a single pair whose name is new. A line that begins with the name that the request began with begins
/// another one, and so does any line after an empty one. Of an address what follows `?` is read. A request in quotes,
/// such as the body of a shell command, is refused whole: only a shell could say where it ends.
struct NameValueRequests {
  /// The lines of the request that is read.
  private var text = SourceText()
  private var names: Set<String> = []
  private var firstName: FieldName?
  private var goesOn = false
  private var isCommand = false
  /// The operation that the request calls, as an address before it names it.
  private var operation = "Pay"

  /// Hands out the requests of a text, in order.
  ///
  /// - Parameter skip: takes notes of lines that are not part of a request.
  static func read(_ text: [UInt8], skip: (RequestFinding) -> Void, _ take: (PayRequest) -> Void) {
    // Web pages show `&currencyCode` as `¤cyCode`.
    let mangled = Array("\u{A4}cyCode=".utf8)
    let whole = text.contains(mangled[0]) ? text.replacing(mangled, with: "&currencyCode=".utf8) : text
    var requests = NameValueRequests()
    for (index, line) in whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      requests.takeLine(line.trimmed, index + 1, skip, take)
    }
    requests.end(take)
  }

  private mutating func takeLine(
    _ whole: ArraySlice<UInt8>, _ number: Int, _ skip: (RequestFinding) -> Void, _ take: (PayRequest) -> Void
  ) {
    if whole.isEmpty { return end(take) }
    if let operation = whole.operation {
      end(take)
      self.operation = operation
    }
    let isCommand = Self.isCommand(whole)
    guard whole.first != UInt8(ascii: "#"), let line = isCommand ? whole : Self.withoutAddress(whole) else { return }
    if !belongs(line) { end(take) }
    if firstName == nil { self.isCommand = isCommand }
    if firstName != nil || isCommand || Self.isPairs(line) { return add(line, number) }
    guard line.contains(where: \.isAlphanumeric) else { return }
    skip(
      RequestFinding(line: number, payPalErrorID: nil, field: "", reason: "a line without name-value pairs is skipped"))
  }

  /// What a line holds after an address and its `?`; nil if it is an address without.
  private static func withoutAddress(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let mark = line.firstIndex { "?=& ".utf8.contains($0) }
    if let mark, line[mark] == UInt8(ascii: "?") { return line[(mark + 1)...] }
    return line.isAddress ? nil : line
  }

  /// Whether a line that begins a request has pairs: words, and heads of HTTP requests, have a space before any `=`.
  private static func isPairs(_ line: ArraySlice<UInt8>) -> Bool {
    line.contains(UInt8(ascii: "=")) && !line.prefix { !"&=".utf8.contains($0) }.trimmed.contains(where: \.isSpace)
  }

  /// Whether pairs are in quotes or in a shell command: before their first value a quote, an option or `curl` comes.
  private static func isCommand(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.prefix { $0 != UInt8(ascii: "=") }
    let isWord = name.first == UInt8(ascii: "-") || name.starts(with: "curl ".utf8)
    return name.count < line.count && (isWord || name.contains { "\"'".utf8.contains($0) })
  }

  private func belongs(_ line: ArraySlice<UInt8>) -> Bool {
    guard firstName != nil, !goesOn else { return true }
    let pairs = line.split(separator: UInt8(ascii: "&"))
    guard let first = pairs.first.map(PayRequest.name) else { return true }
    if Self.isCommand(line) { return false }
    if line.first == UInt8(ascii: "&") { return first != firstName }
    return pairs.count == 1 && !names.contains(first.text)
  }

  private mutating func add(_ line: ArraySlice<UInt8>, _ number: Int) {
    let isSpliced = line.last == UInt8(ascii: "\\")
    let pairs = isSpliced ? line.dropLast() : line
    goesOn = isSpliced || pairs.last == UInt8(ascii: "&")
    // Of a request that is too long so much is enough: it tells where it stands.
    guard text.bytes.count <= Limits.requestBytes else { return }
    if !text.bytes.isEmpty { text.append("\n".utf8, line: number) }
    text.append(pairs, line: number)
    for pair in pairs.split(separator: UInt8(ascii: "&")) {
      let name = PayRequest.name(of: pair)
      if firstName == nil { firstName = name }
      names.insert(name.text)
    }
  }

  private mutating func end(_ take: (PayRequest) -> Void) {
    // Behind the head of an HTTP request comes an empty line.
    guard firstName != nil else { return }
    take(
      isCommand
        ? PayRequest(
          unreadable: "is in quotes or in a shell command; expected the body alone, name=value pairs joined by &",
          line: text.firstLine)
        : PayRequest(pairs: text, operation: operation))
    self = NameValueRequests()
  }
}
