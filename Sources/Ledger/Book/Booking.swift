import SQLite

/// What a run or a payout books, at its place in an order: in book order (`payouts.md`) payouts come after the run as of
/// which they count, in entry order (`accounts.md`) after the last run that was entered before them.
public struct Booking: Sendable {
  /// Which run or payout it is.
  public let id: EntryID
  /// The run itself; for a payout, the run that it comes after.
  let run: Int
  /// Whether its entries count in balances.
  public let counts: Bool
  /// Its place in book order among the payouts that were made or given up; 0 for a run.
  let place: Int
  /// Its lists that change balances and are not empty, in the order in which they do.
  let allLists: [(kind: ListKind, count: Int)]
  /// The number of balances that it left; nil if it is not a payout that was made.
  let closings: Int?
  /// Whether it comes after the same run in book order.
  private let isAtOwnRun: Bool

  /// The number of the run or payout.
  public var number: Int { id.number }
  /// Its lists that count in balances.
  var lists: [(kind: ListKind, count: Int)] { counts ? allLists : [] }

  /// - Parameters:
  ///   - balances: the number of amounts that the ledger has; nil if it was entered before these were kept.
  ///   - first: the first run that counts.
  init(run: Int, balances: Int?, from first: Int) {
    self.init(.run(run), run, place: 0, [.run: balances ?? 0], counts: run >= first && balances != nil)
  }

  /// - Parameter run: the run that it comes after; nil for the one as of which it counts.
  init(_ payout: PayoutEntry, after run: Int? = nil) {
    self.init(
      payout.id, run ?? payout.bookedRun, place: payout.place, payout.counts, closings: payout.carried,
      isAtOwnRun: run ?? payout.bookedRun == payout.bookedRun)
  }

  init(_ givenUp: GivenUpPayout) {
    self.init(
      EntryID(.givenUp, givenUp.number), givenUp.run, place: givenUp.place, [.adjustments: givenUp.adjustments])
  }

  private init(
    _ id: EntryID, _ run: Int, place: Int, _ counts: [ListKind: Int], counts isCounted: Bool = true,
    closings: Int? = nil, isAtOwnRun: Bool = true
  ) {
    (self.id, self.run, self.place, self.counts) = (id, run, place, isCounted)
    (self.closings, self.isAtOwnRun) = (closings, isAtOwnRun)
    allLists = ListKind.allCases.compactMap { kind in
      guard let count = counts[kind], count > 0, kind.effect != .none else { return nil }
      return (kind, count)
    }
  }

  /// A list of it in the ledger.
  func list(_ kind: ListKind) -> AccountList { AccountList(kind: kind, number: number) }
}

extension Booking {
  /// Runs and payouts in entry order.
  static func inEntryOrder(
    _ runs: [RunEntry], _ payouts: [PayoutEntry], _ givenUp: [GivenUpPayout]
  ) -> [Booking] {
    let first = payouts.first?.firstRun ?? 1
    return inOrder(
      runs.map { Booking(run: $0.number, balances: $0.balanceCount, from: first) }
        + payouts.map { Booking($0, after: $0.enteredAfter) } + givenUp.map { Booking($0) })
  }

  /// The payouts that count, made or given up, in book order.
  ///
  /// - Parameter payouts: those made that count.
  static func payouts(_ database: Database, _ payouts: [PayoutEntry]) throws -> [Booking] {
    inOrder(payouts.map { Booking($0) } + (try GivenUpPayout.all(database)).map { Booking($0) })
  }

  /// Some runs and payouts in book order.
  static func inBookOrder(_ database: Database, runs: ClosedRange<Int>?, _ payouts: [Booking]) throws -> [Booking] {
    guard let runs else { return payouts }
    let rows = try Row.fetchAll(
      database, sql: "SELECT number, balances FROM run WHERE number BETWEEN ? AND ? AND balances > 0",
      arguments: [runs.lowerBound, runs.upperBound])
    return inOrder(
      try rows.map { Booking(run: try $0.value("number"), balances: try $0.value("balances"), from: 0) } + payouts)
  }

  /// The first run that counts: that of the payouts, else the first run with balances, else the next run.
  static func firstRun(_ database: Database, _ payouts: [PayoutEntry]) throws -> Int {
    if let first = payouts.first { return first.firstRun }
    if let run = try Int.fetchOne(database, sql: "SELECT min(number) FROM run WHERE balances IS NOT NULL") {
      return run
    }
    return (try Int.fetchOne(database, sql: "SELECT max(number) FROM run") ?? 0) + 1
  }

  private static func inOrder(_ bookings: [Booking]) -> [Booking] {
    bookings.sorted { ($0.run, $0.place) < ($1.run, $1.place) }
  }

  /// Whether the same runs and payouts come before a payout in an order as in book order, and in the same order.
  static func isBookOrder(_ bookings: [Booking], upTo payout: Int) -> Bool {
    bookings[...payout].allSatisfy(\.isAtOwnRun)
      && bookings[payout...].allSatisfy { $0.place == 0 || $0.place >= bookings[payout].place }
  }
}
