import Accounts
import ArgumentParser
import Console
import ExactArithmetic
import Failures
import Ledger
import Money
import Records
import Text

/// `settle balances`: what is owed to whom.
struct Balances: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "balances",
    abstract: "List the balances of all accounts, now or at the end of a day.",
    discussion: """
      Lists every account and currency whose balance is not zero: what is owed to the account or, below zero, what it \
      owes. Runs and payouts count by their booking day, so that the balances of a day stay the same once a later day \
      has entries. The column since has the run in which the balance last left zero or changed its sign.

      EXAMPLES:
        settle balances --ledger settled/ledger
        settle balances --ledger settled/ledger --until 2026-10-31 --format csv >balances-2026-10.csv
      """)

  @OptionGroup var ledger: AccountLedgerOption

  @Option(help: ArgumentHelp("The day at whose end the balances are shown; default: now.", valueName: "YYYY-MM-DD"))
  var until: String?

  @Option(help: "How the list looks: table, csv or jsonl.")
  var format: ListFormat = .table

  @OptionGroup var log: LogOptions

  func validate() throws { try CalendarDay.expectPeriod(nil, until) }

  func execute() throws(Failure) -> Int32 {
    let ledger = try ledger.open()
    let last = until.flatMap { CalendarDay($0) }
    switch format {
    case .table: try BalanceTable(ledger: ledger, until: last).show()
    case .csv:
      try show(ledger, last, "account,currency,balance,since\n") { book, text in
        text.append(book.account)
        text.append(",")
        let (first, second, third) = book.currency.codeBytes
        text.append(first)
        text.append(second)
        text.append(third)
        text.append(",")
        text.append(book.closing)
        text.append(",")
        text.append(number: book.since)
        text.append("\n")
      }
    case .jsonl:
      try show(ledger, last, "") { book, text in
        text.append("{\"account\":\"")
        // Accounts need no escapes.
        text.append(book.account)
        text.append("\",\"currency\":\"\(book.currency.code)\",\"balance\":\"")
        text.append(book.closing)
        text.append("\",\"since\":")
        text.append(number: book.since)
        text.append("}\n")
      }
    }
    try ledger.expectUnchanged()
    return 0
  }

  private func show(
    _ ledger: AccountLedger, _ last: CalendarDay?, _ header: String,
    _ append: (PeriodReading, inout TextBuffer) -> Void
  ) throws(Failure) {
    var text = TextBuffer(capacity: 1 << 17)
    text.append(header)
    let book = try ledger.balances(until: last)
    while try book.next() {
      if book.closing.isZero { continue }
      append(book, &text)
      if text.count > 1 << 16 {
        try Terminal.emit(text.span)
        text.removeAll()
      }
    }
    try Terminal.emit(text.span)
  }
}

/// Balances for people: the accounts, then for each currency the number and sum of those above and below zero.
struct BalanceTable {
  let ledger: AccountLedger
  /// The day at whose end balances are shown; nil for now.
  let until: CalendarDay?

  private struct Sums {
    var above = (count: 0, sum: ExactDecimal.zero)
    var below = (count: 0, sum: ExactDecimal.zero)
  }

  /// Prints it. The balances are read twice, because the widths of columns come first.
  func show() throws(Failure) {
    var widths = ["account".count, "balance".count, "since".count]
    var sums: [Currency: Sums] = [:]
    try forEach { book throws(Failure) in
      let cells = [String(decoding: book.account, as: UTF8.self), ClosingTable.grouped(book.closing), "\(book.since)"]
      for (place, cell) in cells.enumerated() { widths[place] = max(widths[place], cell.count) }
      if book.closing.isNegative {
        sums[book.currency, default: Sums()].below.count += 1
        sums[book.currency]!.below.sum.add(book.closing)
      } else {
        sums[book.currency, default: Sums()].above.count += 1
        sums[book.currency]!.above.sum.add(book.closing)
      }
    }
    guard !sums.isEmpty else { return try Terminal.emit(["All balances are zero."]) }
    func line(_ account: String, _ currency: String, _ balance: String, _ since: String) -> String {
      func padding(_ cell: String, _ place: Int) -> String { String(repeating: " ", count: widths[place] - cell.count) }
      return account + padding(account, 0) + "  \(currency)  " + padding(balance, 1) + balance + "  "
        + padding(since, 2) + since
    }
    var lines = [line("account", "   ", "balance", "since")]
    try forEach { book throws(Failure) in
      lines.append(
        line(
          String(decoding: book.account, as: UTF8.self), book.currency.code, ClosingTable.grouped(book.closing),
          "\(book.since)"))
      guard lines.count == 1_000 else { return }
      try Terminal.emit(lines)
      lines.removeAll(keepingCapacity: true)
    }
    let rows = sums.sorted { $0.key < $1.key }.map { currency, sums in
      [currency.code, "\(sums.above.count)", shown(sums.above.sum, currency), "\(sums.below.count)"]
        + [shown(sums.below.sum, currency)]
    }
    try Terminal.emit(
      lines + [""] + ClosingTable.table(["currency", "above zero", "sum", "below zero", "sum"], rows))
  }

  private func forEach(_ take: (PeriodReading) throws(Failure) -> Void) throws(Failure) {
    let book = try ledger.balances(until: until)
    while try book.next() { if !book.closing.isZero { try take(book) } }
  }

  private func shown(_ sum: ExactDecimal, _ currency: Currency) -> String {
    ClosingTable.grouped(sum + .zero(at: -currency.settlementExponent))
  }
}
