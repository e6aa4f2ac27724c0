/// A curl command, or the options and the address of one as PayPal's pages print them: the body that it sends.
struct CurlCommand {
  /// What its `-d` and `--data` options hold, with `&` between them as curl sends them.
  private(set) var body = SourceText()
  /// Whether it has any of these options.
  private(set) var hasBody = false
  /// What stands behind `?` in its address.
  private(set) var query = SourceText()
  /// Why what it sends cannot be told, and the line of the reason.
  private(set) var fault: (line: Int, reason: String)?
  /// Whether it is a command by name, not options alone.
  let isNamed: Bool
  /// The line that it begins in.
  let line: Int

  private var hasAddress = false
  private var pending: String?

  private init(isNamed: Bool, line: Int) {
    self.isNamed = isNamed
    self.line = line
  }

  // MARK: Reading

  /// Reads the command that begins where the reader stands, to its end or to the end of its line.
  ///
  /// Lines go on without a backslash, too, as in PayPal's guide: where an option waits for its value, and where the next
  /// line begins with an option, or with the address that is not there yet.
  /// - Returns: the command; and whether its body is what follows, as the quote that it begins with is not closed.
  static func read(from reader: inout ShellReader, isNamed: Bool) -> (command: CurlCommand, goesOnUnquoted: Bool) {
    var command = CurlCommand(isNamed: isNamed, line: reader.line)
    if isNamed { _ = reader.next() }
    while true {
      let line = reader.line
      switch reader.next() {
      case .word(let word): command.take(word)
      case .commandEnd: return (command, false)
      case .lineEnd:
        guard command.goesOn(ShellLine.next(in: reader.text, at: reader.at)) else { return (command, false) }
      case .unclosedQuote:
        let isBody = command.pending.map(dataOptions.contains) ?? false
        if isBody, !command.hasBody { return (command, true) }
        command.fail("a quote is not closed", line: line)
        reader.skipLine()
        return (command, false)
      }
    }
  }

  private func goesOn(_ next: ShellLine.Beginning) -> Bool {
    switch next {
    case .nothing: false
    case .option: true
    case .address: pending != nil || !hasAddress
    case .command, .other: pending != nil
    }
  }

  private mutating func take(_ word: SourceText) {
    if let option = pending {
      pending = nil
      takeValue(word, of: option)
    } else if word.starts(with: "--") {
      let equals = word.bytes.firstIndex(of: UInt8(ascii: "="))
      let name = String(decoding: word.bytes[..<(equals ?? word.bytes.count)].dropFirst(2), as: UTF8.self)
      guard Self.optionsWithValue.contains(name) else { return }
      if let equals { takeValue(word.dropFirst(equals + 1), of: name) } else { pending = name }
    } else if word.starts(with: "-"), word.bytes.count > 1 {
      takeLetters(word)
    } else {
      takeOperand(word)
    }
  }

  /// Takes options of a letter each, the last of which may have its value behind it: `-sd body`, `-dbody`.
  private mutating func takeLetters(_ word: SourceText) {
    for (index, letter) in word.bytes.enumerated().dropFirst() {
      guard let option = Self.letters[letter] else { continue }
      let rest = word.dropFirst(index + 1)
      if rest.bytes.isEmpty { pending = option } else { takeValue(rest, of: option) }
      return
    }
  }

  private mutating func takeOperand(_ word: SourceText) {
    let mark = word.bytes.firstIndex { "=?/:$".utf8.contains($0) }
    let isPair = mark.map { word.bytes[$0] == UInt8(ascii: "=") } ?? false
    let space = word.bytes.firstIndex { $0 == 0x20 || $0 == 0x0A }
    if isPair || space.map({ !word.bytes[..<$0].contains(UInt8(ascii: "?")) }) ?? false {
      return fail(
        "holds something that is no option and no address; expected the whole body in quotes", line: word.firstLine)
    }
    hasAddress = true
    guard let start = word.bytes.firstIndex(of: UInt8(ascii: "?")) else { return }
    let rest = word.dropFirst(start + 1)
    query = rest.prefix(rest.bytes.firstIndex(of: UInt8(ascii: "#")) ?? rest.bytes.count)
  }

