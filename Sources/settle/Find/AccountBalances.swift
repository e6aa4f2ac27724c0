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
    let balance = "\(book.currency.code) balance \(book.balance.grouped)"
    let since = book.since.map { ", since run \($0)" } ?? ""
    return [balance + since]
      + (book.refused.map {
        ["a payment to its bank account came back: to pay there again, set hold to retry \($0.text)"]
      } ?? [])
      + AccountBook.Entry.columns.table(book.entries)
  }

  private static func json(_ book: AccountBook) -> JSONTree {
    [
      "currency": .string(book.currency.code), "balance": .string(book.balance.description),
      "since": book.since.map { .number($0) } ?? .null,
      "refused": book.refused.map { .string($0.text) } ?? .null,
      "entries": AccountBook.Entry.columns.array(book.entries),
    ]
  }
}

extension AccountBook.Entry {
  static let columns = Listing<Self>([
    ListColumn(title: "entry") { $0.name },
    ListColumn("kind", title: nil) { $0.kind.rawValue },
    ListColumn("number", title: nil) { $0.number },
    ListColumn("amount") { $0.amount },
    ListColumn("balance") { $0.balance },
  ])

  private var name: String {
    switch kind {
    case .run: "run \(number)"
    case .payout: "payout \(number)"
    case .returned: "returned, payout \(number)"
    case .adjusted: "adjusted, payout \(number)"
    }
  }
}
