/// The different names of elements and attributes in a document. Expat keeps them, so that they take memory.
struct DocumentNames {
  static let mostBytes = 1_000_000

  private var seen: Set<UInt64> = []
  /// Names seen lately, by the last bits of their hashes: nearly all names are here.
  private var recent = [UInt64](repeating: 0, count: 256)
  private var byteCount = 0

  var areTooMany: Bool { byteCount > Self.mostBytes }

  mutating func add(_ tag: XMLTag) {
    tag.forEachName { length, hash in
      let slot = Int(truncatingIfNeeded: hash & 255)
      guard recent[slot] != hash else { return }
      recent[slot] = hash
      if seen.insert(hash).inserted { byteCount += length }
    }
  }
}
