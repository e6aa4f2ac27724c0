import SQLite

/// A list of the ledger in book order: runs by number; the returns, adjustments and payments of payouts after the run as
/// of which they count.
struct BookedList {
  let list: AccountList
  /// Its number of entries.
  let count: Int
  /// The run as of which it counts.
  let run: Int
  /// The place of its payout in book order; 0 for a run.
  var place = 0

  /// The lists from which balances are computed, in book order.
  ///
  /// - Parameters:
  ///   - runs: the runs that count.
  ///   - changes: the payouts that count, made or given up, in book order.
  static func all(_ database: Database, runs: ClosedRange<Int>?, changes: [BookedChange]) throws -> [BookedList] {
    var lists: [BookedList] = []
    var waiting = changes[...]
    func add(_ change: BookedChange) {
      for (kind, count) in change.lists where count > 0 {
        lists.append(
          BookedList(
            list: AccountList(kind: kind, number: change.number), count: count, run: change.run, place: change.place))
      }
    }
    let rows = try runs.map { runs in
      try Row.fetchAll(
        database, sql: "SELECT number, balances FROM run WHERE number BETWEEN ? AND ? AND balances > 0 ORDER BY number",
        arguments: [runs.lowerBound, runs.upperBound])
    }
    for row in rows ?? [] {
      let run: Int = try row.value("number")
      while let next = waiting.first, next.run < run {
        add(next)
        waiting.removeFirst()
      }
      lists.append(
        BookedList(list: AccountList(kind: .run, number: run), count: try row.value("balances"), run: run))
    }
    for change in waiting { add(change) }
    return lists
  }
}
