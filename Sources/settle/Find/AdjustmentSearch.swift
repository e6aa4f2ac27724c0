import Failures
import JSON
import Ledger
import Records
import Text

/// Shows an adjustment by its key. A key of a payment may look the same.
struct AdjustmentSearch {
  let found: Adjusted
  /// Whether its directory is left alone.
  let ledgerOnly: Bool

  func show(_ nights: FoundNights) throws(Failure) {
    let (note, change) = (found.adjustment.change.note, found.adjustment.change.amount)
    let directory = found.payout.map(History.directory)
    let isGone = ledgerOnly ? nil : found.payout.map(History.isGone)
    let account = MessageText.identifier(change.account, limit: Account.maximumLength)
    let date = found.payout?.identity.date
    try nights.showSum {
      [
        "payout \(found.adjustment.payout)  "
          + (directory.map { "\(date!)  \($0)\(isGone == true ? " (gone)" : "")" } ?? "given up"),
        "  ADJUSTED  \(note.key) of \(account), \(change.currency.code) \(change.amount.grouped), "
          + note.reason,
      ]
    } json: {
      [
        [
          ("adjustmentKey", .string(note.key)), ("payout", .number(found.adjustment.payout)),
          ("date", date.map(JSONTree.string) ?? .null), ("account", .string(change.account)),
          ("currency", .string(change.currency.code)), ("amount", .string(change.amount.description)),
          ("reason", .string(note.reason)), ("payoutDirectory", directory.map(JSONTree.string) ?? .null),
          ("payoutDirectoryGone", isGone.map { .boolean($0) } ?? .null),
        ]
      ]
    }
  }
}
