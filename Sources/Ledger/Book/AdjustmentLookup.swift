import ExactArithmetic
import Money
import SQLite

/// An adjustment that the ledger has booked.
public struct BookedAdjustment: Sendable, Equatable {
  /// Its key and reason.
  public let note: AdjustmentNote
  /// The account, and what was added to its balance or, below zero, taken from it.
  public let change: BookedPayment
  /// The payout that was given up with it.
  public let payout: Int
}

extension AdjustmentNote {
  /// Passes on all adjustments, by payout.
  static func forEach(_ database: Database, _ take: (BookedAdjustment) -> Void) throws {
    for change in try GivenUpPayout.all(database) where change.adjustments > 0 {
      let list = AccountList(kind: .adjustments, number: change.number)
      let stream = try AccountStream(database, list, count: change.adjustments)
      while try stream.next() {
        take(
          BookedAdjustment(
            note: try AdjustmentNote(stream.note),
            change: BookedPayment(
              account: Array(stream.account), currency: stream.currency, amount: stream.amount),
            payout: change.number))
      }
    }
  }
}

extension Ledger {
  /// All adjustments that are booked, by key.
  public func adjustments() throws(LedgerFailure) -> [String: BookedAdjustment] {
    try read { database in
      var all: [String: BookedAdjustment] = [:]
      try AdjustmentNote.forEach(database) { all[$0.note.key] = $0 }
      return all
    }
  }
}
