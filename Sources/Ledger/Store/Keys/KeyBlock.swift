import Claims
import Failures
import Text

/// A settled pay key in the ledger.
struct KeyEntry: BitwiseCopyable {
  var key: Fingerprint
  /// The run that settled it.
  var run: UInt32
}

/// Up to 202 settled pay keys in ascending order, as stored in a row of `keyBlock`: the fingerprints (lower half
/// first), then the runs, then the id of the segment's next block, all little-endian, then the checksum.
///
/// Each block names the next one, so a lost block is not mistaken for keys that never existed.
struct KeyBlock: ~Escapable {
  /// The number that fits into a row that SQLite keeps within one page of 4,096 bytes.
  static let capacity = 202
  private static let keyLength = Fingerprint.length
  private static let runLength = 4
  private static let nextLength = 8

  private let bytes: Span<UInt8>
  /// The number of keys, at least 1.
  let count: Int

  /// Throws if the bytes are not what was written under that id.
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, id: Int64) throws(Failure) {
    let content = BlockTable.content(of: bytes, id: id)
    let entries = (content?.count ?? 0) - Self.nextLength
    count = entries / (Self.keyLength + Self.runLength)
    guard let content, entries > 0, entries % (Self.keyLength + Self.runLength) == 0, count <= Self.capacity
    else { throw .damagedLedger("a block of pay keys is not what was written") }
    self.bytes = content
  }

  func key(_ place: Int) -> Fingerprint { Fingerprint(bytes, at: place * Self.keyLength) }

  func run(_ place: Int) -> UInt32 {
    bytes.littleEndian(at: count * Self.keyLength + place * Self.runLength, as: UInt32.self)
  }

  /// The id of the segment's next block; 0 in the last.
  var next: Int64 { bytes.littleEndian(at: count * (Self.keyLength + Self.runLength), as: Int64.self) }

  /// The run that settled a key; nil if the key is not in this block.
  func run(of key: Fingerprint) -> UInt32? {
    var lower = 0
    var upper = count
    while lower < upper {
      let middle = (lower + upper) / 2
      if self.key(middle) < key { lower = middle + 1 } else { upper = middle }
    }
    return lower < count && self.key(lower) == key ? run(lower) : nil
  }

  /// The bytes of a row.
  static func bytes(of entries: [KeyEntry], id: Int64, next: Int64) -> [UInt8] {
    precondition(!entries.isEmpty && entries.count <= capacity)
    var row = TextBuffer(capacity: entries.count * (keyLength + runLength) + nextLength + BlockTable.checkLength)
    for entry in entries { entry.key.append(to: &row) }
    for entry in entries { row.append(littleEndian: entry.run) }
    row.append(littleEndian: next)
    BlockTable.seal(&row, id: id)
    return [UInt8](row.span)
  }

  /// The id of the block of a segment that begins with a key. If the key is in a block, that block has the highest id
  /// that is not above this one.
  static func id(segment: Int64, key: Fingerprint) -> Int64 {
    BlockTable.keys.id(segment, Int64((key.high << 6) >> 24))
  }
}
