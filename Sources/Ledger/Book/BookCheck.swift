import ExactArithmetic
import Failures
import Money
import SQLite

/// Reads all amounts of accounts. Each run and payout must have the number that it states, the figures of payouts must
/// match their lists, and the amounts of each account and currency must add up to the balance that the last payout
/// left.
enum BookCheck {
  static func check(_ database: Database, _ runs: [RunEntry?]) throws {
    let payouts = try PayoutEntry.inBookOrder(database)
    let zeros = Currency.all.map { ExactDecimal.zero(at: -$0.settlementExponent) }
    var blocks = 0
    func read(_ kind: ListKind, _ number: Int, _ count: Int) throws -> [ExactDecimal] {
      var sums = zeros
      let stream = try AccountStream(database, AccountList(kind: kind, number: number), count: count)
      while try stream.next() { sums[Int(stream.currency.index)].add(stream.amount) }
      blocks += stream.blocksRead
      return sums
    }
    for case .some(let run) in runs {
      _ = try read(.run, run.number, run.balanceCount ?? 0)
    }
    var closing: [Currency: ExactDecimal] = [:]
    // What was booked since the payout before, by kind: payouts that are given up have no totals.
    var sums: [ListKind: [ExactDecimal]] = [:]
    let byNumber = Dictionary(uniqueKeysWithValues: payouts.map { ($0.id, $0) })
    for booking in try Booking.payouts(database, payouts) {
      for (kind, count) in booking.lists {
        let added = try read(kind, booking.number, count)
        for (place, amount) in added.enumerated() { sums[kind, default: zeros][place].add(amount) }
      }
      guard let payout = byNumber[booking.id] else { continue }
      let damaged = Failure.damagedLedger("the figures of payout \(payout.number) do not add up")
      for currency in Currency.all {
        let total = payout.totals.first { $0.currency == currency } ?? PayoutTotal(currency)
        for kind in ListKind.allCases where kind != .run && kind.effect != .none {
          guard total.sum(kind) == (sums[kind] ?? zeros)[Int(currency.index)] else { throw damaged }
        }
      }
      sums.removeAll()
      for total in payout.totals {
        guard closing[total.currency] ?? total.opening == total.opening, total.isBalanced else { throw damaged }
      }
      for total in payout.totals { closing[total.currency] = total.closing }
      if try booking.list(.closings).isKept(database, count: payout.carried) {
        _ = try read(.closings, payout.number, payout.carried)
      }
      for kind in ListKind.ofLastPayout {
        if let count = payout.counts[kind], try booking.list(kind).isKept(database, count: count) {
          _ = try read(kind, payout.number, count)
        }
      }
    }
    guard try BlockTable.accounts.count(database) == blocks else {
      throw Failure.damagedLedger("it has balances that belong to no run or payout")
    }
    if let last = payouts.last { try checkClosings(database, of: last) }
    try Refusals.check(database, payouts)
  }

  /// Throws if the balances that a payout left are not the sums over all runs and payouts until then.
  private static func checkClosings(_ database: Database, of payout: PayoutEntry) throws {
    let list = AccountList(kind: .closings, number: payout.number)
    let stream = try AccountStream(database, list, count: payout.carried)
    let book = try BookReading(database, until: payout.bookedRun, before: payout.place + 1, fromStart: true)
    while try book.next() {
      if book.closing.isZero { continue }
      guard try stream.next(), stream.compare(book.account.span, book.currency) == 0, stream.amount == book.closing,
        stream.note.elementsEqual(AccountBook.sinceNote(book.since))
      else { throw Self.differ(payout.number) }
    }
    if try stream.next() { throw Self.differ(payout.number) }
  }

  private static func differ(_ payout: Int) -> Failure {
    .damagedLedger("the balances that payout \(payout) left are not those of the entries before it")
  }
}
