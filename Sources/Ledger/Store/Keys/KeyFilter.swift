import Claims
import Failures
import Text

/// Shows for most keys that a segment does not hold them: a Bloom filter in blocks of a cache line, with ten bits a
/// key, four of them set for each. (Putze, Sanders and Singler, *Cache-, hash- and space-efficient Bloom filters*,
/// 2007.)
///
/// A key's block is found by the bits after the shard's, so blocks are in the order of the keys. If there is less room,
/// neighbouring blocks can be laid over each other (`fold`): answers stay right but are "perhaps" more often (1.2 % of
/// unknown keys at ten bits, 9 % at five).
struct KeyFilter {
  /// Words of 64 bits in a block.
  static let blockWords = 8
  private static let bitsPerKey = 10
  /// The number of blocks of a large filter is a multiple of this.
  static let largestFold = 16

  private(set) var words: [UInt64]
  let blockCount: Int

  /// An empty filter for a number of keys.
  init(keyCount: Int) {
    let blocks = max(1, (keyCount * Self.bitsPerKey + 511) / 512)
    blockCount =
      blocks < Self.largestFold ? blocks : (blocks + Self.largestFold - 1) / Self.largestFold * Self.largestFold
    words = Array(repeating: 0, count: blockCount * Self.blockWords)
  }

  mutating func insert(_ key: Fingerprint) {
    let block = Self.block(of: key, among: blockCount) * Self.blockWords
    var words = words.mutableSpan
    Self.forEachBit(of: key) { word, bit in words[block + word] |= 1 << bit }
  }

  /// The block of a key, given the number of blocks.
  @inline(__always)
  static func block(of key: Fingerprint, among count: Int) -> Int {
    Int(truncatingIfNeeded: (((key.high << 6) >> 32) &* UInt64(truncatingIfNeeded: count)) >> 32)
  }

  /// The four bits of a key within its block.
  @inline(__always)
  private static func forEachBit(of key: Fingerprint, _ body: (_ word: Int, _ bit: UInt64) -> Void) {
    var low = key.low
    for _ in 0..<4 {
      body(Int(truncatingIfNeeded: low >> 6 & 7), low & 63)
      low >>= 9
    }
  }

  /// Whether a block may hold a key.
  @inline(__always)
  static func mayHold(_ key: Fingerprint, block: Span<UInt64>) -> Bool {
    var found: UInt64 = 1
    forEachBit(of: key) { word, bit in found &= block[word] >> bit }
    return found & 1 == 1
  }

  // MARK: Stored

  /// The bytes of a filter as stored in a row of `keySegment`: little-endian words, then their checksum, as in a block.
  func bytes(id: Int64) -> [UInt8] {
    var row = TextBuffer(capacity: 8 * words.count + BlockTable.checkLength)
    for word in words { row.append(littleEndian: word) }
    BlockTable.seal(&row, id: id)
    return [UInt8](row.span)
  }

  /// The words in the bytes of a row.
  ///
  /// Throws if the bytes are not what was written under that id.
  @_lifetime(copy bytes)
  static func words(in bytes: Span<UInt8>, id: Int64) throws(Failure) -> Span<UInt8> {
    guard let words = BlockTable.content(of: bytes, id: id), words.count % (8 * blockWords) == 0 else { throw damaged }
    return words
  }

  static var damaged: Failure {
    .damagedLedger("a filter of pay keys is not what was written")
  }

  /// Lays every `fold` neighbouring blocks over each other.
  ///
  /// - Parameter target: zeroed room for the remaining words.
  static func fold(_ words: Span<UInt8>, by fold: Int, into target: inout MutableSpan<UInt64>) {
    let count = words.count / 8
    precondition(count / blockWords % fold == 0)
    for word in 0..<count {
      let block = word / blockWords / fold
      target[block * blockWords + word % blockWords] |= words.littleEndian(at: 8 * word, as: UInt64.self)
    }
  }
}
