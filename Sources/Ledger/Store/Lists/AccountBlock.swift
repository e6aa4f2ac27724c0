import Failures
import Money
import Text

/// A few hundred entries of accounts, as stored in a row of `accountBlock`: five numbers of 4 bytes, the text as LZ4,
/// then the checksum. Numbers are little-endian.
///
/// The text has three parts. For each entry, the keys contain the number of bytes that its account shares with the
/// entry before, the number of bytes that follow, these bytes, and the currency's number (`Currency.ledgerNumber`). The
/// amounts contain a number (`append(_:to:)`). The notes contain a length and the note's bytes or, for payments, eight bytes each.
enum AccountBlock {
  /// The five numbers.
  struct Head {
    /// The length of the text, in bytes.
    let text: UInt32
    /// The length of its keys.
    let keys: UInt32
    /// The length of its amounts.
    let amounts: UInt32
    /// The number of entries.
    let count: UInt32
    /// The number of entries in earlier blocks of the same list.
    let first: UInt32
  }

  static let headLength = 20
  /// The approximate length of a row: four pages of SQLite, and the rest that shares a fifth page with other rows.
  static let length = 17_000
  static let damaged = Failure.damagedLedger("balances of accounts are not what was written")

  /// The first entry of a block.
  struct First {
    let account: [UInt8]
    let currency: Currency
    /// Its number in the list, from 1.
    let number: Int

    /// Negative, zero or positive if it comes before, belongs to, or comes after an account and currency.
    func compare(_ other: Span<UInt8>, _ otherCurrency: Currency) -> Int {
      let order = account.span.compare(other)
      return order == 0 ? Int(currency.index) - Int(otherCurrency.index) : order
    }
  }

  /// The first entry of a row, without unpacking the others.
  static func first(_ bytes: Span<UInt8>) throws(Failure) -> First {
    // Two lengths, an account of at most 255 bytes, and the currency.
    let text = PackedText.beginning(bytes.extracting(droppingFirst: headLength), count: 258)
    guard text.count > 2, text.count > 2 + Int(text[1]), let currency = Currency(ledgerNumber: text[2 + Int(text[1])])
    else { throw damaged }
    return First(
      account: Array(text[2..<2 + Int(text[1])]), currency: currency, number: Int(head(bytes).first) + 1)
  }

  /// Writes the number of an amount in minor units: one more than its zigzag form.
  @inline(__always)
  static func append(_ coefficient: Int, to bytes: inout TextBuffer) {
    Varint.write(UInt64(bitPattern: Int64(coefficient << 1 ^ coefficient >> 63)) + 1) { bytes.append($0) }
  }

  /// The bytes of a row without its checksum, which depends on the row's id.
  static func packed(
    keys: Span<UInt8>, amounts: Span<UInt8>, notes: Span<UInt8>, count: Int, first: Int
  ) -> TextBuffer {
    var text = TextBuffer(capacity: keys.count + amounts.count + notes.count)
    text.append(keys)
    text.append(amounts)
    text.append(notes)
    var row = TextBuffer(capacity: length)
    for number in [text.count, keys.count, amounts.count, count, first] { row.append(littleEndian: UInt32(number)) }
    PackedText.append(text.span, to: &row)
    return row
  }

  /// What a row has before its checksum; throws if it is not what was written under that id.
  @_lifetime(copy row)
  static func content(_ row: Span<UInt8>, id: Int64) throws(Failure) -> Span<UInt8> {
    guard let content = BlockTable.content(of: row, id: id), content.count > headLength else { throw damaged }
    return content
  }

  /// The numbers of a row.
  static func head(_ bytes: Span<UInt8>) -> Head {
    func number(_ place: Int) -> UInt32 { bytes.littleEndian(at: 4 * place, as: UInt32.self) }
    return Head(text: number(0), keys: number(1), amounts: number(2), count: number(3), first: number(4))
  }
}
