import CLZ4
import CXXHash
import Claims
import Failures
import Text

/// What refunds need from a few hundred settled payments of a run, as stored in a row of `detailBlock`: the length of
/// the text and the number of payments, 4 bytes each; the lower halves of the payments' fingerprints, sorted by the
/// whole fingerprints; the text, as LZ4; then the XXH3 of all that, seeded with the row's id. Numbers are
/// little-endian.
///
/// For each payment, the text has the length of its details, as LEB128, and the details.
struct DetailBlock {
  /// The bytes that a row should have. If a row has 4,581 bytes or a little more, SQLite keeps 4,092 of them in a page
  /// of their own and puts the rest with those of other rows; rows of other lengths leave up to half a page free.
  static let length = 4_700
  private static let headLength = 8
  private static let checkLength = 8

  /// The row's id; below every valid id if nothing was read yet.
  private(set) var id = Int64.min
  private(set) var lows: [UInt64] = []
  private var text: [UInt8] = []
  /// Where the text has the details of each payment.
  private var ranges: [Range<Int>] = []

  /// Reads a row, replacing what was read before; throws if the bytes are not what was written under that id.
  mutating func read(_ bytes: UnsafeRawBufferPointer, id: Int64) throws(Failure) {
    self.id = .min
    let damaged = Failure.damaged("the ledger is damaged: details of settled payments are not what was written")
    let end = bytes.count - Self.checkLength
    guard end >= Self.headLength, let start = bytes.baseAddress,
      bytes.littleEndian(at: end) == XXH3_64bits_withSeed(start, end, UInt64(bitPattern: id))
    else { throw damaged }
    let count = Int(bytes.littleEndian(at: 4) as UInt32)
    let stored = Self.headLength + 8 * count
    guard stored <= end else { throw damaged }
    lows.removeAll(keepingCapacity: true)
    for place in 0..<count { lows.append(bytes.littleEndian(at: Self.headLength + 8 * place)) }
    let length = Int32(bytes.littleEndian(at: 0) as UInt32)
    text = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, initialized in
      let written = buffer.withMemoryRebound(to: CChar.self) {
        LZ4_decompress_safe(start + stored, $0.baseAddress, Int32(end - stored), length)
      }
      initialized = max(0, Int(written))
    }
    guard text.count == length, findRanges() else { throw damaged }
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
  func withDetails<Result>(low: UInt64, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let place = lows.firstIndex(of: low) else { return nil }
    return text.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[ranges[place]])) }
  }

  /// The bytes of a row.
  static func bytes(lows: [UInt64], text: [UInt8], id: Int64) -> [UInt8] {
    let stored = headLength + 8 * lows.count
    let bound = LZ4_compressBound(Int32(text.count))
    return [UInt8](unsafeUninitializedCapacity: stored + Int(bound) + checkLength) { buffer, initialized in
      let bytes = UnsafeMutableRawPointer(buffer.baseAddress!)
      bytes.storeBytes(of: UInt32(text.count).littleEndian, as: UInt32.self)
      bytes.storeBytes(of: UInt32(lows.count).littleEndian, toByteOffset: 4, as: UInt32.self)
      for (place, low) in lows.enumerated() {
        bytes.storeBytes(of: low.littleEndian, toByteOffset: headLength + 8 * place, as: UInt64.self)
      }
      let written = text.withUnsafeBytes {
        LZ4_compress_default($0.baseAddress, bytes + stored, Int32(text.count), bound)
      }
      precondition(written > 0, "LZ4 has room for any text")
      let end = stored + Int(written)
      let check = XXH3_64bits_withSeed(bytes, end, UInt64(bitPattern: id))
      bytes.storeBytes(of: check.littleEndian, toByteOffset: end, as: UInt64.self)
      initialized = end + checkLength
    }
  }

  // MARK: Rows

  /// The number of bits in a block's id that come from its first fingerprint; those above are the run.
  private static let placeBits: Int64 = 40

  /// The id of the block of a run that begins with a payment. If the payment is in a block, that block has the highest
  /// id that is not above this one.
  static func id(run: Int, key: Fingerprint) -> Int64 { Int64(run) << placeBits | Int64(key.high >> 24) }

  /// The run of a block.
  static func run(of id: Int64) -> Int { Int(id >> placeBits) }

  /// The ids that blocks of a run can have.
  static func ids(of run: Int) -> ClosedRange<Int64> {
    Int64(run) << placeBits...(Int64(run) << placeBits | (1 << placeBits - 1))
  }
}
