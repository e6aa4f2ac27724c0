import ArgumentParser
import Console
import ExactArithmetic
import Failures
import Ledger
import Money
import Payouts
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
      has entries. The column since has the run in which the balance last left zero or changed its sign. With --terms the \
      list also says what of it is free, delayed, reserved and kept on that day; a later day shows when money is free.

      EXAMPLES:
        settle balances --ledger settled/ledger
        settle balances --ledger settled/ledger --until 2026-10-31 --format csv >balances-2026-10.csv
        settle balances --ledger settled/ledger --terms terms.csv
      """)

  @Option(.ledger) var ledger: String

  @Option(.dayOfLedger("The day at whose end the balances are shown; default: now."))
  var until: CalendarDay?

  @Option(.file("What is not free yet, as settle payout takes it: a CSV file."))
  var terms: String?

  @Option(help: "How the list looks: table, csv or jsonl.")
  var format: ListFormat = .table

  @OptionGroup var log: LogOptions

  /// A balance, and what terms hold of it; nil without terms.
  private typealias Row = (book: BookReading, held: HeldAmounts?)

  /// What is shown of each balance.
  private static let columns: [ListColumn<Row>] = [
    ListColumn("account") { $0.book.account },
    ListColumn("currency", title: "") { $0.book.currency },
    ListColumn("balance") { $0.book.closing },
    ListColumn("since") { $0.book.since },
  ]
  /// With terms.
  private static let heldColumns: [ListColumn<Row>] = [
    ListColumn("free", title: nil) { $0.held?.free },
    ListColumn("delayed", title: nil) { $0.held?.delayed },
    ListColumn("reserved", title: nil) { $0.held?.reserved },
    ListColumn("kept", title: nil) { $0.held?.kept },
  ]

  func execute() throws(Failure) -> Int32 {
    let ledger = try LedgerReading.warned(ledger)
    var read: Terms?
    if let path = self.terms {
      let (terms, faults) = try Terms.read(path)
      if let faults {
        Log.report(faults)
        return Failure.Kind.configuration.exitCode
      }
      read = terms
    }
    if let until { ledger.noticeOpen(until) }
    let terms = read
    let listing = Listing(Self.columns + (terms == nil ? [] : Self.heldColumns))
    switch format {
    case .table: try showTable(ledger, terms, listing)
    case .csv:
      try Terminal.emit(Array(listing.header.utf8))
      try show(ledger, terms, listing.appendCSV)
    case .jsonl: try show(ledger, terms, listing.appendJSON)
    }
    try ledger.expectUnchanged()
    return 0
  }

  private func forEachBalance(
    _ ledger: LedgerReading, _ terms: Terms?, _ show: (Row) throws(Failure) -> Void
  ) throws(Failure) {
    let holdings = try terms.map { terms throws(Failure) in
      // A payout of the day after the last one's may have been made already, east of Greenwich.
      let day = until ?? max(.today, ledger.order.days.last ?? .today)
      return try Holdings(terms, on: day, ledger.order.runs(until: until), ledger)
    }
    let book = try ledger.balances(until: until)
    while try book.next() {
      if !book.closing.isZero { try show((book, holdings?.held(of: book))) }
    }
  }

  private func show(
    _ ledger: LedgerReading, _ terms: Terms?, _ append: (Row, inout TextBuffer) -> Void
  ) throws(Failure) {
    var text = TextBuffer(capacity: 1 << 17)
    try forEachBalance(ledger, terms) { row throws(Failure) in
      append(row, &text)
      guard text.count > 1 << 16 else { return }
      try Terminal.emit(text.span)
      text.removeAll()
    }
    try Terminal.emit(text.span)
  }

  /// Shows the balances to people, then for each currency the number and sum of those above and below zero, and what terms
  /// hold of them.
  private func showTable(_ ledger: LedgerReading, _ terms: Terms?, _ listing: Listing<Row>) throws(Failure) {
    var table = listing.table
    var sums: [Currency: BalanceSums] = [:]
    // The balances are read twice, because the widths of columns come first.
    try forEachBalance(ledger, terms) { row throws(Failure) in
      table.widen(for: listing.cells(row))
      sums[row.book.currency, default: BalanceSums(row.book.currency)].add(row.book.closing, row.held)
    }
    guard !sums.isEmpty else { return try Terminal.emit(["All balances are zero."]) }
    var lines = [table.head]
    try forEachBalance(ledger, terms) { row throws(Failure) in
      lines.append(table.line(listing.cells(row)))
      guard lines.count == 1_000 else { return }
      try Terminal.emit(lines)
      lines.removeAll(keepingCapacity: true)
    }
    let held = terms == nil ? [] : ["free", "delayed", "reserved", "kept"]
    let rows = sums.sorted { $0.key < $1.key }.map { currency, sums in
      [currency.code, "\(sums.above.count)", sums.above.sum.grouped, "\(sums.below.count)", sums.below.sum.grouped]
        + sums.held.prefix(held.count).map(\.grouped)
    }
    try Terminal.emit(
      lines + [""] + Table.lines(["currency", "above zero", "sum", "below zero", "sum"] + held, rows))
  }
}

/// The balances of a currency above and below zero.
private struct BalanceSums {
  private(set) var above: (count: Int, sum: ExactDecimal)
  private(set) var below: (count: Int, sum: ExactDecimal)
  /// What is free, delayed, reserved and kept.
  private(set) var held: [ExactDecimal]

  init(_ currency: Currency) {
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    (above, below, held) = ((0, zero), (0, zero), [zero, zero, zero, zero])
  }

  mutating func add(_ balance: ExactDecimal, _ held: HeldAmounts?) {
    if let held {
      for (place, amount) in [held.free, held.delayed, held.reserved, held.kept].enumerated() {
        self.held[place].add(amount)
      }
    }
    if balance.isNegative {
      below.count += 1
      below.sum.add(balance)
    } else {
      above.count += 1
      above.sum.add(balance)
    }
  }
}
