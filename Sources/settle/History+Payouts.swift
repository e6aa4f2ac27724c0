import BatchRun
import Console
import ExactArithmetic
import FileSystem
import JSON
import Ledger
import Payouts
import Records
import Text

/// Payouts, and the balances of one account.
extension History {
  func tellPayouts() throws(RunFailure) -> Int32 {
    let history = try RunHistory(ledger: ledger)
    if let unfinished = history.unfinished { Log.warning(unfinished) }
    let payouts = history.payouts.filter { [since] payout in since.map { $0 <= payout.entry.time } ?? true }
      .suffix(last ?? .max)
    switch format {
    case .table where payouts.isEmpty: try Terminal.emit(["The ledger has no such payouts."])
    case .table: try Terminal.emit([payouts.map(Self.text).joined(separator: "\n\n")])
    case .jsonl: try Terminal.emit(payouts.map { Self.json($0).description })
    }
    return 0
  }

  private static func text(_ payout: NumberedPayout) -> String {
    let (number, entry) = (payout.number, payout.entry)
    let identity = entry.identity
    let rows = entry.totals.map { total in
      [total.currency, "\(total.instructions)"]
        + [total.paid, total.returned, total.carried, total.owing].map(ClosingTable.grouped)
    }
    let heading = ["currency", "payments", "paid", "returned", "carried", "owing"]
    let lines =
      [
        "payout \(number)  \(identity.date)  up to run \(entry.untilRun)  entered \(entry.time)",
        "\(Terminal.count(entry.payments, "payment")) for \(identity.executionDate), "
          + "\(Terminal.count(entry.returns, "return")), \(Terminal.count(entry.carried, "balance")) carried, "
          + "exit code \(entry.exitCode)",
      ] + (rows.isEmpty ? [] : ClosingTable.table(heading, rows))
      + ["files: \(directory(payout))\(isGone(payout) ? " (gone)" : "")"]
    return lines.joined(separator: "\n  ")
  }

  static func directory(_ payout: NumberedPayout) -> String { MessageText.escapedName(payout.entry.directory) }

  static func isGone(_ payout: NumberedPayout) -> Bool { OutputPlace.isGone(FileName.string(payout.entry.directory)) }

  private static func json(_ payout: NumberedPayout) -> JSONTree {
    let (entry, identity) = (payout.entry, payout.entry.identity)
    func text(_ text: String?) -> JSONTree { text.map(JSONTree.string) ?? .null }
    return [
      "payout": .number(payout.number), "time": .string(entry.time), "engine": .string(entry.engine),
      "date": .string(identity.date), "executionDate": .string(identity.executionDate),
      "since": .number(entry.firstRun), "until": .number(entry.untilRun),
      "inputs": [
        "payees": .string(identity.payees), "returned": text(identity.returned), "debtor": text(identity.debtor),
      ],
      "payments": .number(entry.payments), "returns": .number(entry.returns), "carried": .number(entry.carried),
      "exitCode": .number(Int(entry.exitCode)), "adopted": .boolean(entry.isAdopted),
      "totals": .array(entry.totals.map(\.tree)), "directory": .string(directory(payout)),
      "directoryGone": .boolean(isGone(payout)),
    ]
  }

  // MARK: An account

  func tell(account: [UInt8]) throws(RunFailure) -> Int32 {
    let search = try LedgerSearch(ledger: ledger)
    let books = try search.books(of: account)
    let name = MessageText.identifier(account, limit: Account.maximumLength)
    let json: JSONTree = [
      "account": .string(account),
      "balances": .array(books.map { .object([("currency", .string($0.currency.code))] + Self.fields($0)) }),
    ]
    let text = (["account \(name)"] + books.flatMap { Self.lines($0).map { "  " + $0 } }).joined(separator: "\n")
    return try tell(
      search, books.isEmpty ? nil : text, json,
      otherwise: "no run or payout of the ledger has a balance of that account")
  }

  /// A balance and its entries, for people.
  static func lines(_ book: AccountBook) -> [String] {
    let balance = "\(book.currency.code) balance \(ClosingTable.grouped(book.balance))"
    return [balance + (book.since.map { ", since run \($0)" } ?? "")]
      + ClosingTable.table(
        ["entry", "amount", "balance"],
        book.entries.map {
          [name($0), ClosingTable.grouped($0.amount), ClosingTable.grouped($0.balance)]
        })
  }

  private static func name(_ entry: AccountBook.Entry) -> String {
    switch entry.kind {
    case .run: "run \(entry.number)"
    case .payout: "payout \(entry.number)"
    case .returned: "returned, payout \(entry.number)"
    }
  }

  /// The fields of a balance's JSON object.
  static func fields(_ book: AccountBook) -> [(String, JSONTree)] {
    let entries = book.entries.map { entry -> JSONTree in
      [
        "kind": .string(entry.kind.rawValue), "number": .number(entry.number),
        "amount": .string(entry.amount.description), "balance": .string(entry.balance.description),
      ]
    }
    return [
      ("balance", .string(book.balance.description)), ("since", book.since.map { .number($0) } ?? .null),
      ("entries", .array(entries)),
    ]
  }
}
