/// A curl command, or the options and the address of one as PayPal's pages print them: what it sends.
struct CurlCommand {
  /// What its `-d` and `--data` options hold, with `&` between them as curl sends them; nil if it has none.
  private(set) var body: SourceText?
  /// The operation that its address names.
  private(set) var operation = "Pay"
  /// What stands after `?` in its address.
  private(set) var query = SourceText()
  /// Why what it sends cannot be told, and the line of the reason.
  private(set) var fault: (line: Int, reason: String)?
  /// The line that it begins in.
  let line: Int

  private var hasAddress = false
  /// The option whose value comes next.
  private var pending: String?

  /// Reads the command that begins where the reader stands, to its end or to the end of its line.
  ///
  /// Lines go on without a backslash, too, as in PayPal's guide: where an option waits for its value, and where the next
  /// line begins with an option, or with the address that is not there yet.
  init(_ reader: inout CommandReader) {
    line = reader.line
    reading: while true {
      let line = reader.line
      switch reader.next() {
      case .word(let word, let needsShell): take(word, needsShell)
      case .commandEnd: break reading
      case .lineEnd:
        guard goesOn(in: reader.restOfLine) else { break reading }
      case .unclosedQuote:
        fail("has a quote that is not closed; nothing is read up to the next command", line: line)
        break reading
      }
    }
    if let pending { fail("ends before the value of \(Self.spelled(pending))", line: line) }
  }

  private func goesOn(in line: ArraySlice<UInt8>) -> Bool {
    line.isOption || line.isAddress && !hasAddress || pending != nil && !line.trimmed.isEmpty
  }

  /// The pairs that it sends: those of its address and those of its body; nil if it sends none.
  var pairs: SourceText? {
    guard let body else { return query.bytes.contains(UInt8(ascii: "=")) ? query : nil }
    var pairs = query
    if !pairs.bytes.isEmpty { pairs.append("&".utf8, line: line) }
    pairs.append(body)
    return pairs
  }

  /// Notes why what it sends cannot be told.
  mutating func fail(_ reason: String, line: Int) {
    if fault == nil { fault = (line, "the curl command " + reason) }
  }

  // MARK: Words

  private mutating func take(_ word: SourceText, _ needsShell: Bool) {
    let text = word.bytes
    if let option = pending {
      pending = nil
      takeValue(word, of: option, needsShell)
    } else if text.starts(with: "--".utf8) {
      let name = String(decoding: text.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      guard Self.optionsWithValue.contains(name) else { return }
      let count = name.utf8.count + 2
      if text.count > count { takeValue(word.dropFirst(count + 1), of: name, needsShell) } else { pending = name }
    } else if text.count > 1, text[0] == UInt8(ascii: "-") {
      takeLetters(word, needsShell)
    } else {
      takeAddress(word, needsShell)
    }
  }

  /// Takes options of a letter each, the last of which may have its value after it: `-sd body`, `-dbody`.
  private mutating func takeLetters(_ word: SourceText, _ needsShell: Bool) {
    let options = word.bytes.dropFirst().map { String(Unicode.Scalar($0)) }
    guard let index = options.firstIndex(where: Self.optionsWithValue.contains) else { return }
    let rest = word.dropFirst(index + 2)
    if rest.bytes.isEmpty { pending = options[index] } else { takeValue(rest, of: options[index], needsShell) }
  }

  private mutating func takeAddress(_ word: SourceText, _ needsShell: Bool) {
    let mark = word.bytes.firstIndex(of: UInt8(ascii: "?"))
    let path = word.bytes[..<(mark ?? word.bytes.count)]
    guard !hasAddress, !path.contains(where: { $0.isSpace || $0 == UInt8(ascii: "=") }) else {
      return fail(
        "holds something that is no option and no address; expected the whole body in quotes", line: word.firstLine)
    }
    hasAddress = true
    if let operation = path.operation { self.operation = operation }
    guard let mark else { return }
    if needsShell { return fail(Self.shellCode, line: word.firstLine) }
    query.append(word.bytes[(mark + 1)...].prefix { $0 != UInt8(ascii: "#") }, line: word.firstLine)
  }

  private mutating func takeValue(_ value: SourceText, of option: String, _ needsShell: Bool) {
    if option == "url" { return takeAddress(value, needsShell) }
    if Self.otherBodies.contains(option) {
      return fail("sends its body by \(Self.spelled(option)); expected --data", line: value.firstLine)
    }
    guard Self.dataOptions.contains(option) else { return }
    if option != "data-raw", value.bytes.first == UInt8(ascii: "@") {
      return fail("takes its body from a file; expected the body, or import that file", line: value.firstLine)
    }
    if needsShell { return fail(Self.shellCode, line: value.firstLine) }
    guard body != nil else { return body = value }
    body?.append("&".utf8, line: value.firstLine)
    body?.append(value)
  }

  private static let shellCode =
    "sends what a shell would make of variables and commands; expected the text that is sent"

  // MARK: Options

  private static let dataOptions: Set = ["d", "data", "data-ascii", "data-binary", "data-raw", "json"]

  private static let otherBodies: Set = [
    "F", "form", "form-string", "K", "config", "T", "upload-file", "data-urlencode", "url-query",
  ]

  private static let optionsWithValue = dataOptions.union(otherBodies).union([
    "A", "b", "c", "D", "e", "E", "H", "m", "o", "u", "U", "w", "x", "X", "cacert", "cert", "cert-type", "ciphers",
    "connect-timeout", "cookie", "cookie-jar", "dump-header", "header", "key", "key-type", "max-time", "output",
    "proxy", "proxy-user", "referer", "request", "resolve", "retry", "url", "user", "user-agent", "write-out",
  ])

  private static func spelled(_ option: String) -> String { (option.count == 1 ? "-" : "--") + option }
}

// MARK: - Where commands stand

extension CurlCommand {
  /// Where in a line the word `curl` begins a command, and whether it is the line's own, after no more than a prompt;
  /// other shell code would change what it sends.
  static func find(in line: ArraySlice<UInt8>) -> (at: Int, isAlone: Bool)? {
    var start = line.startIndex
    while let at = line[start...].firstIndex(of: UInt8(ascii: "c")) {
      start = at + 1
      guard line[at...].starts(with: "curl".utf8) else { continue }
      let before = line[..<at]
      let behind = line[(at + 4)...].starts(with: ".exe".utf8) ? line[(at + 8)...] : line[(at + 4)...]
      guard before.last.map({ $0.isSpace || "/\\(`;|&=\"".utf8.contains($0) }) ?? true,
        behind.first.map({ $0.isSpace || $0 == UInt8(ascii: "\\") }) ?? true
      else { continue }
      if isPrompt(before) { return (at, true) }
      // Words about curl are no command: one has options, quotes or an address after it.
      if let next = behind.trimmed.first, "-'\"h$\\".utf8.contains(next) { return (at, false) }
    }
    return nil
  }

  /// Whether what stands before `curl` is at most a prompt, and the folder that curl is in.
  private static func isPrompt(_ text: ArraySlice<UInt8>) -> Bool {
    var words = text.split(whereSeparator: \.isSpace)
    if let last = text.last, !last.isSpace {
      guard last == UInt8(ascii: "/") || last == UInt8(ascii: "\\"),
        let folder = words.popLast(), !folder.contains(where: { "(`;|&=\"".utf8.contains($0) })
      else { return false }
    }
    return words.allSatisfy { ["$", "%", ">", "&", "|", "sudo"].contains(String(decoding: $0, as: UTF8.self)) }
  }
}
