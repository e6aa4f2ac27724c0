import Text

/// What a file seems to be that is no batch, by its first bytes.
enum OtherFile {
  private static let frameMagic: [UInt8] = [0x04, 0x22, 0x4D, 0x18]

  /// Words for a message, nothing from the file raw in them, and no digits of a text: they may be those of a card.
  static func described(_ beginning: [UInt8]) -> String {
    let flipped = zip(beginning, frameMagic).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
    if beginning.count >= 4, flipped <= 4 {
      return "it begins like LZ4, but for \(flipped) \(flipped == 1 ? "bit" : "bits"): a damaged LZ4 file"
    }
    let start = beginning.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    if start.contains(where: { $0 < 0x20 && !(0x09...0x0D ~= $0) }) {
      let digits = beginning.prefix(8).map { String(UInt16($0) + 0x100, radix: 16, uppercase: true).dropFirst() }
      return "it begins with the bytes \(digits.joined(separator: " ")), which are no text"
    }
    let line = start.prefix { $0 >= 0x20 }
    let words = line.prefix { ASCIIClass.of($0) & ASCIIClass.digit == 0 }
    if words.isEmpty, !line.isEmpty { return "it begins with a digit" }
    let shown = MessageText.identifier(words + (words.count < line.count ? "..." : "").utf8, limit: 40)
    return "it begins with \(shown)" + (start.first == UInt8(ascii: "<") ? ": a web page, or XML" : "")
  }
}
