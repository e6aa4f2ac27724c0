/// Files that look like CSV where something else was expected.
extension CSV {
  /// What separates the fields of a text that looks like CSV, in words; nil if it looks like something else.
  ///
  /// Its first two lines that are not empty have the same number of separators, one or more, outside of quotes. The
  /// first one has none of the characters of JSON and of name-value pairs.
  public static func separator(of text: some Sequence<UInt8>) -> String? {
    let lines = Array(text.prefix(mostLooked)).split { $0 == 0x0A || $0 == 0x0D }.prefix(2).map(Array.init)
    guard lines.count == 2, !lines[0].contains(where: { "{[=<".utf8.contains($0) }) else { return nil }
    let separators: [(byte: Character, words: String)] = [(";", "semicolons"), (",", "commas"), ("\t", "tabs")]
    return separators.first { separator, _ in
      let counts = lines.map { count(of: separator, in: $0) }
      return counts[0] > 0 && counts[0] == counts[1]
    }?.words
  }

  private static let mostLooked = 4096

  private static func count(of separator: Character, in line: [UInt8]) -> Int {
    var isQuoted = false
    return line.count { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return !isQuoted && byte == separator.asciiValue
    }
  }
}