  private mutating func takeValue(_ value: SourceText, of option: String) {
    if option == "url" { return takeOperand(value) }
    if Self.otherBodies.contains(option) {
      return fail("sends its body by --\(option); expected --data", line: value.firstLine)
    }
    guard Self.dataOptions.contains(option) else { return }
    if option != "data-raw", value.starts(with: "@") {
      return fail("takes its body from a file; expected the body, or import that file", line: value.firstLine)
    }
    if hasBody { body.append(UInt8(ascii: "&"), line: value.firstLine) }
    hasBody = true
    body.append(option == "data-urlencode" ? Self.encoded(value) : value)
  }

  private mutating func fail(_ reason: String, line: Int) {
    if fault == nil { fault = (line, "the curl command " + reason) }
  }

  /// What `--data-urlencode` makes of `name=content` and `=content`: the content in percent escapes.
  private static func encoded(_ value: SourceText) -> SourceText {
    guard let equals = value.bytes.firstIndex(of: UInt8(ascii: "=")) else { return percentEscaped(value) }
    var pair = equals == 0 ? SourceText() : value.prefix(equals + 1)
    pair.append(percentEscaped(value.dropFirst(equals + 1)))
    return pair
  }

  private static func percentEscaped(_ value: SourceText) -> SourceText {
    var escaped = SourceText()
    for (offset, byte) in value.bytes.enumerated() {
      let digits = String(byte, radix: 16, uppercase: true)
      escaped.append("%\(digits.count < 2 ? "0" : "")\(digits)".utf8, line: value.line(at: offset))
    }
    return escaped
  }

  // MARK: Options

  private static let dataOptions: Set = [
    "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json", "url-query",
  ]

  private static let otherBodies: Set = ["config", "form", "form-string", "upload-file"]

  private static let optionsWithValue = dataOptions.union(otherBodies).union(letters.values).union([
    "cacert", "capath", "cert-type", "ciphers", "connect-timeout", "connect-to", "dns-servers", "interface", "key",
    "key-type", "limit-rate", "max-redirs", "noproxy", "oauth2-bearer", "pass", "proto", "proxy-header", "proxy-user",
    "resolve", "retry", "retry-delay", "retry-max-time", "stderr", "trace", "trace-ascii", "url",
  ])

  /// Options of a letter that take a value, by their long names.
  private static let letters: [UInt8: String] = [
    UInt8(ascii: "A"): "user-agent", UInt8(ascii: "b"): "cookie", UInt8(ascii: "c"): "cookie-jar",
    UInt8(ascii: "C"): "continue-at", UInt8(ascii: "d"): "data", UInt8(ascii: "D"): "dump-header",
    UInt8(ascii: "e"): "referer", UInt8(ascii: "E"): "cert", UInt8(ascii: "F"): "form", UInt8(ascii: "h"): "help",
    UInt8(ascii: "H"): "header", UInt8(ascii: "K"): "config", UInt8(ascii: "m"): "max-time",
    UInt8(ascii: "o"): "output", UInt8(ascii: "P"): "ftp-port", UInt8(ascii: "Q"): "quote", UInt8(ascii: "r"): "range",
    UInt8(ascii: "t"): "telnet-option", UInt8(ascii: "T"): "upload-file", UInt8(ascii: "u"): "user",
    UInt8(ascii: "U"): "proxy-user", UInt8(ascii: "w"): "write-out", UInt8(ascii: "x"): "proxy",
    UInt8(ascii: "X"): "request", UInt8(ascii: "y"): "speed-time", UInt8(ascii: "Y"): "speed-limit",
    UInt8(ascii: "z"): "time-cond",
  ]
}
