import ExactArithmetic
import Failures
import Money
import SQLite

/// What the ledger knows about an account in a currency, in book order.
public struct AccountBook: Sendable {
  /// What changed the balance.
  public enum Kind: String, Sendable {
    /// A run's payments and refunds.
    case run
    /// A payment that came back.
    case returned
    /// What was decided outside of batches.
    case adjusted
    /// A payment.
    case payout
  }

  /// One change to the balance.
  public struct Entry: Sendable {
    /// The run or payout that booked it.
    public let id: EntryID
    /// What identifies it besides that.
    public let note: BookReading.Change.Note
    /// What it added; negative if it took something.
    public let amount: ExactDecimal
    /// The balance after it.
    public let balance: ExactDecimal

    /// An entry.
    public init(_ id: EntryID, _ note: BookReading.Change.Note, _ amount: ExactDecimal, balance: ExactDecimal) {
      (self.id, self.note, self.amount, self.balance) = (id, note, amount, balance)
    }

    /// The number of the run, or of the payout.
    public var number: Int { id.number }

    /// The kind of change.
    public var kind: Kind {
      switch note {
      case .run: .run
      case .returned: .returned
      case .adjusted: .adjusted
      case .payment: .payout
      }
    }

    /// The reference of the payment; nil if it is another change.
    public var transfer: PaymentReference? {
      guard case .payment(let payment) = note else { return nil }
      return PaymentReference(payout: number, number: payment)
    }
  }

  /// The currency of the amounts.
  public let currency: Currency
  /// The changes, in book order.
  public internal(set) var entries: [Entry] = []
  private var running: RunningBalance
  /// The balance now.
  public var balance: ExactDecimal { running.amount }
  /// The run in which it last left zero or changed its sign; nil if it is zero.
  public var since: Int? { running.since > 0 ? running.since : nil }
  /// The last return of the bank account of the last payment, if that bank account is refused (`payouts.md`, The brake);
  /// nil if it is not.
  public internal(set) var refused: PaymentReference?

  /// The note of a balance that a payout left: the run since which the balance exists.
  public static func sinceNote(_ run: Int) -> [UInt8] { [16, 8, 0].map { UInt8(truncatingIfNeeded: run >> $0) } }

  /// The run of such a note.
  static func since(of note: ArraySlice<UInt8>) -> Int { note.reduce(0) { $0 << 8 | Int($1) } }

  static func books(
    _ database: Database, of account: [UInt8], until last: Int, _ payouts: [PayoutEntry], showsRefused: Bool
  ) throws -> [AccountBook] {
    var books: [Currency: AccountBook] = [:]
    let first = try Booking.firstRun(database, payouts)
    let bookings = try Booking.inBookOrder(
      database, runs: first <= last ? first...last : nil, Booking.payouts(database, payouts))
    for booking in bookings {
      for (kind, count) in booking.lists {
        try AccountLookup(database, booking.list(kind), count: count).forEach(account) { stream in
          try books[stream.currency, default: AccountBook(currency: stream.currency)].add(stream, booking)
        }
      }
    }
    guard showsRefused else { return books.values.sorted { $0.currency < $1.currency } }
    let refusals = try Refusals(database, before: (payouts.map(\.number).max() ?? 0) + 1)
    if !refusals.isEmpty {
      let payments = try LastPayments(database, before: .max)
      for currency in books.keys.sorted() {
        var bank: BankAccountDigest?
        if case .known(let known) = try payments.destination(account.span, currency) { bank = known }
        books[currency]!.refused = refusals.refusal(of: bank, account.span, currency)?.reference
      }
    }
    return books.values.sorted { $0.currency < $1.currency }
  }

  private init(currency: Currency) { (self.currency, running) = (currency, RunningBalance(currency)) }

  private mutating func add(_ stream: AccountStream, _ booking: Booking) throws {
    running.add(stream.change, run: booking.run)
    entries.append(Entry(booking.id, try BookReading.Change.Note(stream), stream.change, balance: balance))
  }
}

extension LedgerReading {
  /// The balances of an account, in the order of the currencies; empty if it is in no run or payout that counts.
  ///
  /// - Parameters:
  ///   - account: in lower case, as in reports.
  ///   - showsRefused: whether to say which bank account is refused.
  public func books(of account: [UInt8], showsRefused: Bool = true) throws(Failure) -> [AccountBook] {
    let books = try read {
      try AccountBook.books($0, of: account, until: lastRun, history.payouts, showsRefused: showsRefused)
    }
    try expectUnchanged()
    return books
  }
}
