import Accounts
import ExactArithmetic
import Failures
import FileSystem
import Ledger
import Money
import Records
import Text

/// Appends the transactions of runs and payouts to a period's books.
struct BookingTransactions {
  private let books: PeriodBooks
  private let ledger: LedgerReading
  private let figures: NightFigures

  init(_ books: PeriodBooks, _ ledger: LedgerReading) throws(Failure) {
    (self.books, self.ledger) = (books, ledger)
    figures = NightFigures(ledger, remedy: "")
  }

  /// Appends the transactions of the run or payout at a place in entry order.
  func append(_ place: Int) throws(Failure) {
    let (booking, day) = (ledger.order.bookings[place], ledger.order.days[place])
    guard booking.counts else { return }
    if let run = ledger.order.run(at: place) { return try append(run, booking, day) }
    for list in try ledger.lists(of: booking) {
      var sorted: [Entry] = []
      while try list.next() {
        let entry = Entry(
          note: try list.note(), account: Array(list.account), currency: list.currency,
          amount: list.amount)
        if case .payment = entry.note { try append(entry, booking, day) } else { sorted.append(entry) }
      }
      for entry in sorted.sorted(by: Entry.precedes) { try append(entry, booking, day) }
    }
  }

  // MARK: Payouts

  /// An entry of a payout.
  private struct Entry {
    let note: BookReading.Change.Note
    let account: [UInt8]
    let currency: Currency
    let amount: ExactDecimal

    /// Whether a return or an adjustment comes before another one of its payout.
    static func precedes(_ left: Entry, _ right: Entry) -> Bool {
      switch (left.note, right.note) {
      case (.returned(let left), .returned(let right)): left.reference < right.reference
      case (.adjusted(let left), .adjusted(let right)): left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
      default: false
      }
    }
  }

  private func append(_ entry: Entry, _ booking: Booking, _ day: CalendarDay) throws(Failure) {
    let (description, other): (String, BookAccount) =
      switch entry.note {
      case .returned(let note): ("return \(note.reference.text) \(note.reason)", .payouts)
      case .adjusted(let note):
        (
          "adjustment \(note.key) \(note.reason)",
          BookAccount(ofReason: note.reason, isPayment: booking.id.kind == .givenUp)
        )
      case .payment(let number): ("payout P\(booking.number)-\(number)", .payouts)
      case .run: preconditionFailure("a payout has no run")
      }
    try books.begin(day, description)
    try books.append(entry.account[...], -entry.amount, entry.currency)
    books.append(other, entry.amount, entry.currency)
  }

  // MARK: Runs

  /// What the receivers of a run got in a currency.
  private struct Received {
    var total: ExactDecimal
    var parts = WideAmount()
  }

  private func append(_ run: RunEntry, _ booking: Booking, _ day: CalendarDay) throws(Failure) {
    // Of nights before the file only the totals are read.
    if books.isInFile { try figures.receivers(of: run, booking) { _, _ in } }
    let (totals, named) = (try figures.totals(of: run), try figures.namedFees(of: run))
    var received: [Currency: Received] = [:]
    try forEach(booking) { entry in
      let zero = Received(total: .zero(at: -entry.currency.settlementExponent))
      received[entry.currency, default: zero].total.add(entry.amount)
      received[entry.currency]!.parts.add(entry.amount)
    }
    for (currency, moved) in totals {
      let (senders, fees, receivers) = (moved.senderBalance, moved.feesKept, received.removeValue(forKey: currency))
      let income = BookAccount.income(named, currency, fees: fees)
      guard income.reduce(fees, { $0 + $1.amount }).isZero else {
        throw .inputOutput(
          "\(ledger.shown): run \(run.number): the fees of summary.json are not those of totals.csv in "
            + "\(currency.code). Nothing was written; settle verify \(Self.quoted(run)) says more")
      }
      guard (senders + fees + (receivers?.total ?? .zero)).isZero else { throw unbalanced(run, currency) }
      if senders.isZero, fees.isZero, receivers == nil { continue }
      try books.begin(day, "run \(run.number) \(currency.code)")
      // In parts of wide amounts, each part balances on its own.
      var parts = receivers?.parts ?? WideAmount()
      for (_, amount) in income { parts.add(-amount) }
      books.append(.senders, -senders, currency, parts: parts)
      try forEach(booking) { entry throws(Failure) in
        if entry.currency == currency { try books.append(Array(entry.account)[...], -entry.amount, currency) }
      }
      for (account, amount) in income { books.append(account, amount, currency) }
    }
    if let (currency, _) = received.first { throw unbalanced(run, currency) }
  }

  private func forEach(
    _ booking: Booking, _ take: (BookedAmounts) throws(Failure) -> Void
  ) throws(Failure) {
    for list in try ledger.lists(of: booking) {
      while try list.next() { try take(list) }
    }
  }

  private static func quoted(_ run: RunEntry) -> String {
    ShellWord.quoted(OutputPlace.shown(FileName.string(run.directory)))
  }

  private func unbalanced(_ run: RunEntry, _ currency: Currency) -> Failure {
    .inputOutput(
      "\(ledger.shown): run \(run.number): totals.csv and the ledger do not add up to zero in \(currency.code). Nothing "
        + "was written; settle ledger verify \(ledger.quoted) names what is damaged")
  }
}
