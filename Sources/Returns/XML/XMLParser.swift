import CExpat

/// The calls of expat, which parses a document piece by piece. All raw memory of reading XML is here.
///
/// Namespaces are not processed, so that prefixes need not be declared; elements have their local names.
///
/// (Unsafe: `parser` belongs to this object, which frees it. `handler` lives longer than it. What expat passes to the
/// handler is valid during that call, and the handler keeps nothing of it.)
@safe
final class XMLParser {
  /// The most bytes of a tag, a comment or a processing instruction.
  static let mostBytesOfTag = 65_536
  /// The most bytes that expat may use. Its table of the names in a document takes less.
  private static let mostMemory = 64 << 20

  /// How parsing a piece ended.
  enum Outcome {
    /// Everything is parsed, up to a tag that is not complete yet.
    case goesOn
    /// The handler suspended the parser after the root element.
    case suspended
    /// The handler stopped the parser.
    case stopped
    /// An encoding that is not read.
    case unknownEncoding
    /// There is no element, only white space and comments.
    case lacksElement
    /// The document is not well-formed.
    case malformed
  }

  private let parser: XML_Parser
  private let handler: Unmanaged<XMLDocument>
  private var fed = 0
  /// What expat had in use before the parser was made.
  private let memoryBefore = cexpat_memory()

  /// - Parameter handler: receives the document; it must live longer. Nothing is called after it has stopped the parser.
  init(_ handler: XMLDocument) {
    guard let parser = unsafe cexpat_create() else { fatalError("out of memory: a parser of XML") }
    unsafe (self.parser, self.handler) = unsafe (parser, .passUnretained(handler))
    // Callbacks are given the parser, which begins with the handler.
    unsafe XML_SetUserData(parser, self.handler.toOpaque())
    unsafe XML_UseParserAsHandlerArg(parser)
    unsafe XML_SetElementHandler(
      parser,
      { parser, name, attributes in
        unsafe XMLParser.call(parser, isTag: true) { unsafe $0.begin(XMLTag(name: name!, attributes: attributes!)) }
      }, { parser, _ in unsafe XMLParser.call(parser, isTag: true) { $0.end() } })
    unsafe XML_SetStartDoctypeDeclHandler(parser) { parser, _, _, _, _ in
      unsafe XMLParser.call(parser, isTag: false) { $0.doctype() }
    }
    unsafe XML_SetCommentHandler(parser) { parser, _ in unsafe XMLParser.call(parser, isTag: true) { _ in } }
    unsafe XML_SetProcessingInstructionHandler(parser) { parser, _, _ in
      unsafe XMLParser.call(parser, isTag: true) { _ in }
    }
    unsafe XML_SetUnknownEncodingHandler(
      parser,
      { _, name, encoding in
        guard let points = unsafe ByteEncoding.points(of: String(cString: name!)) else {
          return Int32(XML_STATUS_ERROR.rawValue)
        }
        unsafe cexpat_set_encoding(encoding!, points)
        return Int32(XML_STATUS_OK.rawValue)
      }, nil)
  }

  deinit { unsafe XML_ParserFree(parser) }

  /// Passes an event on.
  ///
  /// - Parameter isTag: whether the event is one whose length is limited.
  @inline(__always)
  private static func call(_ parser: UnsafeMutableRawPointer?, isTag: Bool, _ body: (XMLDocument) -> Void) {
    let handler = unsafe Unmanaged<XMLDocument>.fromOpaque(parser!.load(as: UnsafeMutableRawPointer.self))
    // Without retaining the handler for each event, which would take a seventh of the time.
    unsafe handler._withUnsafeGuaranteedRef { handler in
      if isTag, unsafe Int(XML_GetCurrentByteCount(OpaquePointer(parser!))) > mostBytesOfTag { handler.tooLong() }
      body(handler)
    }
  }

