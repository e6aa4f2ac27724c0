/// Reads requests of name-value pairs (NVP): a query string on one line, or on several as in PayPal's guide.
///
/// A line continues the request before it if that ended in `&` or a backslash, if the line begins with `&`, or if it is
/// a single pair with a new name. A line that begins with the request's first name starts another request, and so does
/// any line after an empty one. The part of an address after `?` is read. A request in quotes, such as the body of a
/// shell command, is refused: only a shell knows where it ends.
struct NameValueRequests {
  /// The lines of the current request.
  private var text = SourceText()
  private var names: Set<String> = []
  private var firstName: FieldName?
  private var goesOn = false
  private var isCommand = false
  /// The operation that the request calls, from the address before it.
  private var operation = "Pay"

  /// Hands out the requests of a text, in order.
  ///
  /// - Parameter skip: called for lines that are not part of a request.
  static func read(_ text: [UInt8], skip: (RequestFinding) -> Void, _ take: (PayRequest) -> Void) {
    // Web pages show `&currencyCode` as `¤cyCode`.
    let mangled = Array("\u{A4}cyCode=".utf8)
    let whole = text.contains(mangled[0]) ? text.replacing(mangled, with: "&currencyCode=".utf8) : text
    var requests = NameValueRequests()
    for (index, line) in whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      requests.readLine(line.trimmed, index + 1, skip, take)
    }
    requests.end(take)
  }

  private mutating func readLine(
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

  /// The line without an address up to `?`; nil if it is an address without `?`.
  private static func withoutAddress(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let mark = line.firstIndex { "?=& ".utf8.contains($0) }
    if let mark, line[mark] == UInt8(ascii: "?") { return line[(mark + 1)...] }
    return line.isAddress ? nil : line
  }

  /// Whether the first line of a request has pairs: prose and heads of HTTP requests have a space before any `=`.
  private static func isPairs(_ line: ArraySlice<UInt8>) -> Bool {
    line.contains(UInt8(ascii: "=")) && !line.prefix { !"&=".utf8.contains($0) }.trimmed.contains(where: \.isSpace)
  }

  /// Whether pairs are in quotes or in a shell command: a quote, an option or `curl` comes before the first value.
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
    // The start of a request that is too long is enough to report its line.
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
    // An empty line follows the head of an HTTP request.
    guard firstName != nil else { return }
    take(
      isCommand
        ? PayRequest(
          unreadable: "is in quotes or in a shell command; expected only the body, name=value pairs joined by &",
          line: text.firstLine)
        : PayRequest(pairs: text, operation: operation))
    self = NameValueRequests()
  }
}
