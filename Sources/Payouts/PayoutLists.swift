import BatchRun
import FileSystem
import Ledger

/// What a ledger keeps of a payout, in lists next to its output.
struct PayoutLists {
  let payments: AccountEntries
  let returns: AccountEntries
  let closings: AccountEntries

  init(beside place: OutputPlace) throws(RunFailure) {
    payments = try asRunFailure(AccountEntries(beside: place))
    returns = try asRunFailure(AccountEntries(beside: place, hasNotes: true))
    closings = try asRunFailure(AccountEntries(beside: place, hasNotes: true))
  }

  /// Takes all returns, in any order.
  func takeReturns(_ all: [(note: ReturnNote, payment: BookedPayment)]) throws(RunFailure) {
    let sorted = all.sorted { left, right in
      if left.payment.account != right.payment.account {
        return left.payment.account.lexicographicallyPrecedes(right.payment.account)
      }
      return (left.payment.currency, left.note.reference) < (right.payment.currency, right.note.reference)
    }
    for (note, payment) in sorted {
      try payment.account.withUnsafeBufferPointer { account throws(RunFailure) in
        try asRunFailure(returns.append(account, payment.currency, payment.amount, note: note.bytes))
      }
    }
    try asRunFailure(returns.finish())
  }

  /// Call after the last payment and balance.
  func finish() throws(RunFailure) {
    for list in [payments, closings] { try asRunFailure(list.finish()) }
  }

  /// - Parameters:
  ///   - bookedRun: the run after which it counts; nil for the run it was made up to.
  ///   - name: the name that the ledger takes, if it takes another one.
  func enter(
    _ entry: PayoutEntry, bookedRun: Int? = nil, name: LedgerName? = nil, in ledger: Ledger
  ) throws(LedgerFailure) -> Int {
    try ledger.enter(
      entry, payments: payments, returns: returns, closings: closings, bookedRun: bookedRun, name: name)
  }
}
