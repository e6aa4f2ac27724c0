import CExpat

/// The calls of expat, which parses a document piece by piece. All raw memory of reading XML is here.
///
/// Namespaces are not processed, so that prefixes need not be declared; elements have their local names.
final class XMLParser {
  /// The most bytes of a tag, a comment or a processing instruction.
  static let mostBytesOfTag = 65_536

  /// Receives a document. Nothing is called after it has stopped the parser.
  protocol Handler: AnyObject {
    func begin(_ name: Span<UInt8>)
    func text(_ text: Span<UInt8>)
    func end()
    /// A DOCTYPE begins.
    func doctype()
    /// A tag, a comment or a processing instruction has too many bytes.
    func tooLong()
  }

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
  private unowned let handler: any Handler
  private var attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  private var fed = 0

  init(_ handler: any Handler) {
    guard let parser = XML_ParserCreate(nil) else { fatalError("out of memory: a parser of XML") }
    (self.parser, self.handler) = (parser, handler)
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        let parser = XMLParser.of(context)
        parser.attributes = attributes
        parser.begin(name!)
      },
      { context, _ in
        let parser = XMLParser.of(context)
        parser.checkLength()
        parser.handler.end()
      })
    XML_SetCharacterDataHandler(parser) { context, text, count in
      let bytes = UnsafeRawBufferPointer(start: text, count: Int(count)).assumingMemoryBound(to: UInt8.self)
      XMLParser.of(context).handler.text(bytes.span)
    }
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in XMLParser.of(context).handler.doctype() }
    XML_SetCommentHandler(parser) { context, _ in XMLParser.of(context).checkLength() }
    XML_SetProcessingInstructionHandler(parser) { context, _, _ in XMLParser.of(context).checkLength() }
    XML_SetUnknownEncodingHandler(
      parser,
      { _, name, encoding in
        guard let points = ByteEncoding.points(of: String(cString: name!)) else {
          return Int32(XML_STATUS_ERROR.rawValue)
        }
        cexpat_set_encoding(encoding!, points)
        return Int32(XML_STATUS_OK.rawValue)
      }, nil)
  }

  deinit { XML_ParserFree(parser) }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLParser {
    Unmanaged<XMLParser>.fromOpaque(context!).takeUnretainedValue()
  }

  private func begin(_ name: UnsafePointer<XML_Char>) {
    checkLength()
    var (start, count) = (name, 0)
    while start[count] != 0 {
      if start[count] == 0x3A { (start, count) = (start + count + 1, 0) } else { count += 1 }
    }
    let bytes = UnsafeRawBufferPointer(start: start, count: count).assumingMemoryBound(to: UInt8.self)
    handler.begin(bytes.span)
    attributes = nil
  }

  private func checkLength() {
    if Int(XML_GetCurrentByteCount(parser)) > Self.mostBytesOfTag { handler.tooLong() }
  }

  /// The value of an attribute of the element that begins; nil if it has none of that name.
  func attribute(_ name: StaticString) -> [UInt8]? {
    guard var next = attributes else { return nil }
    while let key = next[0], let value = next[1] {
      if strcmp(key, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)) == 0 {
        return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
      }
      next += 2
    }
    return nil
  }

  /// Parses the next piece of a document.
  ///
  /// - Parameter isLast: whether nothing follows.
  func parse(_ piece: ArraySlice<UInt8>, isLast: Bool) -> Outcome {
    fed += piece.count
    let status = piece.withUnsafeBytes { bytes in
      XML_Parse(
        parser, bytes.assumingMemoryBound(to: XML_Char.self).baseAddress, Int32(bytes.count), isLast ? 1 : 0)
    }
    if status == XML_STATUS_SUSPENDED { return .suspended }
    if status == XML_STATUS_OK {
      // What expat could not parse yet belongs to one tag.
      if !isLast, fed - max(0, Int(XML_GetCurrentByteIndex(parser))) > Self.mostBytesOfTag {
        handler.tooLong()
        return .stopped
      }
      return .goesOn
    }
    switch XML_GetErrorCode(parser) {
    case XML_ERROR_ABORTED: return .stopped
    case XML_ERROR_UNKNOWN_ENCODING: return .unknownEncoding
    case XML_ERROR_NO_ELEMENTS: return .lacksElement
    default: return .malformed
    }
  }

  /// Ends parsing with the current event: for good, or until another document is parsed.
  func stop(isSuspended: Bool = false) { XML_StopParser(parser, isSuspended ? 1 : 0) }

  /// The line of the current event, or the one where parsing ended; from 1.
  var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

  /// The byte after the current event, counted from the beginning of the document.
  var end: Int { Int(XML_GetCurrentByteIndex(parser)) + Int(XML_GetCurrentByteCount(parser)) }
}
