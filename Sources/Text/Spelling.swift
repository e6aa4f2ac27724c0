/// Finds the known word that a misspelt one probably means.
public enum Spelling {
  /// The known word nearest to a word, ignoring letter case: at most one edit per four bytes of the word, and at most
  /// two. An edit inserts, removes or replaces a byte. Nil if no word is that near.
  public static func nearest(_ word: [UInt8], among known: [StaticString]) -> StaticString? {
    nearest(word, among: known.map { ($0, bytes($0)) })
  }

  /// The value of a closed list that a word probably means: the nearest, comparing only letters and digits. Either may
  /// lack its first words: `completed` and `PAYMENT_STATUS_COMPLETED` both mean `STATUS_COMPLETED`.
  public static func value(meantBy word: [UInt8], among known: [StaticString]) -> StaticString? {
    let whole = known.map { ($0, letters(bytes($0))) }
    let last = known.flatMap { value in endings(bytes(value)).map { (value, $0) } }
    let word = Array(word.prefix(100))
    return nearest(letters(word), among: whole + last)
      ?? endings(word).lazy.compactMap { nearest($0, among: whole) }.first
  }

  public static func letters(_ word: some Sequence<UInt8>) -> [UInt8] {
    word.filter { ASCIIClass.of($0) & ASCIIClass.alphanumeric != 0 }
  }

  /// The rest of a word after each `_`.
  private static func endings(_ word: [UInt8]) -> [[UInt8]] {
    word.indices.filter { word[$0] == UInt8(ascii: "_") }.map { letters(word[($0 + 1)...]) }
  }

  private static func bytes(_ word: StaticString) -> [UInt8] {
    Array(word.bytes)
  }

  private static func nearest(_ word: [UInt8], among spellings: [(StaticString, [UInt8])]) -> StaticString? {
    var (nearest, distance): (StaticString?, Int) = (nil, min(word.count / 4, 2) + 1)
    for (candidate, spelling) in spellings where abs(spelling.count - word.count) < distance {
      let edits = edits(word, spelling)
      if edits < distance { (nearest, distance) = (candidate, edits) }
    }
    return nearest
  }

  /// The number of edits that turn one word into the other (Levenshtein distance), ignoring letter case.
  private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (above, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = above + 1
      for (place, other) in right.enumerated() {
        let replaced = diagonal + (upperCase(letter) == upperCase(other) ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(replaced, diagonal + 1, row[place] + 1)
      }
    }
    return row[right.count]
  }

  /// A byte; ASCII letters in upper case.
  public static func upperCase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 0x20 : byte
  }
}
