/// A JSON text as a tree, for the few texts that are read once: fee schedules, headers and trailers.
///
/// Names and strings are bytes, because strings compare canonically equivalent spellings as equal and these must not.
/// Names stand as often as the text has them; numbers stay as written.
public indirect enum JSONTree: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number, as written.
  case number([UInt8])
  /// A string's characters as UTF-8.
  case string([UInt8])
  /// An array.
  case array([JSONTree])
  /// An object's fields, in order.
  case object([(name: [UInt8], value: JSONTree)])

  /// Where and why a text is not JSON.
  public struct SyntaxError: Error, Sendable {
    /// The offset of the first byte that cannot stand there.
    public let offset: Int
    /// What was expected.
    public let expected: String
  }

  /// Reads a text of exactly one RFC 8259 value of at most 64 levels, with white space and line ends around it.
  public init(parsing text: [UInt8]) throws(SyntaxError) {
    var reader = JSONTreeReader(text: text)
    self = try reader.readText()
  }

  /// What it is, for messages: `a string`, `an object`.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

private struct JSONTreeReader {
  let text: [UInt8]
  var at = 0

  mutating func readText() throws(JSONTree.SyntaxError) -> JSONTree {
    guard text.withUnsafeBufferPointer({ UTF8Text.isValid($0.baseAddress ?? emptyText, count: $0.count) }) else {
      throw failure("UTF-8")
    }
    let tree = try readValue(depth: 1)
    skipSpace()
    guard at == text.count else { throw failure("the end of the text") }
    return tree
  }

  private var emptyText: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }

  private func failure(_ expected: String) -> JSONTree.SyntaxError {
    JSONTree.SyntaxError(offset: at, expected: expected)
  }

  private var byte: UInt8? { at < text.count ? text[at] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
  }

  private mutating func take(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    at += 1
    return true
  }

  private mutating func readValue(depth: Int) throws(JSONTree.SyntaxError) -> JSONTree {
    skipSpace()
    guard depth <= RecordScanner.maximumDepth || (byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[")) else {
      throw failure("at most \(RecordScanner.maximumDepth) levels")
    }
    switch byte {
    case UInt8(ascii: "{"): return try readObject(depth: depth)
    case UInt8(ascii: "["): return try readArray(depth: depth)
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return .number(try readNumber())
    }
  }

  private mutating func readWord(_ word: String, _ value: JSONTree) throws(JSONTree.SyntaxError) -> JSONTree {
    for expected in word.utf8 where !take(expected) {
      throw failure("a value")
    }
    return value
  }

  private mutating func readObject(depth: Int) throws(JSONTree.SyntaxError) -> JSONTree {
    at += 1
    var fields: [(name: [UInt8], value: JSONTree)] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(fields) }
    repeat {
      skipSpace()
      guard byte == UInt8(ascii: "\"") else { throw failure("a name in quotes") }
      let name = try readString()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("a colon") }
      fields.append((name: name, value: try readValue(depth: depth + 1)))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure("a comma or a closing brace") }
    return .object(fields)
  }

  private mutating func readArray(depth: Int) throws(JSONTree.SyntaxError) -> JSONTree {
    at += 1
    var elements: [JSONTree] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try readValue(depth: depth + 1))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw failure("a comma or a closing bracket") }
    return .array(elements)
  }

  private mutating func readString() throws(JSONTree.SyntaxError) -> [UInt8] {
    at += 1
    let start = at
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw failure("a control character to be escaped") }
      at += 1
      if byte == UInt8(ascii: "\\") { try skipEscape() }
    }
    guard byte != nil else { throw failure("a closing quote") }
    let end = at
    at += 1
    return text.withUnsafeBufferPointer { all in
      guard start < end, let from = all.baseAddress else { return [] }
      return [UInt8](unsafeUninitializedCapacity: end - start) { characters, count in
        guard let into = characters.baseAddress else { return }
        count = UTF8Text.unescape(from + start, count: end - start, into: into)
      }
    }
  }

  private mutating func skipEscape() throws(JSONTree.SyntaxError) {
    guard let byte else { throw failure("an escape") }
    guard byte == UInt8(ascii: "u") else {
      guard "\"\\/bfnrt".utf8.contains(byte) else { throw failure("an escape") }
      at += 1
      return
    }
    at += 1
    let unit = try readHexadecimal()
    if unit & 0xF800 != 0xD800 { return }
    guard unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), try readHexadecimal() & 0xFC00 == 0xDC00
    else { throw failure("a surrogate pair") }
  }

  private mutating func readHexadecimal() throws(JSONTree.SyntaxError) -> UInt32 {
    let unit =
      at + 4 <= text.count
      ? text.withUnsafeBufferPointer { $0.baseAddress.flatMap { UTF8Text.hexadecimal($0 + at) } } : nil
    guard let unit else { throw failure("four hexadecimal digits") }
    at += 4
    return unit
  }

  private mutating func readNumber() throws(JSONTree.SyntaxError) -> [UInt8] {
    let start = at
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try readDigits() }
    if take(UInt8(ascii: ".")) { try readDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try readDigits()
    }
    return Array(text[start..<at])
  }

  private mutating func readDigits() throws(JSONTree.SyntaxError) {
    let start = at
    while let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { at += 1 }
    guard at > start else { throw failure(start == 0 || text[start - 1] != UInt8(ascii: ".") ? "a value" : "a digit") }
  }
}
