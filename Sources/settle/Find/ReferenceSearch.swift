import Bookkeeping
import Failures
import Records
import Text

/// Shows a payment of a payout by its reference. A key may look the same.
struct ReferenceSearch {
  let paid: PaidOut
  /// Whether its directory is left alone.
  let ledgerOnly: Bool

  func show(_ found: FoundNights) throws(Failure) {
    let (payment, entry) = (paid.payment, paid.payout)
    let directory = History.directory(paid.payout)
    let isGone = ledgerOnly ? nil : History.isGone(paid.payout)
    let account = MessageText.identifier(payment.account, limit: Account.maximumLength)
    try found.showSum {
      [
        "payout \(paid.payout.number)  \(entry.identity.date)  \(directory)\(isGone == true ? " (gone)" : "")",
        "  PAID  \(paid.reference.text) to \(account), \(payment.currency.code) \(payment.amount.grouped)",
        paid.returned.map { "  RETURNED  \($0.reason), booked by payout \($0.payout)" },
      ].compactMap(\.self)
    } json: {
      [
        [
          ("reference", .string(paid.reference.text)), ("payout", .number(paid.payout.number)),
          ("date", .string(entry.identity.date)), ("account", .string(payment.account)),
          ("currency", .string(payment.currency.code)), ("amount", .string(payment.amount.description)),
          ("returnedBy", paid.returned.map { .number($0.payout) } ?? .null),
          ("reason", paid.returned.map { .string($0.reason) } ?? .null),
          ("payoutDirectory", .string(directory)), ("payoutDirectoryGone", isGone.map { .boolean($0) } ?? .null),
        ]
      ]
    }
  }
}
