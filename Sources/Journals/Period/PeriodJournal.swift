import Failures
import FileSystem
import Ledger
import Records

/// The books of a period as a journal: opening balances, then each run, return, adjustment and payment in entry order,
/// then the balances of all receivers (`accounts.md`). Or the part of a book that follows other journals of it
/// (`journals.md`, "A book that goes on").
public struct PeriodJournal {
  private let days: ClosedRange<CalendarDay>
  private let bookDay: CalendarDay
  private let format: JournalFormat

  /// The journal of a period.
  ///
  /// - Parameters:
  ///   - days: the first and the last day, both included.
  ///   - bookDay: the first day of the book; nil for that of the period.
  public init(_ days: ClosedRange<CalendarDay>, ofBookSince bookDay: CalendarDay? = nil, as format: JournalFormat) {
    (self.days, self.bookDay, self.format) = (days, bookDay ?? days.lowerBound, format)
  }

  /// Writes the journal, front to back. Nothing is written before all transactions have proved to sum to zero.
  ///
  /// - Parameters:
  ///   - scratch: a path next to which files without a name are made.
  ///   - output: takes the journal, piece by piece.
  /// - Returns: the number of transactions.
  package func write(
    _ ledger: LedgerReading, scratch: String, output: @escaping (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let place = try OutputPlace(path: scratch)
    let places = ledger.order.places(since: days.lowerBound, until: days.upperBound)
    let book = ledger.order.places(since: bookDay, until: days.upperBound)
    let books = try PeriodBooks(since: bookDay, days, format, beside: place)
    try books.addReceivers(ledger.period(book), from: places.lowerBound)
    let bookings = try BookingTransactions(books, ledger)
    for place in book.lowerBound..<places.lowerBound { try bookings.append(place) }
    books.beginFile()
    for place in places { try bookings.append(place) }
    try ledger.expectUnchanged()
    let head = JournalText { text throws(Failure) in try output(text) }
    books.appendHead(to: &head.buffer)
    try head.flush()
    for spool in try books.finish() {
      try spool.forEachPiece(output)
    }
    return books.transactions
  }
}

extension JournalDay {
  init(_ day: CalendarDay) {
    let (year, month, day) = day.date
    self.init(UTCTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0))
  }
}
