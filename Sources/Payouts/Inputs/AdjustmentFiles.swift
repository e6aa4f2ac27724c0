import Failures
import Ledger
import Money

/// The adjustments, from all files that list them.
final class AdjustmentFiles {
  let list: ListFiles<AdjustmentFile>
  /// The adjustments to book, in the order of their keys, once `resolve` has found no fault.
  private(set) var adjustments: [(note: AdjustmentNote, change: BookedPayment)] = []
  /// The number of adjustments that an earlier payout has booked in the same way.
  private(set) var skipped = 0

  init(_ paths: [String]) { list = ListFiles(paths) }

  /// Compares the adjustments with those that are booked.
  ///
  /// - Parameter payout: the payout that books them; nil for the next one.
  func resolve(_ lookup: AdjustmentLookup, before payout: PayoutEntry?) throws(Failure) {
    if list.files.isEmpty { return }
    let booked = try lookup.adjustments(before: payout)
    // An adopted payout may have booked a row under another key.
    let renamed = Dictionary(grouping: booked.values.filter { $0.note.listedKey != nil }) { $0.note.listedKey! }
    try list.forEachKey { row throws(Failure) in
      guard let content = row.content else { return nil }
      guard let before = booked[row.key] else {
        adjustments.append((content.note, content.change))
        return nil
      }
      let isSame = ([before] + renamed[row.key, default: []]).contains {
        $0.note.isListed(as: content.note) && $0.change == content.change
      }
      skipped += isSame ? 1 : 0
      return isSame ? nil : .alreadyAdjusted
    }
  }

  /// Reports accounts that neither the payees nor the ledger know: a misspelt account would be paid.
  ///
  /// - Parameters:
  ///   - payees: without faults.
  ///   - hasEntry: whether the ledger has an entry of an account and currency.
  func expectAccounts(
    in payees: Payees, _ hasEntry: ([UInt8], Currency) throws(Failure) -> Bool
  ) throws(Failure) {
    var named = list.files.flatMap { file in file.content.accounts.map { (file.content, $0) } }
    named.sort { left, right in
      if left.1.account != right.1.account { return left.1.account.lexicographicallyPrecedes(right.1.account) }
      return left.1.currency < right.1.currency
    }
    var last: (account: [UInt8], currency: Currency, isKnown: Bool)?
    for (file, named) in named {
      var isKnown = last?.isKnown ?? false
      if last?.account != named.account || last?.currency != named.currency {
        isKnown = payees.find(named.account.span, named.currency) != nil
        if !isKnown { isKnown = try hasEntry(named.account, named.currency) }
        last = (named.account, named.currency, isKnown)
      }
      if !isKnown { file.note(InputFault(line: named.line, column: 1, code: .unknownAccount)) }
    }
    payees.startAgain()
  }
}
