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

  @OptionGroup var ledger: LedgerOption

  @Option(
    help: ArgumentHelp("The day at whose end the balances are shown; default: now.", valueName: "YYYY-MM-DD"),
    transform: CalendarDay.parsedOfLedgers)
  var until: CalendarDay?

  @Option(help: "How the list looks: table, csv or jsonl.")
  var format: ListFormat = .table

  @OptionGroup var log: LogOptions

  /// What is shown of each balance.
  private static let columns = Listing<BookReading>([
    ListColumn("account") { $0.account },
    ListColumn("currency", title: "") { $0.currency },
    ListColumn("balance") { $0.closing },
    ListColumn("since") { $0.since },
  ])

  func execute() throws(Failure) -> Int32 {
    let ledger = try ledger.accounts()
    switch format {
    case .table: try showTable(ledger)
    case .csv:
      try Terminal.emit(Array(Self.columns.header.utf8))
      try show(ledger, Self.columns.appendCSV)
    case .jsonl: try show(ledger, Self.columns.appendJSON)
    }
    try ledger.expectUnchanged()
    return 0
  }

  private func forEachBalance(
    _ ledger: AccountLedger, _ show: (BookReading) throws(Failure) -> Void
  ) throws(Failure) {
    let book = try ledger.balances(until: until)
    while try book.next() { if !book.closing.isZero { try show(book) } }
  }

  private func show(
    _ ledger: AccountLedger, _ append: (BookReading, inout TextBuffer) -> Void
  ) throws(Failure) {
    var text = TextBuffer(capacity: 1 << 17)
    try forEachBalance(ledger) { book throws(Failure) in
      append(book, &text)
      guard text.count > 1 << 16 else { return }
      try Terminal.emit(text.span)
      text.removeAll()
    }
    try Terminal.emit(text.span)
  }

  /// Shows the balances to people, then for each currency the number and sum of those above and below zero.
  private func showTable(_ ledger: AccountLedger) throws(Failure) {
    var table = Self.columns.table
    var sums: [Currency: BalanceSums] = [:]
    // The balances are read twice, because the widths of columns come first.
    try forEachBalance(ledger) { book throws(Failure) in
      table.widen(for: Self.columns.cells(book))
      sums[book.currency, default: BalanceSums(book.currency)].add(book.closing)
    }
    guard !sums.isEmpty else { return try Terminal.emit(["All balances are zero."]) }
    var lines = [table.head]
    try forEachBalance(ledger) { book throws(Failure) in
      lines.append(table.line(Self.columns.cells(book)))
      guard lines.count == 1_000 else { return }
      try Terminal.emit(lines)
      lines.removeAll(keepingCapacity: true)
    }
    let rows = sums.sorted { $0.key < $1.key }.map { currency, sums in
      [currency.code, "\(sums.above.count)", sums.above.sum.grouped, "\(sums.below.count)", sums.below.sum.grouped]
    }
    try Terminal.emit(lines + [""] + Table.lines(["currency", "above zero", "sum", "below zero", "sum"], rows))
  }
}

/// The balances of a currency above and below zero.
private struct BalanceSums {
  private(set) var above: (count: Int, sum: ExactDecimal)
  private(set) var below: (count: Int, sum: ExactDecimal)

  init(_ currency: Currency) {
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    (above, below) = ((0, zero), (0, zero))
  }

  mutating func add(_ balance: ExactDecimal) {
    if balance.isNegative {
      below.count += 1
      below.sum.add(balance)
    } else {
      above.count += 1
      above.sum.add(balance)
    }
  }
}
