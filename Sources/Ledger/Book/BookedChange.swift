import SQLite

/// What changed balances besides runs, at its place in book order: a payout, or one that was given up.
struct BookedChange {
  let number: Int
  /// Its place among all changes.
  let place: Int
  /// The run after which it counts; never before that of an earlier change.
  let run: Int
  /// Its lists, with the numbers of their entries, in the order in which they count.
  let lists: [(kind: AccountList.Kind, count: Int)]
  /// The payout; nil if it was given up.
  let payout: PayoutEntry?

  init(_ payout: PayoutEntry) {
    (number, place, run, self.payout) = (payout.number, payout.place, payout.bookedRun, payout)
    lists = [
      (.returns, payout.returns), (.adjustments, payout.adjusted), (.payments, payout.payments),
    ]
  }

  init(_ givenUp: GivenUpPayout) {
    (number, place, run, payout) = (givenUp.number, givenUp.place, givenUp.run, nil)
    lists = [(.adjustments, givenUp.adjustments)]
  }

  /// All changes in book order.
  ///
  /// - Parameter payouts: the payouts that count; nil for all.
  static func all(_ database: Database, payouts: [PayoutEntry]? = nil) throws -> [BookedChange] {
    let made = try payouts ?? PayoutEntry.inBookOrder(database)
    return (made.map(BookedChange.init) + (try GivenUpPayout.all(database)).map(BookedChange.init))
      .sorted { $0.place < $1.place }
  }
}
