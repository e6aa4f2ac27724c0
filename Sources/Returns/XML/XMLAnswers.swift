import Text

/// Reads the XML documents of a file, one after the other.
final class XMLAnswers: XMLParser.Handler {
  private static let mostLevels = 64
  private static let mostBytesOfText = 1_024

  private let intake: AnswerIntake
  private var parser: XMLParser?
  private var reader: (any DocumentReader)?
  private var fault: AnswerFault?
  /// The format of the first document.
  private(set) var format: Int?

  /// The lines before the document that is parsed.
  private var linesBefore = 0
  private var level = 0
  /// The root element of the document; empty before it.
  private var root: (name: [UInt8], line: Int) = ([], 1)
  /// The level of `Document`; nil outside of it.
  private var documentLevel: Int?
  /// Whether there is a `Document`, and whether the first child of the current one has begun.
  private var (hasDocument, hasChild) = (false, false)
  /// For each level, the element of the reader's tree.
  private var nodes = [Int](repeating: ElementTree.skipped, count: mostLevels + 1)
  private var text: [UInt8] = []
  private var readsText = false

  private init(_ intake: AnswerIntake) { self.intake = intake }

  /// Whether a file begins like an XML document.
  static func begins(_ source: AnswerSource) -> Bool {
    var (space, at) = (DocumentSpace(), 0)
    guard space.skip(source.head, &at, isLast: true) else { return false }
    return source.head[at] == 0x3C || source.head[at...].starts(with: [0x00, 0x3C])
  }

  /// - Returns: the place of the first document's format in `AnswerFormat.all`.
  static func read(_ source: AnswerSource, into intake: AnswerIntake) throws(ReadingStop) -> Int {
    let answers = XMLAnswers(intake)
    try answers.readDocuments(source)
    return answers.format!
  }

  // MARK: Documents

  private func readDocuments(_ source: AnswerSource) throws(ReadingStop) {
    var (space, bytes, piece) = (DocumentSpace(), [UInt8](), [UInt8]())
    // The place in `bytes`, where these are in the file, and where the document begins there.
    var (at, before, beginning) = (0, 0, 0)
    while true {
      try source.next(into: &piece)
      let isLast = piece.isEmpty
      before += at
      bytes.removeFirst(at)
      if bytes.isEmpty { swap(&bytes, &piece) } else { bytes += piece }
      at = 0
      while true {
        if parser == nil {
          let hasNext = space.skip(bytes, &at, isLast: isLast)
          linesBefore += space.takeLines()
          guard hasNext else { break }
          begin()
          beginning = before + at
        }
        guard try parse(bytes[at...], isLast: isLast) else {
          at = bytes.count
          break
        }
        at = beginning + parser!.end - before
        linesBefore += parser!.line - 1
        parser = nil
      }
      if isLast { return }
    }
  }

  private func begin() {
    parser = XMLParser(self)
    (level, root, documentLevel, hasDocument, readsText) = (0, ([], 1), nil, false, false)
  }

