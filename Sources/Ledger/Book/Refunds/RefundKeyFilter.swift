import SQLite

/// Shows for most refund keys that no earlier refund used them: a table with 16 to 32 bits for each refund, one of them
/// set.
///
/// Refund keys come in no particular order, so each lookup in the index would read another page.
struct RefundKeyFilter {
  private var words: [UInt64]
  private let shift: Int64

  /// Reads the index of refund keys, which has `count` entries.
  init(_ database: Database, count: Int) throws {
    // How many of the 48 bits of a hash select its place.
    let bits = 4 + max(2, Int64.bitWidth - count.leadingZeroBitCount)
    (words, shift) = ([UInt64](repeating: 0, count: 1 << (bits - 6)), Int64(48 - bits))
    try RowLookup(database, "SELECT hash FROM \(HashIndex.refundByKey.rawValue)").forEach(0) { row in
      let place = place(row.number(0))
      words[place >> 6] |= 1 << UInt64(place & 63)
      return true
    }
  }

  private func place(_ hash: Int64) -> Int { Int(hash >> shift & Int64(words.count << 6 - 1)) }

  /// Whether a refund with that hash may exist.
  func mayHold(_ hash: Int64) -> Bool {
    let place = place(hash)
    return words[place >> 6] >> UInt64(place & 63) & 1 == 1
  }
}
