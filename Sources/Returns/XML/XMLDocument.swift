import Text

/// Reads one XML document, piece by piece.
final class XMLDocument {
  private static let mostLevels = 64
  private static let mostBytesOfText = 1_024

  private let intake: AnswerIntake
  private let linesBefore: Int
  /// Whether no document comes before it in the file.
  private let isFirst: Bool
  private lazy var parser = XMLParser(self)
  private var fault: AnswerFault?
  /// The place of its format in `AnswerFormat.all`, once it is known.
  private(set) var format: Int?

  private var depth = Depth()
  /// The root element of the document; empty before it.
  private var root: (name: [UInt8], line: Int) = ([], 1)
  private var names = DocumentNames()
  private var state = State.outside
  /// Whether there is a `Document`.
  private var hasDocument = false
  /// For each level the element that is open, in the tree of the reader.
  private var nodes = [Int](repeating: ElementTree.skipped, count: mostLevels + 1)
  private var text: [UInt8] = []

  private enum State {
    case outside
    /// In a `Document` of a level, before its first child.
    case document(level: Int)
    /// In or after its first child.
    case kind(Reading)

    /// The level of the `Document`; nil outside of one.
    var level: Int? {
      switch self {
      case .outside: nil
      case .document(let level): level
      case .kind(let reading): reading.level
      }
    }
  }

  /// The first child of a `Document` of a level, and the elements in it that its reader reads.
  private final class Reading {
    let level: Int
    let reader: any DocumentReader
    let tree: ElementTree

    init(level: Int, _ reader: any DocumentReader) { (self.level, self.reader, tree) = (level, reader, reader.tree) }
  }

  /// Where the document is.
  private struct Depth {
    private(set) var level = 0
    /// The level of the innermost element that is read. Elements in its children that are not read are only counted.
    var read = Int.max

    /// An element begins; true if it must be looked at.
    mutating func begin() -> Bool {
      level += 1
      return level - 1 <= read || level > mostLevels
    }

    /// An element ends; true if it must be looked at.
    mutating func end() -> Bool {
      if level - 1 <= read { return true }
      level -= 1
      return false
    }

    /// An element that was looked at has ended.
    mutating func leave() { level -= 1 }
  }

  init(_ intake: AnswerIntake, linesBefore: Int, isFirst: Bool) {
    (self.intake, self.linesBefore, self.isFirst) = (intake, linesBefore, isFirst)
  }

  /// The byte after it, counted from its beginning, once it is parsed.
  var byteEnd: Int { parser.end }

  var lineFeeds: Int { parser.line - 1 }

  /// Parses a piece; true if it has the end of the document.
  func parse(_ piece: ArraySlice<UInt8>, isLast: Bool) throws(ReadingStop) -> Bool {
    var outcome = parser.parse(piece, isLast: false)
    if isLast, case .goesOn = outcome { outcome = parser.parse([], isLast: true) }
    switch outcome {
    case .goesOn: return false
    case .suspended: return true
    case .stopped: break
    case .unknownEncoding:
      fail(
        .xmlEncoding,
        "the encoding is not read; expected UTF-8, UTF-16, US-ASCII, ISO-8859-1, ISO-8859-15 or windows-1252")
    case .lacksElement where root.name.isEmpty && !isFirst:
      // Comments after the last document.
      return false
    case .lacksElement, .malformed:
      if fault == nil {
        fail(.malformedXML, isLast ? "the document is cut short or not well-formed" : "the document is not well-formed")
      }
    }
    throw .fault(fault!)
  }

  private func fail(_ code: AnswerFault.Code, line: Int? = nil, _ message: String) {
    fault = AnswerFault(line: line ?? currentLine, code: code, message: message)
    parser.stop()
  }

  private var currentLine: Int { linesBefore + parser.line }

  private func failKind(_ name: [UInt8], line: Int) {
    let isIntraday = name.elementsEqual("BkToCstmrAcctRpt".utf8)
    fail(
      .answerKind, line: line,
      "the document is \(MessageText.quoted(name))"
        + (isIntraday
          ? " (camt.052): reports of a day that has not ended are not final; give camt.053 or camt.054"
          : "; expected \(AnswerFormat.documents)"))
  }

  // MARK: Elements

