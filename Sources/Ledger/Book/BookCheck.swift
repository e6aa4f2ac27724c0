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
    func read(_ list: AccountList, _ count: Int) throws -> [ExactDecimal] {
      var sums = zeros
      let stream = try AccountStream(database, list, count: count)
      while try stream.next() { sums[Int(stream.currency.index)].add(stream.amount) }
      blocks += stream.blocksRead
      return sums
    }
    for case .some(let run) in runs {
      _ = try read(AccountList(kind: .run, number: run.number), run.balanceCount ?? 0)
    }
    var closing: [Currency: ExactDecimal] = [:]
    var adjusted = zeros
    for change in try BookedChange.all(database, payouts: payouts) {
      let count = change.lists.first { $0.kind == .adjustments }!.count
      let sums = try read(AccountList(kind: .adjustments, number: change.number), count)
      for place in adjusted.indices { adjusted[place].add(sums[place]) }
      guard let payout = change.payout else { continue }
      let number = payout.number
      let damaged = Failure.damagedLedger("the figures of payout \(number) do not add up")
      let paid = try read(AccountList(kind: .payments, number: number), payout.payments)
      let returned = try read(AccountList(kind: .returns, number: number), payout.returns)
      for (place, currency) in Currency.all.enumerated() {
        let total = payout.totals.first { $0.currency == currency } ?? PayoutTotal(currency)
        guard total.paid == paid[place], total.returned == returned[place],
          total.adjusted ?? zeros[place] == adjusted[place]
        else { throw damaged }
      }
      adjusted = zeros
      for total in payout.totals {
        guard closing[total.currency] ?? total.opening == total.opening, total.isBalanced else { throw damaged }
      }
      for total in payout.totals { closing[total.currency] = total.closing }
      let closings = AccountList(kind: .closings, number: number)
      if try BookReading.isKept(database, payout) { _ = try read(closings, payout.carried) }
      if let refused = payout.refused, try Refusals.isKept(database, payout) {
        _ = try read(AccountList(kind: .refusals, number: number), refused)
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
    let book = try BookReading(database, untilRun: payout.bookedRun, before: payout.place + 1, fromStart: true)
    while try book.next() {
      if book.balance.isZero { continue }
      guard try stream.next(), stream.compare(book.account.span, book.currency) == 0, stream.amount == book.balance,
        stream.note.elementsEqual(AccountBook.sinceNote(book.since))
      else { throw Self.differ(payout.number) }
    }
    if try stream.next() { throw Self.differ(payout.number) }
  }

  private static func differ(_ payout: Int) -> Failure {
    .damagedLedger("the balances that payout \(payout) left are not those of the entries before it")
  }
}
