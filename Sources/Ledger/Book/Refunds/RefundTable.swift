import Claims
import Digests
import Failures
import SQLite
import Text

/// How refunds are stored in the table `refund`.
enum RefundTable {
  private static let placeBits: Int64 = 32
  private static let columns = "refund.id, refundKey, payment, taken, digest"

  /// The first id that refunds of a run can have.
  static func firstID(of run: Int) -> Int64 { Int64(run) << placeBits }

  /// Enters the refunds of a run in order, and returns their number.
  static func insert(
    _ database: Database, run: Int, _ refunds: some Sequence<RefundEntry>, hash: KeyedHash
  ) throws -> Int {
    let insert = try RowLookup(
      database, "INSERT INTO refund (id, digest, refundKey, payment, taken) VALUES (?, ?, ?, ?, ?)")
    var (byKey, byPayment) = ([(hash: Int64, id: Int64)](), [(hash: Int64, id: Int64)]())
    byKey.reserveCapacity(refunds.underestimatedCount)
    byPayment.reserveCapacity(refunds.underestimatedCount)
    var content = TextBuffer()
    for (place, refund) in refunds.enumerated() {
      let id = firstID(of: run) + Int64(place)
      content.removeAll()
      refund.appendContent(to: &content)
      let paymentStart = refund.refundKey.utf8.count
      let takenStart = paymentStart + Fingerprint.length
      insert.bind(content.span.extracting(first: paymentStart), at: 3, isText: true)
      insert.bind(content.span.extracting(paymentStart..<takenStart), at: 4)
      insert.bind(content.span.extracting(droppingFirst: takenStart), at: 5)
      try insert.forEach(id, RefundEntry.digest(content.span, id: id))
      byKey.append((hash.index(refund.refundKey), id))
      byPayment.append((HashIndex.hash(refund.payment), id))
    }
    let count = byKey.count
    try HashIndex.refundByKey.insert(database, byKey)
    try HashIndex.refundByPayment.insert(database, byPayment)
    return count
  }

  /// Removes the refunds of the last run.
  static func remove(_ database: Database, run: Int) throws {
    try database.execute(sql: "DELETE FROM refund WHERE id >= ?", arguments: [firstID(of: run)])
    for index in [HashIndex.refundByKey, .refundByPayment] { try index.remove(database, from: firstID(of: run)) }
  }

  /// A lookup by hash among the refunds below an id, for `refund(_:)`.
  static func lookup(_ database: Database, _ index: HashIndex) throws -> RowLookup {
    try RowLookup(
      database,
      """
      SELECT \(columns) FROM \(index.rawValue) AS i LEFT JOIN refund ON refund.id = i.id
      WHERE i.hash = ? AND i.id < ? ORDER BY i.id
      """)
  }

  /// The refund in a row; throws if it is missing, or is not what was written.
  static func refund(_ row: Statement) throws(Failure) -> RefundOfRun {
    let id = row.number(0)
    guard !row.isNull(0), row.bytes(2).count == Fingerprint.length else { throw damaged }
    let entry = RefundEntry(
      refundKey: row.text(1), payment: Fingerprint(row.bytes(2), at: 0), taken: [UInt8](row.bytes(3)))
    var content = TextBuffer()
    entry.appendContent(to: &content)
    guard RefundEntry.digest(content.span, id: id) == row.number(4) else { throw damaged }
    return RefundOfRun(run: Int(id >> placeBits), place: Int(id & (1 << placeBits - 1)), entry: entry)
  }

  private static var damaged: Failure { .damagedLedger("a refund is not what was written") }

  /// Reads all refunds, and counts them by run, at the index one below the run's number; throws if they are not what
  /// was written.
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
  /// Appends all that a row holds: the refund key, the payment, and what was taken.
  fileprivate func appendContent(to content: inout TextBuffer) {
    content.append(refundKey)
    payment.append(to: &content)
    content.append(taken)
  }

  /// 32 bits of the XXH3 of the row's id and of all that it holds.
  fileprivate static func digest(_ content: Span<UInt8>, id: Int64) -> Int64 {
    Int64(Int32(truncatingIfNeeded: XXH3.checksum(of: content, seed: UInt64(bitPattern: id))))
  }
}
