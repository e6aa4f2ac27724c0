import Claims
import Failures
import Text

/// What refunds need from a few hundred settled payments of a run, as stored in a row of `detailBlock`: the length of
/// the text and the number of payments, 4 bytes each; the lower halves of the payments' fingerprints, sorted by the
/// whole fingerprints; the text, as LZ4; then the checksum. Numbers are little-endian.
///
/// For each payment, the text has the length of its details, as LEB128, and the details.
struct DetailBlock {
  /// The bytes that a row should have. If a row has 4,581 bytes or a little more, SQLite keeps 4,092 of them in a page
  /// of their own and puts the rest with those of other rows; rows of other lengths leave up to half a page free.
  static let length = 4_700
  private static let headLength = 8

  /// The row's id; below every valid id if nothing was read yet.
  private(set) var id = Int64.min
  private(set) var lows: [UInt64] = []
  private var text: [UInt8] = []
  /// Where the text has the details of each payment.
  private var ranges: [Range<Int>] = []

  /// Reads a row, replacing what was read before; throws if the bytes are not what was written under that id.
  mutating func read(_ bytes: Span<UInt8>, id: Int64) throws(Failure) {
    self.id = .min
    let damaged = Failure.damagedLedger("details of settled payments are not what was written")
    guard let bytes = BlockTable.content(of: bytes, id: id), bytes.count >= Self.headLength else { throw damaged }
    let count = Int(bytes.littleEndian(at: 4, as: UInt32.self))
    let stored = Self.headLength + 8 * count
    guard stored <= bytes.count else { throw damaged }
    lows.removeAll(keepingCapacity: true)
    for place in 0..<count { lows.append(bytes.littleEndian(at: Self.headLength + 8 * place, as: UInt64.self)) }
    let length = bytes.littleEndian(at: 0, as: UInt32.self)
    guard PackedText.read(bytes.extracting(droppingFirst: stored), length: length, into: &text), findRanges() else {
      throw damaged
    }
    self.id = id
  }

  /// Finds the details in the text; false if they do not fill it.
  private mutating func findRanges() -> Bool {
    ranges.removeAll(keepingCapacity: true)
    var at = 0
    for _ in lows {
      let length = Varint.read { () -> UInt8? in
        defer { at += 1 }
        return at < text.count ? text[at] : nil
      }
      guard let length, at <= text.count, length <= text.count - at else { return false }
      ranges.append(at..<at + Int(length))
      at += Int(length)
    }
    return at == text.count
  }

  /// Passes on the details of a payment, by the lower half of its fingerprint; nil if it is not in this block.
  func withDetails<Result>(low: UInt64, _ body: (Span<UInt8>) -> Result) -> Result? {
    guard let place = lows.firstIndex(of: low) else { return nil }
    return body(text.span.extracting(ranges[place]))
  }

  /// The bytes of a row.
  static func bytes(lows: [UInt64], text: Span<UInt8>, id: Int64) -> [UInt8] {
    var row = TextBuffer(capacity: headLength + 8 * lows.count + PackedText.bound(text) + BlockTable.checkLength)
    row.append(littleEndian: UInt32(text.count))
    row.append(littleEndian: UInt32(lows.count))
    for low in lows { row.append(littleEndian: low) }
    PackedText.append(text, to: &row)
    BlockTable.seal(&row, id: id)
    return [UInt8](row.span)
  }

  // MARK: Rows

  /// The id of the block of a run that begins with a payment. If the payment is in a block, that block has the highest
  /// id that is not above this one.
  static func id(run: Int, key: Fingerprint) -> Int64 { BlockTable.details.id(Int64(run), Int64(key.high >> 24)) }
}
