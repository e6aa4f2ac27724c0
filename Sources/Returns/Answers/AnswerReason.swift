import Text

/// Why a payment came back, in the bank's code.
enum AnswerReason {
  /// A payment was sent twice: the payee may have the money.
  static let sentTwice = codes(["R24", "AM05", "DUPL", "DU01", "DU02", "DU03", "DU04", "DU05", "ARDT"])
  /// Banks dispute a return with each other.
  static let disputed = codes(["R61", "R62"] + (67...77).map { "R\($0)" })
  static let notStated = Array("NOT_STATED".utf8)
  private static let mostCharacters = 35

  private static func codes(_ codes: [String]) -> Set<[UInt8]> { Set(codes.map { Array($0.utf8) }) }

  /// The one of several that decides: what needs a person first, otherwise the first.
  static func deciding(_ reasons: [[UInt8]]) -> [UInt8]? {
    reasons.first(where: sentTwice.contains) ?? reasons.first(where: disputed.contains) ?? reasons.first
  }

  /// A reason in the form that a list of returned payments takes.
  ///
  /// - Parameter text: UTF-8; nil if none is given.
  static func listed(_ text: [UInt8]?) -> [UInt8] {
    guard let text, !text.isEmpty else { return notStated }
    var listed: [UInt8] = []
    for byte in text where byte & 0xC0 != 0x80 {
      guard listed.count < mostCharacters else { break }
      listed.append(ASCIIClass.of(byte) & ASCIIClass.identifier != 0 ? byte : UInt8(ascii: "_"))
    }
    return listed
  }
}
