import CLZ4
import CXXHash
import Failures
import Text

/// A few hundred entries of accounts, as stored in a row of `accountBlock`: five numbers of 4 bytes, the text as LZ4,
/// then the XXH3 of all that, seeded with the row's id. Numbers are little-endian.
///
/// The text has three parts. For each entry, the keys contain the number of bytes that its account shares with the
/// entry before, the number of bytes that follow, these bytes, and the currency's number (`Currency.ledgerNumber`). The
/// amounts contain a number (`append(_:to:)`). The notes contain a length and the note's bytes or, for payments, eight bytes each.
enum AccountBlock {
  /// The five numbers.
  struct Head: BitwiseCopyable {
    /// The length of the text, in bytes.
    var text: UInt32 = 0
    /// The length of its keys.
    var keys: UInt32 = 0
    /// The length of its amounts.
    var amounts: UInt32 = 0
    /// The number of entries.
    var count: UInt32 = 0
    /// The number of entries in earlier blocks of the same list.
    var first: UInt32 = 0
  }

  static let headLength = MemoryLayout<Head>.size
  static let checkLength = 8
  /// The approximate length of a row: four pages of SQLite, and the rest that shares a fifth page with other rows.
  static let length = 17_000
  static let damaged = Failure.damaged("the ledger is damaged: balances of accounts are not what was written")

  /// Writes the number of an amount in minor units: one more than its zigzag form.
  @inline(__always)
  static func append(_ coefficient: Int, to bytes: inout [UInt8]) {
    Varint.write(UInt64(bitPattern: Int64(coefficient << 1 ^ coefficient >> 63)) + 1) { bytes.append($0) }
  }

  /// The bytes of a row without its checksum, which depends on the row's id.
  static func packed(keys: [UInt8], amounts: [UInt8], notes: [UInt8], count: Int, first: Int) -> [UInt8] {
    let text = keys + amounts + notes
    let head = Head(
      text: UInt32(text.count).littleEndian, keys: UInt32(keys.count).littleEndian,
      amounts: UInt32(amounts.count).littleEndian, count: UInt32(count).littleEndian,
      first: UInt32(first).littleEndian)
    let bound = LZ4_compressBound(Int32(text.count))
    return [UInt8](unsafeUninitializedCapacity: headLength + Int(bound)) { buffer, initialized in
      let bytes = UnsafeMutableRawPointer(buffer.baseAddress!)
      bytes.storeBytes(of: head, as: Head.self)
      let written = text.withUnsafeBytes {
        LZ4_compress_default($0.baseAddress, bytes + headLength, Int32(text.count), bound)
      }
      precondition(written > 0, "LZ4 has room for any text")
      initialized = headLength + Int(written)
    }
  }

  static func check(_ bytes: UnsafeRawPointer, _ count: Int, id: Int64) -> UInt64 {
    XXH3_64bits_withSeed(bytes, count, UInt64(bitPattern: id))
  }

  /// The numbers of a row; throws if it is not what was written under that id.
  static func head(_ bytes: UnsafeRawBufferPointer, id: Int64) throws(Failure) -> Head {
    let end = bytes.count - checkLength
    guard end > headLength, bytes.littleEndian(at: end) == check(bytes.baseAddress!, end, id: id) else { throw damaged }
    return head(bytes)
  }

  /// The numbers of a row whose checksum need not be verified.
  static func head(_ bytes: UnsafeRawBufferPointer) -> Head {
    Head(
      text: bytes.littleEndian(at: 0), keys: bytes.littleEndian(at: 4), amounts: bytes.littleEndian(at: 8),
      count: bytes.littleEndian(at: 12), first: bytes.littleEndian(at: 16))
  }
}
