import Failures
import FileSystem
import Ledger

/// What a ledger keeps of a payout, in lists next to its output.
struct PayoutLists {
  let payments: AccountEntries
  let returns: AccountEntries
  let adjustments: AccountEntries
  let closings: AccountEntries
  let refusals: AccountEntries

  init(beside place: OutputPlace) throws(Failure) {
    payments = try AccountEntries(.payments, beside: place)
    returns = try AccountEntries(.returns, beside: place)
    adjustments = try AccountEntries(.adjustments, beside: place)
    closings = try AccountEntries(.closings, beside: place)
    refusals = try AccountEntries(.refusals, beside: place)
  }

  /// Takes all returns, in any order.
  func enterReturns(_ all: [(note: ReturnNote, payment: BookedPayment)]) throws(Failure) {
    let sorted = all.sorted { left, right in
      if left.payment.account != right.payment.account {
        return left.payment.account.lexicographicallyPrecedes(right.payment.account)
      }
      return (left.payment.currency, left.note.reference) < (right.payment.currency, right.note.reference)
    }
    for (note, payment) in sorted {
      try returns.append(payment.account.span, payment.currency, payment.amount, note: note.bytes)
    }
    try returns.finish()
  }

  /// Takes all adjustments, in any order.
  func enterAdjustments(_ all: [(note: AdjustmentNote, change: BookedPayment)]) throws(Failure) {
    try adjustments.append(all)
  }

  /// Call after the last payment and balance.
  ///
  /// - Parameter left: the bank accounts that are refused from now on.
  func finish(_ left: Refusals) throws(Failure) {
    for list in [payments, closings] { try list.finish() }
    try left.write(to: refusals)
  }

  /// - Parameters:
  ///   - bookedRun: the run after which it counts; nil for the run it was made up to.
  ///   - name: the name that the ledger takes, if it takes another one.
  func enter(
    _ entry: PayoutEntry, bookedRun: Int? = nil, name: LedgerName? = nil, in ledger: Ledger
  ) throws(Failure) -> Int {
    try ledger.enter(
      entry, payments: payments, returns: returns, adjustments: adjustments, closings: closings,
      refusals: entry.isAdopted ? nil : refusals, bookedRun: bookedRun, name: name)
  }
}

extension AccountEntries {
  /// Takes all adjustments, in any order, and finishes.
  func append(_ all: [(note: AdjustmentNote, change: BookedPayment)]) throws(Failure) {
    let sorted = all.sorted { left, right in
      if left.change.account != right.change.account {
        return left.change.account.lexicographicallyPrecedes(right.change.account)
      }
      return (left.change.currency, left.note.key) < (right.change.currency, right.note.key)
    }
    for (note, change) in sorted {
      try append(change.account.span, change.currency, change.amount, note: note.bytes)
    }
    try finish()
  }
}
