import Failures
import Ledger
import Money

extension ChangeFiles where Note == AdjustmentNote {
  /// Reports accounts that neither the payees nor the ledger know: a misspelt account would be paid.
  ///
  /// - Parameters:
  ///   - payees: without faults.
  ///   - haveEntries: which of some accounts and currencies, in ascending order, have an entry in the ledger.
  func expectAccounts(
    in payees: Payees,
    _ haveEntries: (Int, _ holder: (Int) -> (account: [UInt8], currency: Currency?)) throws(Failure) -> [Bool]
  ) throws(Failure) {
    let rows = list.sorted(by: AdjustmentFile.holder)
    // The first row of each account and currency that is not a payee's.
    var unknown: [Int] = []
    for place in rows.indices where place == 0 || !isSameHolder(rows[place - 1], rows[place]) {
      let holder = holder(rows[place])
      if payees.find(holder.account.span, holder.currency) == nil { unknown.append(place) }
    }
    payees.startAgain()
    if unknown.isEmpty { return }
    let areKnown = try haveEntries(unknown.count) { place in
      let holder = holder(rows[unknown[place]])
      return (holder.account, holder.currency)
    }
    for (first, isKnown) in zip(unknown, areKnown) where !isKnown {
      var place = first
      repeat {
        list.note(.unknownAccount, rows[place], column: 1)
        place += 1
      } while place < rows.count && isSameHolder(rows[first], rows[place])
    }
  }

  private func isSameHolder(_ left: Row, _ right: Row) -> Bool {
    list.compare(left, right, AdjustmentFile.holder) == 0
  }

  private func holder(_ row: Row) -> (account: [UInt8], currency: Currency) {
    (list.bytes(1, of: row), Currency.all[Int(list.bytes(2, of: row)[0])])
  }
}
