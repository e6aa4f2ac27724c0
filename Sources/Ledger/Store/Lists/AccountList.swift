import SQLite

/// A list of accounts in the ledger, identified by its kind and the number of its run or payout.
package struct AccountList: Equatable {
  /// The kind of a list.
  package enum Kind: Int64, CaseIterable {
    /// What a run gave each account, or took from it.
    case run = 1
    /// The payments of a payout, in the order of their numbers; a note has the digest of the bank account.
    case payments = 2
    /// The payments that came back, as a payout booked them; a note has payout, number and reason.
    case returns = 3
    /// The balances that a payout left, kept for the last two payouts; a note has the run since which the balance
    /// exists.
    case closings = 4
    /// What was decided outside of batches: what a payout booked, or the payments of one that was given up; a note has
    /// key and reason.
    case adjustments = 5
    /// The returns for which bank accounts are refused after a payout, kept for the last payout; a note has the payout
    /// that booked the return, its reference and, if it is known, the digest of the bank account.
    case refusals = 6

    /// The notes of its entries. Payments entered by an earlier version, or without the bank files, have none.
    var notes: Notes {
      switch self {
      case .run: .none
      case .payments: .fixed(BankAccountDigest.length)
      case .returns, .closings, .adjustments, .refusals: .variable
      }
    }
  }

  /// What entries have besides an amount.
  enum Notes: Equatable {
    case none
    /// A note of as many bytes each, in all entries of a block or in none.
    case fixed(Int)
    /// A length and a note of as many bytes.
    case variable
  }

  let kind: Kind
  /// The run's number, or the payout's.
  let number: Int

  /// The id of a block, by its place in the list from 0.
  func id(_ place: Int) -> Int64 { BlockTable.accounts.id(owner, Int64(place)) }

  /// What its blocks belong to: 24 bits of the number, below the kind.
  private var owner: Int64 { kind.rawValue << 24 | Int64(number) }

  /// The list and the place of a block; nil for an id that no block has.
  static func place(of id: Int64) -> (list: AccountList, place: Int)? {
    Kind(rawValue: id >> 56).map { (AccountList(kind: $0, number: Int(id >> 32 & 0xFF_FFFF)), Int(id & 0xFFFF_FFFF)) }
  }

  /// The ids that its blocks can have.
  var ids: ClosedRange<Int64> { BlockTable.accounts.ids(of: owner) }
}

extension AccountList {
  /// Removes the list from the ledger.
  func remove(_ database: Database) throws { try BlockTable.accounts.remove(database, of: owner) }

  /// Whether the ledger has the list; it is not known of one without entries.
  func isKept(_ database: Database, count: Int) throws -> Bool {
    try count == 0
      || Bool.fetchOne(database, sql: "SELECT 1 FROM accountBlock WHERE id = ?", arguments: [id(0)]) ?? false
  }
}
