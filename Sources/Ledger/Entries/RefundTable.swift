import CXXHash
import Claims
import Foundation
import GRDB

/// How refunds stand in the table `refund`.
enum RefundTable {
  private static let placeBits: Int64 = 32
  private static let columns = "refund.id, refundKey, payment, taken, digest"

  /// The first id that refunds of a run can have.
  static func firstID(of run: Int) -> Int64 { Int64(run) << placeBits }

  /// Enters the refunds of a run in their order, and tells how many they are.
  static func insert(
    _ database: Database, run: Int, _ refunds: some Sequence<RefundEntry>, hash: KeyedHash
  ) throws -> Int {
    let insert = try database.cachedStatement(
      sql: "INSERT INTO refund (id, refundKey, payment, taken, digest) VALUES (?, ?, ?, ?, ?)")
    var (byKey, byPayment) = ([(hash: Int64, id: Int64)](), [(hash: Int64, id: Int64)]())
    for (place, refund) in refunds.enumerated() {
      let id = firstID(of: run) + Int64(place)
      try insert.execute(arguments: [
        id, refund.refundKey, refund.payment.bytes, Data(refund.taken), refund.digest(id: id),
      ])
      byKey.append((hash.index(refund.refundKey), id))
      byPayment.append((HashIndex.hash(refund.payment), id))
    }
    try HashIndex.refundByKey.insert(database, byKey)
    try HashIndex.refundByPayment.insert(database, byPayment)
    return byKey.count
  }

  /// Takes out the refunds of the last run.
  static func remove(_ database: Database, run: Int) throws {
    try database.execute(sql: "DELETE FROM refund WHERE id >= ?", arguments: [firstID(of: run)])
    for index in [HashIndex.refundByKey, .refundByPayment] { try index.remove(database, from: firstID(of: run)) }
  }

  /// A lookup by a hash, of the refunds below an id, for `refund(_:)`.
  static func lookup(_ database: Database, _ index: HashIndex) throws -> RowLookup {
    try RowLookup(
      database,
      """
      SELECT \(columns) FROM \(index.rawValue) AS i LEFT JOIN refund ON refund.id = i.id
      WHERE i.hash = ? AND i.id < ? ORDER BY i.id
      """)
  }

  /// The refund of a row; throws where it is not there, or not what was written.
  static func refund(_ row: LookupRow) throws(LedgerFailure) -> EarlierRefund {
    let id = row.number(0)
    guard !row.isNull(0), let payment = Fingerprint(bytes: Array(row.bytes(2))) else { throw damaged }
    let entry = RefundEntry(refundKey: row.text(1), payment: payment, taken: Array(row.bytes(3)))
    guard entry.digest(id: id) == row.number(4) else { throw damaged }
    return EarlierRefund(run: Int(id >> placeBits), place: Int(id & (1 << placeBits - 1)), entry: entry)
  }

  private static var damaged: LedgerFailure { .damaged("the ledger is damaged: a refund is not what was written") }

  /// Reads all refunds, and counts them by run, at the number before the run's; throws where they are not what was written.
  static func check(_ database: Database, hash: KeyedHash, into counts: inout [Int]) throws {
    var (byKey, byPayment) = ([(hash: Int64, id: Int64)](), [(hash: Int64, id: Int64)]())
    try RowLookup(database, "SELECT \(columns) FROM refund ORDER BY id").forEach(0) { row in
      let refund = try refund(row)
      guard counts.indices.contains(refund.run - 1), refund.place == counts[refund.run - 1] else { throw damaged }
      counts[refund.run - 1] += 1
      byKey.append((hash.index(refund.entry.refundKey), row.number(0)))
      byPayment.append((HashIndex.hash(refund.entry.payment), row.number(0)))
      return true
    }
    try HashIndex.refundByKey.check(database, byKey)
    try HashIndex.refundByPayment.check(database, byPayment)
  }
}

extension RefundEntry {
  /// 32 bits of the XXH3 of the row's id and of all that it holds.
  fileprivate func digest(id: Int64) -> Int64 {
    let halves = [payment.low.littleEndian, payment.high.littleEndian].withUnsafeBytes(Array.init)
    let bytes = Array(refundKey.utf8) + halves + taken
    return Int64(Int32(truncatingIfNeeded: XXH3_64bits_withSeed(bytes, bytes.count, UInt64(bitPattern: id))))
  }
}
