import Text

/// Why a payment came back, in the bank's code.
enum AnswerReason {
  /// A payment was sent twice: the payee may have the money.
  private static let sentTwice = codes(["R24", "AM05", "DUPL", "DU01", "DU02", "DU03", "DU04", "DU05", "ARDT"])
  /// Banks dispute a return with each other.
  private static let disputed = codes(["R61", "R62"] + (67...77).map { "R\($0)" })
  static let notStated = Array("NOT_STATED".utf8)
  /// The reason of a file that the bank never got, which only a person gives (`payouts.md`).
  private static let notSent = Array("NOT_SENT".utf8)
  private static let mostCharacters = 35

  private static func codes(_ codes: [String]) -> Set<[UInt8]> { Set(codes.map { Array($0.utf8) }) }

  /// The code of an answer that a person must decide about; nil for other reasons. Words behind the reason's code do
  /// not count.
  static func code(_ reason: [UInt8]) -> AnswerCode? {
    let word = reason.prefix { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }
    if sentTwice.contains(word) { return .sentTwice }
    return disputed.contains(word) ? .disputed : nil
  }

  /// The one of several that decides: what needs a person first, otherwise the first.
  static func deciding(_ reasons: [[UInt8]]) -> [UInt8]? {
    reasons.first { code($0) == .sentTwice } ?? reasons.first { code($0) == .disputed } ?? reasons.first
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

  /// A bank's reason, which is never that of a file that the bank never got.
  static func ofBank(_ text: [UInt8]?) -> [UInt8] {
    let listed = listed(text)
    return listed == notSent ? listed + [UInt8(ascii: "_")] : listed
  }
}
