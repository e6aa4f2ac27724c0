extension PayRequest {
  /// Takes the pairs of a text: `name=value`, separated by `&` or line ends.
  ///
  /// A `#` after white space begins a comment, as in PayPal's How-To pages, unless a pair follows it in its line.
  /// `&amp;` is read as `&`, because web pages show it that way.
  init(pairs text: SourceText, operation: String = "Pay") {
    self.init(line: text.firstLine, operation: operation)
    guard text.bytes.count <= Limits.requestBytes else {
      fault(Limits.invalidRequest, "", "a request has more than \(Limits.requestBytes) bytes")
      return
    }
    for line in text.bytes.split(separator: UInt8(ascii: "\n")) {
      let whole = line.trimmed
      let kept = Self.withoutComment(whole)
      for pair in kept.split(separator: UInt8(ascii: "&")) {
        let isCut = kept.endIndex < whole.endIndex && pair.endIndex == kept.endIndex
        readPair(pair, isCut: isCut, line: text.line(at: pair.startIndex))
      }
    }
  }

  private mutating func readPair(_ pair: ArraySlice<UInt8>, isCut: Bool, line: Int) {
    let name = Self.name(of: pair)
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
      guard !name.text.isEmpty else { return }
      return note(name.shown, "is not carried over: it has no =; an & within a value is written %26", line: line)
    }
    let written = pair[(equals + 1)...]
    guard let value = written.percentDecoded(plus: 0x20), pair[..<equals].percentDecoded() != nil else {
      return fault(
        Limits.invalidRequest, name.shown,
        "has a percent sign without two hexadecimal digits after it, or is not UTF-8", line: line)
    }
    let plus = written.firstIndex(of: UInt8(ascii: "+"))
    set(name, value, line: line, plus: plus.map { $0 == written.startIndex ? .first : .later })
    if isCut, [.name("memo"), .name("trackingId"), .name("invoiceId")].contains(name.parts.last) {
      note(name.shown, "ends before the #, after which a comment begins; a # of a value is written %23", line: line)
    }
  }

  private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let mark = line.indices.first { line[$0] == UInt8(ascii: "#") && ($0 == line.startIndex || line[$0 - 1].isSpace) }
    guard let mark else { return line }
    let comment = line[mark...]
    let hasPair = comment.firstIndex(of: UInt8(ascii: "&")).map { comment[$0...].contains(UInt8(ascii: "=")) } ?? false
    return hasPair && mark > line.startIndex ? line : line[..<mark].trimmed
  }

  /// The name of a pair; undecoded if it cannot be decoded.
  static func name(of pair: ArraySlice<UInt8>) -> FieldName {
    var name = pair.prefix { $0 != UInt8(ascii: "=") }.trimmed
    if name.starts(with: "amp;".utf8) { name = name.dropFirst(4) }
    return FieldName(String(decoding: name.percentDecoded(plus: 0x20) ?? Array(name), as: UTF8.self))
  }
}