  /// Whether the handler is given text. Most text is not read, and passing it on would take a third of the time.
  var passesText = false {
    didSet {
      guard passesText != oldValue else { return }
      guard passesText else { return unsafe XML_SetCharacterDataHandler(parser, nil) }
      unsafe XML_SetCharacterDataHandler(parser) { parser, text, count in
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count)).assumingMemoryBound(to: UInt8.self)
        unsafe XMLParser.call(parser, isTag: false) { unsafe $0.text(bytes.span) }
      }
    }
  }

  /// Parses the next piece of a document.
  ///
  /// - Parameter isLast: whether nothing follows.
  func parse(_ piece: ArraySlice<UInt8>, isLast: Bool) -> Outcome {
    fed += piece.count
    let status = unsafe piece.withUnsafeBytes { bytes in
      unsafe XML_Parse(
        parser, bytes.assumingMemoryBound(to: XML_Char.self).baseAddress, Int32(bytes.count), isLast ? 1 : 0)
    }
    if status == XML_STATUS_SUSPENDED { return .suspended }
    if status == XML_STATUS_OK {
      // What expat could not parse yet belongs to one tag.
      if !isLast, unsafe fed - max(0, Int(XML_GetCurrentByteIndex(parser))) > Self.mostBytesOfTag {
        unsafe handler._withUnsafeGuaranteedRef { $0.tooLong() }
        return .stopped
      }
      guard cexpat_memory() - memoryBefore > Self.mostMemory else { return .goesOn }
      unsafe handler._withUnsafeGuaranteedRef { $0.tooManyNames() }
      return .stopped
    }
    switch unsafe XML_GetErrorCode(parser) {
    case XML_ERROR_ABORTED: return .stopped
    case XML_ERROR_UNKNOWN_ENCODING: return .unknownEncoding
    case XML_ERROR_NO_ELEMENTS: return .lacksElement
    default: return .malformed
    }
  }

  /// Ends parsing with the current event: for good, or until another document is parsed.
  func stop(isSuspended: Bool = false) { unsafe XML_StopParser(parser, isSuspended ? 1 : 0) }

  /// The line of the current event, or the one where parsing ended; from 1.
  var line: Int { unsafe Int(XML_GetCurrentLineNumber(parser)) }

  /// The byte after the current event, counted from the beginning of the document.
  var end: Int { unsafe Int(XML_GetCurrentByteIndex(parser)) + Int(XML_GetCurrentByteCount(parser)) }
}

/// The start tag of an element; it is valid while the handler is called.
///
/// (Unsafe: the name and the values end in a zero byte, and the attributes in a null pointer, as expat promises.)
@safe
struct XMLTag {
  fileprivate let name: UnsafePointer<XML_Char>
  fileprivate let attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>

  var localName: ElementName {
    var (local, next) = unsafe (ElementName(), name)
    while unsafe next.pointee != 0 {
      if unsafe next.pointee == 0x3A {
        local = ElementName()
      } else {
        unsafe local.append(UInt8(bitPattern: next.pointee))
      }
      unsafe next += 1
    }
    return local
  }

  /// Passes on each name, of the element and of its attributes: its length, and a hash that distinguishes it from others.
  func forEachName(_ body: (_ length: Int, _ hash: UInt64) -> Void) {
    unsafe Self.pass(name, body)
    var next = unsafe attributes
    while let key = unsafe next[0] {
      unsafe Self.pass(key, body)
      unsafe next += 2
    }
  }

  private static func pass(_ name: UnsafePointer<XML_Char>, _ body: (_ length: Int, _ hash: UInt64) -> Void) {
    var (length, hash) = (0, UInt64(0xCBF2_9CE4_8422_2325))
    while unsafe name[length] != 0 {
      hash = unsafe (hash ^ UInt64(UInt8(bitPattern: name[length]))) &* 0x0000_0100_0000_01B3
      length += 1
    }
    body(length, hash)
  }

  var localBytes: [UInt8] {
    let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
    return unsafe Array(bytes[(bytes.lastIndex(of: 0x3A).map { $0 + 1 } ?? 0)...])
  }

  /// The value of an attribute; nil if the element has none of that name.
  func attribute(_ name: StaticString) -> [UInt8]? {
    var next = unsafe attributes
    while let key = unsafe next[0], let value = unsafe next[1] {
      if unsafe strcmp(key, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)) == 0 {
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
      }
      unsafe next += 2
    }
    return nil
  }
}
