import SQLite

/// A list of the ledger in book order: runs by number; a payout's returns and payments after the run it was made up to.
struct BookedList {
  let list: AccountList
  /// Its number of entries.
  let count: Int
  /// The run as of which it counts.
  let run: Int

  /// The lists from which balances are computed, in book order.
  ///
  /// - Parameters:
  ///   - runs: the runs that count.
  ///   - payouts: the payouts that count.
  static func all(_ database: Database, runs: ClosedRange<Int>?, payouts: [NumberedPayout]) throws -> [BookedList] {
    var lists: [BookedList] = []
    var waiting = payouts[...]
    func add(_ payout: NumberedPayout) {
      let (number, entry) = (payout.number, payout.entry)
      for (kind, count) in [(AccountList.Kind.returns, entry.returns), (.payments, entry.payments)] where count > 0 {
        lists.append(
          BookedList(list: AccountList(kind: kind, number: number), count: count, run: entry.untilRun))
      }
    }
    let rows = try Row.fetchAll(
      database, sql: "SELECT number, balances FROM run WHERE number BETWEEN ? AND ? AND balances > 0 ORDER BY number",
      arguments: [runs?.lowerBound ?? 1, runs?.upperBound ?? 0])
    for row in rows {
      let run: Int = try row.value("number")
      while let next = waiting.first, next.entry.untilRun < run {
        add(next)
        waiting.removeFirst()
      }
      lists.append(
        BookedList(list: AccountList(kind: .run, number: run), count: try row.value("balances"), run: run))
    }
    for payout in waiting { add(payout) }
    return lists
  }
}
