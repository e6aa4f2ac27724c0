/// The known word that somebody probably meant by another.
public enum Spelling {
  /// The known word nearest to a word, letter case aside: at most one edit away for every four bytes of the word and
  /// two in all, if an edit puts a byte in, leaves one out or replaces one. nil if none is that near.
  public static func nearest(_ word: UnsafeBufferPointer<UInt8>, among known: [StaticString]) -> StaticString? {
    var (nearest, distance): (StaticString?, Int) = (nil, min(word.count / 4, 2) + 1)
    for candidate in known where abs(candidate.utf8CodeUnitCount - word.count) < distance {
      let edits = edits(word, UnsafeBufferPointer(start: candidate.utf8Start, count: candidate.utf8CodeUnitCount))
      if edits < distance { (nearest, distance) = (candidate, edits) }
    }
    return nearest
  }

  /// The fewest edits that make one word of the other (Levenshtein's distance), letter case aside.
  private static func edits(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: right.count + 1) { row in
      for place in row.indices { row[place] = place }
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
  }

  /// A byte, an ASCII letter in upper case.
  public static func upperCase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 0x20 : byte
  }
}
