import Text

/// Reads the JSON values of a text one by one, as trees.
public struct JSONReader {
  /// The maximum depth of objects and arrays, the same as for a record.
  static let maximumDepth = 64

  /// The reader's position.
  public var offset = 0
  /// The offset at which the reader stops.
  public var end: Int
  /// The offsets of the strings, numbers and words of the last value, in order, without names.
  public private(set) var scalarOffsets: [Int] = []
  private let text: [UInt8]
  private let skipsComments: Bool
  /// Whether values are kept; if not, they are only checked, and take no memory.
  private var keepsValues = true
  private var depth = 0

  /// - Parameter skipsComments: whether comments after `//` and `#`, and between `/*` and `*/`, count as white space.
  public init(_ text: [UInt8], skipsComments: Bool = false) {
    self.text = text
    self.skipsComments = skipsComments
    end = text.count
  }

  /// Where and why a UTF-8 text is not exactly one RFC 8259 value of at most 64 levels; nil if it is one.
  public static func fault(in text: [UInt8]) -> JSONTree.SyntaxError? {
    var reader = JSONReader(text)
    reader.keepsValues = false
    do throws(JSONTree.SyntaxError) {
      _ = try reader.next()
      try reader.expectEnd()
      return nil
    } catch {
      return error
    }
  }

  /// Throws if anything but white space follows.
  mutating func expectEnd() throws(JSONTree.SyntaxError) {
    skipSpace()
    guard byte == nil else { throw failure("the end of the text") }
  }

  /// The next byte; nil at the end.
  public var byte: UInt8? { offset < end ? text[offset] : nil }

  /// Reads the next value, with white space before it.
  public mutating func next() throws(JSONTree.SyntaxError) -> JSONTree {
    depth = 0
    scalarOffsets = []
    return try readValue()
  }

  /// Skips white space and line ends.
  public mutating func skipSpace() {
    while let byte {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      case UInt8(ascii: "/") where skipsComments, UInt8(ascii: "#") where skipsComments:
        guard skipComment() else { return }
      default: return
      }
    }
  }

  /// Skips a comment. Returns false if none begins here, or if it is not closed.
  private mutating func skipComment() -> Bool {
    let rest = text[offset..<end]
    if rest.starts(with: "/*".utf8) {
      var place = offset + 2
      while place + 1 < end, text[place] != UInt8(ascii: "*") || text[place + 1] != UInt8(ascii: "/") { place += 1 }
      guard place + 1 < end else { return false }
      offset = place + 2
    } else {
      guard rest.first == UInt8(ascii: "#") || rest.starts(with: "//".utf8) else { return false }
      offset = rest.firstIndex(of: UInt8(ascii: "\n")) ?? end
    }
    return true
  }

  func failure(_ expected: String) -> JSONTree.SyntaxError {
    JSONTree.SyntaxError(offset: offset, expected: expected)
  }

  private mutating func skip(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    offset += 1
    return true
  }

  private mutating func readValue() throws(JSONTree.SyntaxError) -> JSONTree {
    skipSpace()
    switch byte {
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
    default: break
    }
    if keepsValues { scalarOffsets.append(offset) }
    switch byte {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return .number(try readNumber())
    }
  }

  private mutating func readWord(_ word: String, _ value: JSONTree) throws(JSONTree.SyntaxError) -> JSONTree {
    for expected in word.utf8 where !skip(expected) {
      throw failure("a value")
    }
    return value
  }

  // MARK: Objects and arrays

  private mutating func readObject() throws(JSONTree.SyntaxError) -> JSONTree {
    var fields: [(name: [UInt8], value: JSONTree)] = []
    guard try !open(closing: UInt8(ascii: "}")) else { return .object(fields) }
    repeat {
      skipSpace()
      guard byte == UInt8(ascii: "\"") else { throw failure("a name in quotes") }
      let name = try readString()
      skipSpace()
      guard skip(UInt8(ascii: ":")) else { throw failure("a colon") }
      let value = try readValue()
      if keepsValues { fields.append((name: name, value: value)) }
      skipSpace()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw failure("a comma or a closing brace") }
    depth -= 1
    return .object(fields)
  }

  private mutating func readArray() throws(JSONTree.SyntaxError) -> JSONTree {
    var elements: [JSONTree] = []
    guard try !open(closing: UInt8(ascii: "]")) else { return .array(elements) }
    repeat {
      let element = try readValue()
      if keepsValues { elements.append(element) }
      skipSpace()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw failure("a comma or a closing bracket") }
    depth -= 1
    return .array(elements)
  }

  /// Skips an opening bracket. Returns whether it is closed at once.
  private mutating func open(closing: UInt8) throws(JSONTree.SyntaxError) -> Bool {
    guard depth < Self.maximumDepth else { throw failure("at most \(Self.maximumDepth) levels") }
    offset += 1
    skipSpace()
    if skip(closing) { return true }
    depth += 1
    return false
  }

  // MARK: Strings and numbers

  private mutating func readString() throws(JSONTree.SyntaxError) -> [UInt8] {
    offset += 1
    let start = offset
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw failure("a control character to be escaped") }
      offset += 1
      if byte == UInt8(ascii: "\\") { try skipEscape() }
    }
    guard byte != nil else { throw failure("a closing quote") }
    var characters: [UInt8] = []
    if keepsValues {
      let written = text.span.extracting(start..<offset)
      guard UTF8Text.isValid(written) else { throw failure("UTF-8") }
      characters = UTF8Text.unescaped(written)
    }
    offset += 1
    return characters
  }

  private mutating func skipEscape() throws(JSONTree.SyntaxError) {
    guard let byte, "\"\\/bfnrtu".utf8.contains(byte) else { throw failure("an escape") }
    offset += 1
    guard byte == UInt8(ascii: "u") else { return }
    let unit = try readHexadecimal()
    if unit & 0xF800 != 0xD800 { return }
    guard unit < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")), try readHexadecimal() & 0xFC00 == 0xDC00
    else { throw failure("a surrogate pair") }
  }

  private mutating func readHexadecimal() throws(JSONTree.SyntaxError) -> UInt32 {
    guard offset + 4 <= end, let unit = UTF8Text.hexadecimal(text.span, at: offset) else {
      throw failure("four hexadecimal digits")
    }
    offset += 4
    return unit
  }

  private mutating func readNumber() throws(JSONTree.SyntaxError) -> [UInt8] {
    let start = offset
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try readDigits(else: "a value") }
    if skip(UInt8(ascii: ".")) { try readDigits(else: "a digit") }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      try readDigits(else: "a digit")
    }
    return keepsValues ? Array(text[start..<offset]) : []
  }

  private mutating func readDigits(else expected: String) throws(JSONTree.SyntaxError) {
    guard let first = byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else { throw failure(expected) }
    while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
  }
}
