import SQLite

/// Tells of most refund keys that no earlier refund has them: a table of 16 to 32 bits a refund, one of which is set.
///
/// Keys of refunds come in no order, so that each look-up reads some other page of the index.
struct RefundKeyFilter {
  private var words: [UInt64]
  private let shift: Int64

  /// Reads the index of refund keys, of which the ledger has so many.
  init(_ database: Database, count: Int) throws {
    // The bits of a hash that tell its place; there are 48 in all.
    let bits = 4 + max(2, Int64.bitWidth - count.leadingZeroBitCount)
    (words, shift) = ([UInt64](repeating: 0, count: 1 << (bits - 6)), Int64(48 - bits))
    try RowLookup(database, "SELECT hash FROM \(HashIndex.refundByKey.rawValue)").forEach(0) { row in
      let place = place(row.number(0))
      words[place >> 6] |= 1 << UInt64(place & 63)
      return true
    }
  }

  private func place(_ hash: Int64) -> Int { Int(hash >> shift & Int64(words.count << 6 - 1)) }

  /// Whether there may be a refund of that hash.
  func mayHold(_ hash: Int64) -> Bool {
    let place = place(hash)
    return words[place >> 6] >> UInt64(place & 63) & 1 == 1
  }
}