  func begin(_ tag: XMLTag) {
    names.add(tag)
    if names.areTooMany { tooManyNames() }
    if depth.begin() { look(at: tag, depth.level) }
  }

  private func look(at tag: XMLTag, _ level: Int) {
    guard fault == nil else { return }
    guard level <= Self.mostLevels else {
      return fail(.xmlLimit, "the elements have more than \(Self.mostLevels) levels")
    }
    switch state {
    case .outside: beginOutside(tag, level)
    case .document: beginKind(tag, level)
    case .kind(let reading): if level > reading.level + 1 { beginElement(tag, level, reading) }
    }
  }

  private func beginOutside(_ tag: XMLTag, _ level: Int) {
    let name = tag.localBytes
    if level == 1 { root = (name, currentLine) }
    guard name.elementsEqual("Document".utf8) else { return }
    (state, hasDocument, depth.read) = (.document(level: level), true, level)
  }

  private func beginKind(_ tag: XMLTag, _ level: Int) {
    let name = tag.localBytes
    for (place, format) in AnswerFormat.all.enumerated() {
      guard case .document(let child, let makeReader) = format.reading, child.utf8.elementsEqual(name) else { continue }
      self.format = self.format ?? place
      let reader = makeReader(intake, place)
      state = .kind(Reading(level: level - 1, reader))
      (nodes[level], depth.read) = (ElementTree.root, level)
      return reader.beginDocument(line: currentLine)
    }
    failKind(name, line: currentLine)
  }

  private func beginElement(_ tag: XMLTag, _ level: Int, _ reading: Reading) {
    parser.passesText = false
    let node = reading.tree.child(of: nodes[level - 1], tag.localName)
    guard node != ElementTree.skipped else { return }
    nodes[level] = node
    depth.read = level
    if let part = reading.tree.part(node) {
      reading.reader.begin(part, line: { currentLine }, attribute: { tag.attribute($0) })
    }
    text.removeAll(keepingCapacity: true)
    parser.passesText = reading.tree.hasText(node)
  }

  func text(_ piece: Span<UInt8>) {
    guard fault == nil else { return }
    guard text.count + piece.count <= Self.mostBytesOfText else {
      return fail(.xmlLimit, "a text that is read has more than \(Self.mostBytesOfText) bytes")
    }
    for place in piece.indices { text.append(piece[place]) }
  }

  func end() {
    if depth.end() { leave(depth.level) }
  }

  private func leave(_ level: Int) {
    guard fault == nil else { return }
    switch state {
    case .kind(let reading) where level > reading.level:
      if depth.read == level {
        do throws(AnswerFault) { try end(nodes[level], reading) } catch {
          fault = error
          return parser.stop()
        }
        depth.read = level - 1
        text.removeAll(keepingCapacity: true)
      }
    case .kind(let reading) where level == reading.level: (state, depth.read) = (.outside, .max)
    case .document: return failKind(Array("Document".utf8), line: currentLine)
    default: break
    }
    depth.leave()
    guard level > 1 else {
      return hasDocument ? parser.stop(isSuspended: true) : failKind(root.name, line: root.line)
    }
    passText(level - 1)
  }

  /// An element has ended, and the text of the one of a level that it is in goes on.
  private func passText(_ level: Int) {
    if case .kind(let reading) = state, level > reading.level {
      parser.passesText = reading.tree.hasText(nodes[level])
    } else {
      parser.passesText = false
    }
  }

  private func end(_ node: Int, _ reading: Reading) throws(AnswerFault) {
    if node == ElementTree.root {
      try reading.reader.endDocument()
    } else if let part = reading.tree.part(node) {
      try reading.reader.end(part, text: reading.tree.hasText(node) ? GivenText.of(text) : nil)
    }
  }

  func doctype() {
    if fault == nil { fail(.xmlDoctype, "a DOCTYPE is not allowed, as it could bring in other files") }
  }

  func tooManyNames() {
    guard fault == nil else { return }
    fail(
      .xmlLimit,
      "the document has too many different names of elements and attributes; a bank's has a few hundred")
  }

  func tooLong() {
    guard fault == nil else { return }
    fail(.xmlLimit, "a tag, comment or instruction has more than \(XMLParser.mostBytesOfTag) bytes")
  }
}
