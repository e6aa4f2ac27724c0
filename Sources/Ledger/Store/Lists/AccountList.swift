import SQLite

/// A list of accounts in the ledger, identified by its kind and the number of its run or payout.
package struct AccountList: Equatable {
  let kind: ListKind
  /// The run's number, or the payout's.
  let number: Int

  /// The id of a block, by its place in the list from 0.
  func id(_ place: Int) -> Int64 { BlockTable.accounts.id(owner, Int64(place)) }

  /// What its blocks belong to: 24 bits of the number, below the kind.
  private var owner: Int64 { kind.rawValue << 24 | Int64(number) }

  /// The list and the place of a block; nil for an id that no block has.
  static func place(of id: Int64) -> (list: AccountList, place: Int)? {
    ListKind(rawValue: id >> 56).map {
      (AccountList(kind: $0, number: Int(id >> 32 & 0xFF_FFFF)), Int(id & 0xFFFF_FFFF))
    }
  }

  /// The ids that its blocks can have.
  var ids: ClosedRange<Int64> { BlockTable.accounts.ids(of: owner) }
}

extension AccountList {
  /// Removes the list from the ledger.
  func remove(_ database: Database) throws { try BlockTable.accounts.remove(database, of: owner) }

  /// Removes the lists of payouts before the one that has just been published, of the kinds that are kept for the last
  /// payout only.
  static func removeOfEarlierPayouts(_ database: Database, before number: Int) throws {
    for kind in ListKind.ofLastPayout {
      try database.execute(
        sql: "DELETE FROM accountBlock WHERE id BETWEEN ? AND ?",
        arguments: [
          AccountList(kind: kind, number: 0).ids.lowerBound, AccountList(kind: kind, number: number).ids.lowerBound - 1,
        ])
    }
  }

  /// Whether the ledger has the list; it is not known of one without entries.
  func isKept(_ database: Database, count: Int) throws -> Bool {
    try count == 0
      || Bool.fetchOne(database, sql: "SELECT 1 FROM accountBlock WHERE id = ?", arguments: [id(0)]) ?? false
  }
}
