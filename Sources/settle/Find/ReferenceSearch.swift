import Failures
import Ledger
import Records
import Text

/// Shows a payment of a payout by its reference, with its contents. A key may look the same.
struct ReferenceSearch {
  let paid: PaidOut
  /// Whether its directory is left alone.
  let ledgerOnly: Bool
  /// The way on if it came back; nil if it did not.
  let paidOut: [ShownWay]?

  func show(_ found: FoundNights) throws(Failure) {
    let (payment, entry, contents) = (paid.payment, paid.payout, paid.contents)
    let directory = History.directory(paid.payout)
    let isGone = ledgerOnly ? nil : History.isGone(paid.payout)
    let account = MessageText.identifier(payment.account, limit: Account.maximumLength)
    let lines =
      [
        "PAID  \(paid.reference.text) to \(account), \(payment.currency.code) \(payment.amount.grouped)",
        paid.returned.map { "RETURNED  \($0.reason), booked by payout \($0.payout)" },
      ].compactMap(\.self) + table + (paidOut.map(ShownWay.lines) ?? [])
    try found.showSum {
      ["payout \(paid.payout.number)  \(entry.identity.date)  \(directory)\(isGone == true ? " (gone)" : "")"]
        + lines.map { "  " + $0 }
    } json: {
      [
        [
          ("reference", .string(paid.reference.text)), ("payout", .number(paid.payout.number)),
          ("date", .string(entry.identity.date)), ("account", .string(payment.account)),
          ("currency", .string(payment.currency.code)), ("amount", .string(payment.amount.description)),
          ("returnedBy", paid.returned.map { .number($0.payout) } ?? .null),
          ("reason", paid.returned.map { .string($0.reason) } ?? .null),
          ("payoutDirectory", .string(directory)), ("payoutDirectoryGone", isGone.map { .boolean($0) } ?? .null),
          ("previous", contents.previous.map { .string($0.text) } ?? .null),
          ("opening", .string(contents.opening.description)),
          ("entries", AccountBook.Entry.columns.array(Array(contents.entries))),
          ("carried", .string(contents.carried.description)),
          ("paidOut", paidOut.map(ShownWay.columns.array) ?? .null),
        ]
      ]
    }
  }

  /// The contents, between the last payment and this one.
  private var table: [String] {
    let (contents, columns) = (paid.contents, AccountBook.Entry.columns)
    let before = contents.previous.map { [["after \($0)", "", contents.opening.grouped]] } ?? []
    return columns.table.lines(before + (contents.entries + [contents.payment]).map(columns.cells))
  }
}
