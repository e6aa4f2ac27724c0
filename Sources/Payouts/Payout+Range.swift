import Failures
import Ledger
import Records

/// The runs and days of the next payout.
extension Payout {
  /// The first run that counts; throws if `--until` or `--since` does not fit the ledger.
  func firstRun(_ payouts: [PayoutEntry], until: Int) throws(Failure) -> Int {
    let last = ledger.ledger.lastRun
    let least = try max(1, ledger.ledger.lastBookedRun())
    guard least...last ~= until else {
      throw .usage("--until takes a run of the ledger, \(least) to \(last), not \(until)")
    }
    let first = try ledger.ledger.firstRun()
    try expectDate(after: payouts)
    try expectTerms(after: payouts)
    if !payouts.isEmpty {
      guard options.since == nil else { throw .usage("--since is only for the first payout of a ledger") }
      return first
    }
    guard let since = options.since else {
      guard until - first < 1 else {
        throw .usage(
          "the first payout of a ledger would pay runs \(first) to \(until); say with --since RUN which run is the first "
            + "that is not paid yet. All runs before RUN were paid by hand, and count zero for good, debts too; "
            + "--since \(first) pays all of them")
      }
      return first
    }
    guard since >= first, since <= until + 1 else {
      throw .usage("--since takes a run from \(first), the first with balances, to \(until + 1), not \(since)")
    }
    return since
  }

  /// Throws if an earlier payout had terms, and this one has none: a job that forgets them would pay every reserve.
  private func expectTerms(after payouts: [PayoutEntry]) throws(Failure) {
    guard options.terms == nil, !options.hasNoPayments, let last = payouts.last(where: { $0.identity.terms != nil })
    else { return }
    throw .usage(
      "payout \(last.number) had terms, so this one needs --terms, too: without them it would pay what they hold. To end "
        + "all terms, give a file with only its first record: \(TermsFile.columns.joined(separator: ","))")
  }

  /// The most days that the date of a payout is after today.
  private static let mostDaysAhead = 7

  /// Throws if `--date` is too far ahead, or before the last payout's. A payout of an earlier version that is too far
  /// ahead would refuse all others, so it does not count.
  private func expectDate(after payouts: [PayoutEntry]) throws(Failure) {
    let latest = CalendarDay(number: CalendarDay.today.number + Self.mostDaysAhead).text
    guard options.date <= latest else {
      throw .usage(
        "--date takes a day up to \(latest), \(Self.mostDaysAhead) days after today (UTC), not \(options.date)")
    }
    for payout in payouts where payout.identity.date > latest {
      note(
        "payout \(payout.number) has the date \(payout.identity.date), more than \(Self.mostDaysAhead) days after today; "
          + "later payouts may have an earlier one")
    }
    if let last = payouts.last(where: { $0.identity.date <= latest }), options.date < last.identity.date {
      throw .usage(
        "--date takes the day of payout \(last.number), \(last.identity.date), or a later one, not \(options.date)")
    }
  }
}