  /// Parses a piece; true if it has the end of the document.
  private func parse(_ piece: ArraySlice<UInt8>, isLast: Bool) throws(ReadingStop) -> Bool {
    var outcome = parser!.parse(piece, isLast: false)
    if isLast, case .goesOn = outcome { outcome = parser!.parse([], isLast: true) }
    switch outcome {
    case .goesOn: return false
    case .suspended: return true
    case .stopped: break
    case .unknownEncoding:
      fail(
        .xmlEncoding,
        "the encoding is not read; expected UTF-8, UTF-16, US-ASCII, ISO-8859-1, ISO-8859-15 or windows-1252")
    case .lacksElement where root.name.isEmpty && format != nil:
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
    parser!.stop()
  }

  private var currentLine: Int { linesBefore + parser!.line }

  private func failKind(_ name: [UInt8], line: Int) {
    let isIntraday = name.elementsEqual("BkToCstmrAcctRpt".utf8)
    fail(
      .answerKind, line: line,
      "the document is \(MessageText.quoted(name))"
        + (isIntraday
          ? " (camt.052): reports of a day that has not ended are not final; give camt.053 or camt.054"
          : "; expected pain.002 (CstmrPmtStsRpt), camt.053 (BkToCstmrStmt) or camt.054 (BkToCstmrDbtCdtNtfctn)"))
  }

  // MARK: Elements

  func begin(_ name: Span<UInt8>) {
    guard fault == nil else { return }
    level += 1
    guard level <= Self.mostLevels else {
      return fail(.xmlLimit, "the elements have more than \(Self.mostLevels) levels")
    }
    if level == 1 { root = (Self.bytes(name), currentLine) }
    nodes[level] = ElementTree.skipped
    readsText = false
    if let documentLevel {
      if level > documentLevel + 1 { beginElement(name) } else if !hasChild { beginKind(name) }
    } else if Self.isDocument(name) {
      (documentLevel, hasDocument, hasChild) = (level, true, false)
    }
  }

  private static func bytes(_ name: Span<UInt8>) -> [UInt8] { name.indices.map { name[$0] } }

  private static func isDocument(_ name: Span<UInt8>) -> Bool {
    let wanted: StaticString = "Document"
    return name.count == wanted.utf8CodeUnitCount && bytes(name).elementsEqual(wanted.description.utf8)
  }

  private func beginKind(_ name: Span<UInt8>) {
    hasChild = true
    let name = Self.bytes(name)
    for (place, format) in AnswerFormat.all.enumerated() {
      guard case .document(let child, let makeReader) = format.reading, child.utf8.elementsEqual(name) else { continue }
      self.format = self.format ?? place
      reader = makeReader(intake, place)
      nodes[level] = ElementTree.root
      return reader!.beginDocument(line: currentLine)
    }
    failKind(name, line: currentLine)
  }

  private func beginElement(_ name: Span<UInt8>) {
    let parent = nodes[level - 1]
    guard parent != ElementTree.skipped else { return }
    let tree = reader!.tree
    let node = tree.child(of: parent, name)
    guard node != ElementTree.skipped else { return }
    nodes[level] = node
    if let part = tree.part(node) {
      reader!.begin(part, line: { currentLine }, attribute: { parser!.attribute($0) })
    }
    readsText = tree.hasText(node)
    text.removeAll(keepingCapacity: true)
  }

  func text(_ piece: Span<UInt8>) {
    guard readsText, fault == nil else { return }
    guard text.count + piece.count <= Self.mostBytesOfText else {
      return fail(.xmlLimit, "a text that is read has more than \(Self.mostBytesOfText) bytes")
    }
    for place in piece.indices { text.append(piece[place]) }
  }

  func end() {
    guard fault == nil else { return }
    let node = nodes[level]
    if node != ElementTree.skipped {
      do throws(AnswerFault) { try end(node) } catch {
        fault = error
        return parser!.stop()
      }
    }
    if level == documentLevel {
      documentLevel = nil
      if !hasChild { return failKind(Array("Document".utf8), line: currentLine) }
    }
    level -= 1
    guard level > 0 else {
      return hasDocument ? parser!.stop(isSuspended: true) : failKind(root.name, line: root.line)
    }
    readsText = nodes[level] != ElementTree.skipped && reader!.tree.hasText(nodes[level])
    if node != ElementTree.skipped { text.removeAll(keepingCapacity: true) }
  }

  private func end(_ node: Int) throws(AnswerFault) {
    if node == ElementTree.root {
      try reader!.endDocument()
    } else if let part = reader!.tree.part(node) {
      try reader!.end(part, text: reader!.tree.hasText(node) ? GivenText.of(text) : nil)
    }
  }

  func doctype() {
    if fault == nil { fail(.xmlDoctype, "a DOCTYPE is not allowed, as it could bring in other files") }
  }

  func tooLong() {
    guard fault == nil else { return }
    fail(.xmlLimit, "a tag, comment or instruction has more than \(XMLParser.mostBytesOfTag) bytes")
  }
}
