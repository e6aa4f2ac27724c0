/// A run or payout at its place in entry order (`accounts.md`).
public struct EnteredBooking: Sendable {
  /// What was entered.
  public enum Source: Sendable {
    case run(RunEntry)
    case payout(PayoutEntry)
    /// A payout that was given up, with what it had paid.
    case givenUp(GivenUpPayout)
  }

  /// The run or payout.
  public let source: Source
  /// The run itself; for a payout, the last run that was entered before it.
  public let run: Int
  /// Its place among payouts in book order; 0 for a run.
  let place: Int
  /// Whether its entries count in balances.
  public let counts: Bool

  /// The number of the run or payout.
  public var number: Int {
    switch source {
    case .run(let run): run.number
    case .payout(let payout): payout.number
    case .givenUp(let payout): payout.number
    }
  }

  /// Which entry it is.
  public var id: EntryID {
    switch source {
    case .run(let run): run.id
    case .payout(let payout): payout.id
    case .givenUp(let payout): EntryID(.givenUp, payout.number)
    }
  }

  /// The lists that count in balances, in the order in which they are booked, with the numbers of their entries.
  var lists: [(list: AccountList, count: Int)] { counts ? allLists : [] }

  var allLists: [(list: AccountList, count: Int)] {
    let kinds: [(kind: AccountList.Kind, count: Int)] =
      switch source {
      case .run(let run): [(.run, run.balanceCount ?? 0)]
      case .payout(let payout): BookedChange(payout).lists
      case .givenUp(let payout): BookedChange(payout).lists
      }
    return kinds.filter { $0.count > 0 }.map { (AccountList(kind: $0.kind, number: number), $0.count) }
  }

  /// Runs and payouts in entry order.
  public static func inOrder(
    _ runs: [RunEntry], _ payouts: [PayoutEntry], _ givenUp: [GivenUpPayout]
  ) -> [EnteredBooking] {
    let first = payouts.first?.firstRun ?? 1
    let all =
      runs.map { run in
        EnteredBooking(
          source: .run(run), run: run.number, place: 0, counts: run.number >= first && run.balanceCount != nil)
      }
      + payouts.map {
        EnteredBooking(source: .payout($0), run: $0.enteredAfter ?? $0.bookedRun, place: $0.place, counts: true)
      }
      + givenUp.map { EnteredBooking(source: .givenUp($0), run: $0.run, place: $0.place, counts: true) }
    return all.sorted { ($0.run, $0.place) < ($1.run, $1.place) }
  }

  /// Whether the same runs and payouts come before a payout in entry order as in book order, and in the same order.
  static func isBookOrder(_ bookings: [EnteredBooking], upTo payout: Int) -> Bool {
    let isSame = bookings[...payout].allSatisfy { booking in
      if case .payout(let payout) = booking.source { payout.bookedRun == booking.run } else { true }
    }
    return isSame && bookings[payout...].allSatisfy { $0.place == 0 || $0.place >= bookings[payout].place }
  }
}
