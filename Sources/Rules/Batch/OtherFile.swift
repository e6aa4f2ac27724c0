import Text

/// Describes, from its first bytes, a file that is not a batch.
enum OtherFile {
  private static let frameMagic: [UInt8] = [0x04, 0x22, 0x4D, 0x18]

  /// Words for a message. Text from the file is escaped, and left out from its first digit on: it may be a card number.
  ///
  /// - Parameter notUTF8: the number of its records that are not UTF-8.
  static func described(_ beginning: [UInt8], notUTF8: Int = 0) -> String {
    let flipped = zip(beginning, frameMagic).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
    if beginning.count >= 4, flipped <= 4 {
      return "it begins like LZ4, except for \(flipped) \(flipped == 1 ? "bit" : "bits"): a damaged LZ4 file"
    }
    let text = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning.dropFirst(3) : beginning[...]
    let start = text.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    if start.first == UInt8(ascii: "{") || ForeignEncoding(wide: Array(start)) != nil {
      let line = Array(start.prefix { $0 != 0x0A })
      let isCut = line.count == start.count && beginning.count >= BatchBeginning.length
      guard let fault = LineFault(of: line, named: "the first line", isCut: isCut) else {
        let others = notUTF8 > 0 ? "\(notUTF8) \(notUTF8 == 1 ? "is" : "are") not UTF-8; " : ""
        return others + "settle validate says what is wrong with each"
      }
      return fault.words + (fault.encoding.map { " (iconv -f \($0.iconvName) -t UTF-8 converts it)" } ?? "")
    }
    if start.prefix(99).contains(where: { $0 < 0x20 && !(0x09...0x0D ~= $0) }) {
      let digits = beginning.prefix(8).map { String(UInt16($0) + 0x100, radix: 16, uppercase: true).dropFirst() }
      return "it begins with the bytes \(digits.joined(separator: " ")), which are not text"
    }
    let line = start.prefix { $0 >= 0x20 }
    let words = line.prefix { ASCIIClass.of($0) & ASCIIClass.digit == 0 }
    if words.isEmpty, !line.isEmpty { return "it begins with a digit" }
    let shown = MessageText.quoted(words + (words.count < line.count ? "..." : "").utf8, limit: 40)
    if let separator = CSV.separator(of: start) {
      return "it begins with \(shown): CSV with \(separator) between the fields, which a batch is not"
    }
    return "it begins with \(shown)" + (start.first == UInt8(ascii: "<") ? ": a web page, or XML" : "")
  }
}
