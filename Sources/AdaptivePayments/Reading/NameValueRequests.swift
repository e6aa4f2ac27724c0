import BatchFile

/// Reads requests of name-value pairs (NVP): a query string a line, or one spread over lines as in PayPal's guide.
///
/// A line goes on with the request before it where that ended in `&` or a backslash, where the line begins with `&`,
/// and where it is a single pair whose name is new. A line that begins with the name that the request began with begins
/// another one, and so does any line behind an empty one. What stands around the pairs in a curl command or an address
/// is left out: `curl`, its headers, `https://...?`, the quotes. `¤cyCode` is `&currencyCode`,
/// and `&amp;` is `&`: web pages show them so.
enum NameValueRequests {
  /// The lines of one request, without what stands around its pairs.
  private struct Lines {
    var pieces: [(line: Int, bytes: ArraySlice<UInt8>)] = []
    var names: Set<[UInt8]> = []
    var firstName: FieldName?
    var quote: UInt8?
    var goesOn = false
    var count = 0
  }

  /// Hands out the requests of a text, in order.
  static func read(_ text: [UInt8], _ take: (RequestFields) -> Void) {
    var current = Lines()
    func end() {
      if !current.pieces.isEmpty { take(fields(of: current)) }
      current = Lines()
    }
    var at = 0
    var line = 0
    while at < text.count {
      let lineEnd = text[at...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      let whole = trimmed(withCurrency(text[at..<lineEnd]))
      at = lineEnd + 1
      line += 1
      guard !whole.isEmpty else {
        end()
        continue
      }
      guard let bytes = withoutCommand(whole) else { continue }
      if !belongs(bytes, to: current) { end() }
      if add(bytes, line: line, to: &current) { end() }
    }
    end()
  }

  // MARK: Lines

  private static func belongs(_ bytes: ArraySlice<UInt8>, to current: Lines) -> Bool {
    guard !current.pieces.isEmpty, !current.goesOn else { return true }
    let pairs = bytes.split(separator: UInt8(ascii: "&"))
    guard let first = pairs.first.map({ FieldName(decodedName($0)) }) else { return true }
    if bytes.first == UInt8(ascii: "&") { return first != current.firstName }
    return pairs.count == 1 && !current.names.contains(first.text)
  }

  /// Adds a line to a request; whether it ends it, by the quote that the request began with.
  private static func add(_ whole: ArraySlice<UInt8>, line: Int, to current: inout Lines) -> Bool {
    var bytes = whole
    if current.pieces.isEmpty, let first = bytes.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      current.quote = first
      bytes = bytes.dropFirst()
    }
    let closes = current.quote != nil && bytes.last == current.quote
    if closes { bytes = bytes.dropLast() }
    let isSpliced = bytes.last == UInt8(ascii: "\\")
    if isSpliced { bytes = bytes.dropLast() }
    current.goesOn = isSpliced || bytes.last == UInt8(ascii: "&")
    current.count += whole.count + 1
    // Of a request that is too long the first line is enough: it tells where it stands.
    guard current.count <= Limits.requestBytes || current.pieces.isEmpty else { return closes }
    current.pieces.append((line, bytes))
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let name = FieldName(decodedName(pair))
      if current.firstName == nil { current.firstName = name }
      current.names.insert(name.text)
    }
    return closes
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop(while: isSpace)
    while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
    return bytes
  }

  /// What a line of a curl command, or an address, holds of pairs; nil where it holds none.
  private static func withoutCommand(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let isAddress = line.starts(with: "https://".utf8) || line.starts(with: "http://".utf8)
    guard isAddress || line.starts(with: "curl ".utf8) || line.starts(with: "-".utf8) else { return line }
    if isAddress, let query = line.firstIndex(of: UInt8(ascii: "?")) { return line[(query + 1)...] }
    let option = Array(" -d".utf8)
    guard let start = line.indices.dropLast(2).first(where: { line[$0...].starts(with: option) }) else { return nil }
    let rest = trimmed(line[(start + option.count)...])
    return rest.isEmpty || rest == [UInt8(ascii: "\\")] ? nil : rest
  }

  /// A line with `&currencyCode` where a browser took its beginning for the sign `&curren;`.
  private static func withCurrency(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard line.contains(0xC2) else { return line }
    let mangled = Array("\u{A4}cyCode=".utf8)
    var mended: [UInt8] = []
    var at = line.startIndex
    while at < line.endIndex {
      let isMangled = line[at...].starts(with: mangled)
      mended += isMangled ? Array("&currencyCode=".utf8) : [line[at]]
      at += isMangled ? mangled.count : 1
    }
    return mended[...]
  }

  // MARK: Pairs

  private static func fields(of lines: Lines) -> RequestFields {
    var request = RequestFields(line: lines.pieces[0].line)
    if lines.count > Limits.requestBytes {
      request.fault("", "a request has more than \(Limits.requestBytes) bytes", line: request.line)
      return request
    }
    for (line, bytes) in lines.pieces {
      for pair in bytes.split(separator: UInt8(ascii: "&")) { take(pair, line: line, into: &request) }
    }
    return request
  }

  private static func take(_ pair: ArraySlice<UInt8>, line: Int, into request: inout RequestFields) {
    let name = FieldName(decodedName(pair))
    let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
    guard let value = decoded(pair[equals...].dropFirst()), decoded(pair[..<equals]) != nil else {
      return request.fault(
        name.shown, "has a percent sign without two hexadecimal digits behind it, or is not UTF-8", line: line)
    }
    request.take(name, value, line: line)
  }

  /// The name of a pair, as well as it can be read.
  private static func decodedName(_ pair: ArraySlice<UInt8>) -> [UInt8] {
    var name = trimmed(pair[..<(pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex)])
    if name.starts(with: "amp;".utf8) { name = name.dropFirst(4) }
    return decoded(name) ?? Array(name)
  }

  /// A name or value without its percent escapes and with spaces for plus signs; nil where that gives no UTF-8.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      switch bytes[at] {
      case UInt8(ascii: "+"): text.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard at + 2 < bytes.endIndex, let high = digit(bytes[at + 1]), let low = digit(bytes[at + 2]) else {
          return nil
        }
        text.append(high << 4 | low)
        at += 2
      default: text.append(bytes[at])
      }
      at += 1
    }
    return UTF8Text.isWellFormed(text) ? text : nil
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension UTF8Text {
  /// Whether an array is UTF-8.
  static func isWellFormed(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return true }
      return isValid(start, count: bytes.count)
    }
  }
}
