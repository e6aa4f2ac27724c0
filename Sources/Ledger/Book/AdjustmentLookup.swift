import Failures
import Money
import SQLite

/// An adjustment that the ledger has booked.
public struct BookedAdjustment: Sendable, Equatable {
  /// Its key and reason.
  public let note: AdjustmentNote
  /// The account, and what was added to its balance or, below zero, taken from it.
  public let change: BookedPayment
  /// The payout that booked it, or that was given up with it.
  public let payout: Int
}

extension AdjustmentNote {
  /// Passes on all adjustments, in book order.
  ///
  /// - Parameter payout: the payout before which to stop; nil for none.
  static func forEach(
    _ database: Database, before payout: PayoutEntry?, _ take: (BookedAdjustment) -> Void
  ) throws {
    for change in try BookedChange.all(database) where change.place < payout?.place ?? .max {
      let count = change.lists.first { $0.kind == .adjustments }?.count ?? 0
      if count == 0 { continue }
      let stream = try AccountStream(database, AccountList(kind: .adjustments, number: change.number), count: count)
      while try stream.next() {
        take(
          BookedAdjustment(
            note: try AdjustmentNote(stream.note),
            change: BookedPayment(account: stream.account, currency: stream.currency, amount: stream.amount),
            payout: change.number))
      }
    }
  }
}

/// The adjustments of a ledger.
public struct AdjustmentLookup {
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// All adjustments that are booked, by key.
  ///
  /// - Parameter payout: the payout before which to stop; nil for none.
  public func adjustments(before payout: PayoutEntry? = nil) throws(Failure) -> [String: BookedAdjustment] {
    try database.telling {
      var all: [String: BookedAdjustment] = [:]
      try AdjustmentNote.forEach(database, before: payout) { all[$0.note.key] = $0 }
      return all
    }
  }

  /// Passes on all adjustments that are booked, in book order.
  ///
  /// - Parameter payout: the payout before which to stop; nil for none.
  public func forEach(before payout: PayoutEntry?, _ take: (BookedAdjustment) -> Void) throws(Failure) {
    try database.telling { try AdjustmentNote.forEach(database, before: payout, take) }
  }

  /// Which of some accounts and currencies have an entry, up to a run and before a payout.
  ///
  /// - Parameters:
  ///   - count: how many there are.
  ///   - firstRun: the first run that counts.
  ///   - holder: returns one by its place; they are in ascending order. The account is in lower case.
  public func haveEntries(
    _ count: Int, from firstRun: Int, until last: Int, before payout: PayoutEntry? = nil,
    _ holder: (Int) -> (account: [UInt8], currency: Currency)
  ) throws(Failure) -> [Bool] {
    try database.telling {
      var (found, left) = (Array(repeating: false, count: count), count)
      let changes = try BookedChange.all(database).filter { $0.place < payout?.place ?? .max }
      let runs = firstRun <= last ? firstRun...last : nil
      // The newest first, as most accounts are in one of them.
      for booked in try BookedList.all(database, runs: runs, changes: changes).reversed() where left > 0 {
        let lookup = try AccountLookup(database, booked.list, count: booked.count)
        var stream: AccountStream?
        for place in found.indices where !found[place] {
          let (account, currency) = holder(place)
          guard try lookup.seek(account.span, currency, in: &stream) else { continue }
          found[place] = true
          left -= 1
        }
      }
      return found
    }
  }
}

extension Ledger {
  /// Looks up adjustments. Nothing may be written meanwhile.
  public func adjustmentLookup() throws(Failure) -> AdjustmentLookup { try read { AdjustmentLookup($0) } }
}

extension LedgerReading {
  /// Looks up adjustments.
  public func adjustmentLookup() -> AdjustmentLookup { AdjustmentLookup(database) }
}
