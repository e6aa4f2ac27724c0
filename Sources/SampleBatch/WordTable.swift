import Glibc

/// A closed list of words of at most 15 bytes, each in a slot of 16: a word is copied whole, whatever its length.
///
/// Immutable once made and never freed, hence safe to share; there is one of each for the life of the process.
struct WordTable: @unchecked Sendable {
  static let slotSize = 16

  /// A word of a table.
  struct Word {
    /// The word, then its padding; 16 bytes in all.
    let slot: UnsafePointer<UInt8>

    /// Its length in bytes.
    @inline(__always)
    var count: Int { Int(slot[WordTable.slotSize - 1]) }
  }

  /// How many words there are.
  let count: Int
  private let slots: UnsafePointer<UInt8>

  /// The words of a text, separated by spaces or line ends; they go into JSON strings as they stand.
  init(_ text: StaticString) {
    let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    self.init(words: bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") })
  }

  /// The table of some words.
  init(words: [some Collection<UInt8>]) {
    let made = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, words.count) * WordTable.slotSize)
    made.initialize(repeating: 0, count: words.count * WordTable.slotSize)
    for (index, word) in words.enumerated() {
      precondition(word.count < WordTable.slotSize, "a word of a table is too long")
      let slot = made + index * WordTable.slotSize
      for (offset, byte) in word.enumerated() { slot[offset] = byte }
      slot[WordTable.slotSize - 1] = UInt8(word.count)
    }
    count = words.count
    slots = UnsafePointer(made)
  }

  /// The word at a place, from 0.
  @inline(__always)
  subscript(index: Int) -> Word {
    precondition(index >= 0 && index < count)
    return Word(slot: slots + index * WordTable.slotSize)
  }

  /// Any word.
  @inline(__always)
  func any(_ random: inout SampleRandom) -> Word {
    self[random.below(count)]
  }
}
