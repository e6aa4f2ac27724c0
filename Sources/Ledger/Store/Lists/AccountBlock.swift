import Failures
import Text

/// A few hundred entries of accounts, as stored in a row of `accountBlock`: five numbers of 4 bytes, the text as LZ4,
/// then the checksum. Numbers are little-endian.
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
    var row = withUnsafeBytes(of: head, Array.init)
    PackedText.append(text, to: &row)
    return row
  }

  /// What a row has before its checksum; throws if it is not what was written under that id.
  static func content(_ row: UnsafeRawBufferPointer, id: Int64) throws(Failure) -> UnsafeRawBufferPointer {
    guard let content = BlockTable.content(of: row, id: id), content.count > headLength else { throw damaged }
    return content
  }

  /// The numbers of a row.
  static func head(_ bytes: UnsafeRawBufferPointer) -> Head {
    Head(
      text: bytes.littleEndian(at: 0), keys: bytes.littleEndian(at: 4), amounts: bytes.littleEndian(at: 8),
      count: bytes.littleEndian(at: 12), first: bytes.littleEndian(at: 16))
  }
}
