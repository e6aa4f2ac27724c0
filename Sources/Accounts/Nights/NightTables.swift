import Failures
import FileSystem
import Ledger
import Money

/// The rows of nights, in the order of account, currency and night: those of `receivers.csv`, and of `settlement.csv` if
/// payments are shown. The latter is read in the nights that have one of the former.
final class NightTables {
  private(set) var receivers: Merge<NightRows>
  let payments: NightPayments?

  /// - Parameters:
  ///   - places: those of the nights in an order of runs and payouts.
  ///   - mayPassOver: whether not all rows are asked for.
  init(
    _ ledger: LedgerReading, _ bookings: [Booking], at places: some Sequence<Int>, of asked: AskedAccounts,
    _ reading: NightReading, mayPassOver: Bool = false
  ) throws(Failure) {
    let figures = NightFigures(ledger, remedy: reading.remedy)
    let spool = try reading.makeSpool()
    var ranges: [(place: Int, range: Range<Int>)] = []
    var nights: [NightPayments.Night] = []
    for place in places {
      guard let run = ledger.order.run(bookings[place].id), bookings[place].counts else { continue }
      let start = spool.count
      try figures.receivers(of: run, bookings[place]) { line, accountLength throws(Failure) in
        guard asked.contains(line.extracting(first: accountLength)) else { return }
        try spool.append(line)
        try spool.append(Self.lineFeed.span)
      }
      ranges.append((place, start..<spool.count))
      if spool.count > start { nights.append((place, run)) }
    }
    try spool.flush()
    receivers = try Merge(ranges.map { NightRows(spool, $0.range, place: $0.place) })
    payments =
      reading.rows == .payments
      ? try NightPayments(nights, of: asked, figures.naming, reading, mayPassOver: mayPassOver) : nil
  }

  private static let lineFeed: [UInt8] = [0x0A]

  /// The first row that is not taken yet.
  var next: NightRows? { receivers.next?.source }

  /// The row of an account and currency that a run booked; those before it are passed over.
  func row(of account: [UInt8], _ currency: Currency, at place: Int) throws(Failure) -> NightRows {
    while next!.compare(account.span, currency, place) < 0 { try advance() }
    precondition(next!.compare(account.span, currency, place) == 0, "a night lacks a row that the ledger booked")
    return next!
  }

  /// Goes to the row after it.
  func advance() throws(Failure) { try receivers.advance() }
}
