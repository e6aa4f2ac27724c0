import Failures
import JSON
import Ledger

/// Shows what the ledger keeps of an account: its balances.
struct AccountBalances {
  /// In lower case.
  let account: [UInt8]
  /// By currency.
  let books: [AccountBook]

  func show(_ found: FoundNights) throws(Failure) {
    guard !books.isEmpty else { return }
    try found.showLedger(books.flatMap(Self.lines)) {
      ["account": .string(account), "balances": .array(books.map(Self.json))]
    }
  }

  /// A balance and its entries, for people.
  private static func lines(_ book: AccountBook) -> [String] {
    let balance = "\(book.currency.code) balance \(ClosingTable.grouped(book.balance))"
    let since = book.since.map { ", since run \($0)" } ?? ""
    return [balance + since]
      + (book.refused.map {
        ["a payment to its bank account came back: to pay there again, set hold to retry \($0.text)"]
      } ?? [])
      + ClosingTable.table(
        ["entry", "amount", "balance"],
        book.entries.map { [name($0), ClosingTable.grouped($0.amount), ClosingTable.grouped($0.balance)] })
  }

  private static func name(_ entry: AccountBook.Entry) -> String {
    switch entry.kind {
    case .run: "run \(entry.number)"
    case .payout: "payout \(entry.number)"
    case .returned: "returned, payout \(entry.number)"
    case .adjusted: "adjusted, payout \(entry.number)"
    }
  }

  private static func json(_ book: AccountBook) -> JSONTree {
    let entries = book.entries.map { entry -> JSONTree in
      [
        "kind": .string(entry.kind.rawValue), "number": .number(entry.number),
        "amount": .string(entry.amount.description), "balance": .string(entry.balance.description),
      ]
    }
    return [
      "currency": .string(book.currency.code), "balance": .string(book.balance.description),
      "since": book.since.map { .number($0) } ?? .null,
      "refused": book.refused.map { .string($0.text) } ?? .null, "entries": .array(entries),
    ]
  }
}
