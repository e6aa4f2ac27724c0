import Failures
import Ledger
import Money

/// The adjustments, from all files that list them.
final class AdjustmentFiles {
  typealias Row = ListFiles<AdjustmentFile>.Row

  let list: ListFiles<AdjustmentFile>
  /// The rows to book, in the order of their keys, once `resolve` has found no fault.
  private var booked: [Row] = []
  /// The number of adjustments that an earlier payout has booked in the same way.
  private(set) var skipped = 0

  init(_ paths: [String]) { list = ListFiles(paths) }

  /// Compares the adjustments with those that are booked.
  ///
  /// - Parameter payout: the payout that books them; nil for the next one.
  func resolve(_ lookup: AdjustmentLookup, before payout: PayoutEntry?) throws(Failure) {
    if list.files.isEmpty { return }
    var rows: [Row] = []
    try list.forEachKey { row throws(Failure) in
      if !list.isFaulty(row) { rows.append(row) }
      return nil
    }
    var (isBooked, isSame) = (Array(repeating: false, count: rows.count), Array(repeating: false, count: rows.count))
    try lookup.forEach(before: payout) { adjustment in
      // An adopted payout may have booked a row under another key.
      let keys: [(key: String?, isOwn: Bool)] = [(adjustment.note.key, true), (adjustment.note.listedKey, false)]
      for (key, isOwn) in keys {
        guard let key, let place = find(key, in: rows) else { continue }
        if isOwn { isBooked[place] = true }
        let content = content(rows[place])
        if adjustment.note.isListed(as: content.note), content.change == adjustment.change { isSame[place] = true }
      }
    }
    for place in rows.indices where isBooked[place] {
      if isSame[place] { skipped += 1 } else { list.note(.alreadyAdjusted, rows[place], column: 0) }
    }
    var place = -1
    rows.removeAll { _ in
      place += 1
      return isBooked[place]
    }
    booked = rows
  }

  /// Where the row with a key is; nil without such a row.
  private func find(_ key: String, in rows: [Row]) -> Int? {
    let wanted = Array(key.utf8)
    var (lower, upper) = (0, rows.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      let order = list.rows(rows[middle]).with(0, of: Int(rows[middle].row)) { $0.compare(wanted.span) }
      if order == 0 { return middle }
      if order < 0 { lower = middle + 1 } else { upper = middle }
    }
    return nil
  }

  private func content(_ row: Row) -> AdjustmentFile.Content {
    list.files[Int(row.file)].content.content(Int(row.row))
  }

  // MARK: Booking

  /// Passes on the adjustments to book, in the order of their keys.
  func forEach(_ take: (AdjustmentFile.Content) throws(Failure) -> Void) throws(Failure) {
    for row in booked { try take(content(row)) }
  }

  /// Enters the adjustments to book in a list, and finishes it.
  func enter(in entries: AccountEntries) throws(Failure) {
    for row in list.sorted(booked, by: AdjustmentFile.Text.holderAndKey) {
      let content = content(row)
      try entries.append(
        content.change.account.span, content.change.currency, content.change.amount, note: content.note.bytes)
    }
    try entries.finish()
  }

  // MARK: Accounts

  /// Reports accounts that neither the payees nor the ledger know: a misspelt account would be paid.
  ///
  /// - Parameters:
  ///   - payees: without faults.
  ///   - haveEntries: which of some accounts and currencies, in ascending order, have an entry in the ledger.
  func expectAccounts(
    in payees: Payees,
    _ haveEntries: (Int, _ holder: (Int) -> (account: [UInt8], currency: Currency)) throws(Failure) -> [Bool]
  ) throws(Failure) {
    let rows = list.sorted(by: AdjustmentFile.Text.holder)
    // The first row of each account and currency that is not a payee's.
    var unknown: [Int] = []
    for place in rows.indices where place == 0 || !isSameHolder(rows[place - 1], rows[place]) {
      let holder = holder(rows[place])
      if payees.find(holder.account.span, holder.currency) == nil { unknown.append(place) }
    }
    payees.startAgain()
    if unknown.isEmpty { return }
    let areKnown = try haveEntries(unknown.count) { holder(rows[unknown[$0]]) }
    for (first, isKnown) in zip(unknown, areKnown) where !isKnown {
      var place = first
      repeat {
        list.note(.unknownAccount, rows[place], column: 1)
        place += 1
      } while place < rows.count && isSameHolder(rows[first], rows[place])
    }
  }

  private func isSameHolder(_ left: Row, _ right: Row) -> Bool {
    list.compare(left, right, AdjustmentFile.Text.holder) == 0
  }

  private func holder(_ row: Row) -> (account: [UInt8], currency: Currency) {
    (list.bytes(1, of: row), Currency.all[Int(list.bytes(2, of: row)[0])])
  }
}
