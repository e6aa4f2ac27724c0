import Failures
import SQLite

/// Looks up the details of settled payments in the blocks of their runs.
struct DetailLookup {
  private let find: RowLookup

  init(_ database: Database) throws { find = try BlockTable.details.between(database, .last) }

  /// Passes on the details of a payment; throws if they are missing, or a block is not what was written.
  ///
  /// - Parameter block: the block that was read last, which often has the next payment; replaced by this payment's
  ///   block.
  func details<Result>(
    of payment: SettledPayment, in block: inout DetailBlock, _ body: (Span<UInt8>) -> Result
  ) throws -> Result {
    let first = BlockTable.details.ids(of: Int64(payment.run)).lowerBound
    let id = DetailBlock.id(run: payment.run, key: payment.key)
    if (first...id).contains(block.id), let found = block.withDetails(low: payment.key.low, body) { return found }
    // A block that begins with the same 40 bits may begin after the payment, which is then in the block before it.
    for last in [id, id - 1] {
      var isThere = false
      try find.forEach(first, last) { row in
        try block.read(row.bytes(1), id: row.number(0))
        isThere = true
        return false
      }
      if isThere, let found = block.withDetails(low: payment.key.low, body) { return found }
    }
    throw Failure.damagedLedger(
      "it has lost details of payments that run \(payment.run) settled")
  }
}
