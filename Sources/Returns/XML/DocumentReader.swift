/// Reads the answers of one kind of document from the elements of its tree.
protocol DocumentReader: AnyObject {
  var tree: ElementTree { get }

  /// The first child of `Document` begins.
  func beginDocument(line: Int)
  /// An element begins.
  ///
  /// - Parameters:
  ///   - line: returns its line.
  ///   - attribute: returns the value of an attribute.
  func begin(_ part: Int, line: () -> Int, attribute: (StaticString) -> [UInt8]?)
  /// An element ends.
  ///
  /// - Parameter text: without white space at its ends; nil if it is not given or not read.
  func end(_ part: Int, text: [UInt8]?) throws(AnswerFault)
  /// The first child of `Document` ends.
  func endDocument() throws(AnswerFault)
}

/// A text of an answer that need not be there.
enum GivenText {
  /// A text without white space at its ends; nil if it says that nothing is given.
  static func of(_ text: [UInt8]) -> [UInt8]? {
    var text = text.drop(while: AnswerSource.isSpace)
    while let last = text.last, AnswerSource.isSpace(last) { text = text.dropLast() }
    return text.isEmpty || words.contains { isWord(text, $0) } ? nil : Array(text)
  }

  private static let words = [Array("NOTPROVIDED".utf8), Array("NONREF".utf8)]

  /// Whether a text is a word of capital letters, in any letter case.
  private static func isWord(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
    text.count == word.count && zip(text, word).allSatisfy { $0 & 0xDF == $1 }
  }
}

/// The reasons in one place of an answer, of which one decides.
struct GivenReasons {
  private var reasons: [[UInt8]] = []
  private var (code, proprietary): ([UInt8]?, [UInt8]?) = (nil, nil)

  mutating func beginReason() { (code, proprietary) = (nil, nil) }
  mutating func keep(code text: [UInt8]?) { code = code ?? text }
  mutating func keep(proprietary text: [UInt8]?) { proprietary = proprietary ?? text }
  mutating func endReason() { if let reason = code ?? proprietary { reasons.append(reason) } }

  var deciding: [UInt8]? { AnswerReason.deciding(reasons) }
}
