import Failures
import Money
import SQLite

/// Looks up what earlier payouts paid and changed. Nothing may be written to the ledger meanwhile.
public final class PayoutLookup {
  private let database: Database
  /// The payouts, made or given up, in book order.
  private let bookings: [Booking]
  private let payouts: [PayoutEntry]
  private let byNumber: [Int: PayoutEntry]
  private var lookup: AccountLookup?
  private var stream: AccountStream?

  init(_ database: Database) throws {
    self.database = database
    payouts = try PayoutEntry.inBookOrder(database)
    bookings = try Booking.payouts(database, payouts)
    byNumber = Dictionary(uniqueKeysWithValues: payouts.map { ($0.number, $0) })
  }

  /// A payment; nil if the ledger has none with that reference. Asking in ascending order is cheapest.
  public func payment(_ reference: PaymentReference) throws(Failure) -> AccountAmount? {
    try database.telling {
      guard let payout = byNumber[reference.payout] else { return nil }
      let list = AccountList(kind: .payments, number: reference.payout)
      if lookup?.list != list {
        (lookup, stream) = (try AccountLookup(database, list, count: payout.payments), nil)
      }
      guard reference.number > 0, try lookup!.find(reference.number, in: &stream) else { return nil }
      return AccountAmount(stream!)
    }
  }

  /// The bank account that a payment went to; nil if the ledger does not know it.
  public func bankAccount(_ reference: PaymentReference) throws(Failure) -> BankAccountDigest? {
    guard try payment(reference) != nil else { return nil }
    return BankAccountDigest(note: stream!.note)
  }

  /// Whether the ledger does not know where a payment went of a payout with a lower number: one that an earlier version
  /// entered, that was adopted without its bank files, or that was given up.
  public func hasUnknownBankAccounts(before number: Int) throws(Failure) -> Bool {
    try database.telling {
      if try GivenUpPayout.all(database).contains(where: { $0.number < number }) { return true }
      return try payouts.contains { payout in
        guard payout.number < number, payout.payments > 0 else { return false }
        let list = AccountList(kind: .payments, number: payout.number)
        let stream = try AccountStream(database, list, count: payout.payments)
        return try stream.next() && stream.note.isEmpty
      }
    }
  }

  /// The bank accounts that are refused before a payout.
  public func refusals(before payout: Int) throws(Failure) -> Refusals {
    try database.telling { try Refusals(database, before: payout) }
  }

  /// The last payments by payouts before one.
  public func lastPayments(before payout: Int) throws(Failure) -> LastPayments {
    try database.telling { try LastPayments(database, before: payout) }
  }

  /// The last payment to an account in a currency.
  ///
  /// - Parameters:
  ///   - account: in lower case.
  ///   - payout: the payout before which to stop; nil for none.
  ///   - earlier: a payment of theirs, if one is known: the answer is this one or a later one.
  public func lastPayment(
    to account: [UInt8], _ currency: Currency, before payout: PayoutEntry? = nil,
    notBefore earlier: PaymentReference? = nil
  ) throws(Failure) -> PaymentReference? {
    try database.telling {
      for candidate in payouts.reversed() where candidate.place < payout?.place ?? .max {
        if candidate.number == earlier?.payout { return earlier }
        let list = AccountList(kind: .payments, number: candidate.number)
        var number: Int?
        try AccountLookup(database, list, count: candidate.payments).forEach(account) { stream in
          if stream.currency == currency { number = stream.number }
        }
        if let number { return PaymentReference(payout: candidate.number, number: number) }
      }
      return nil
    }
  }

  /// Whether a payout before another one has made a payment.
  ///
  /// - Parameter end: the payout before which to stop; nil for none.
  public func isPaid(_ reference: PaymentReference, before end: PayoutEntry?) -> Bool {
    byNumber[reference.payout].map { $0.place < end?.place ?? .max } ?? false
  }

  /// Whether a payment comes before another one in book order.
  public func isPaid(_ reference: PaymentReference, before other: PaymentReference) -> Bool {
    guard reference.payout != other.payout else { return reference.number < other.number }
    return byNumber[other.payout].map { isPaid(reference, before: $0) } ?? false
  }

  // MARK: Changes

  /// Passes on each change that has notes of a kind, in book order.
  ///
  /// - Parameter end: the payout before which to stop; nil for none.
  public func forEach<Note>(
    _ kind: Note.Type, before end: PayoutEntry? = nil, _ take: (BookedChange<Note>) -> Void
  ) throws(Failure) {
    try database.telling {
      for payout in bookings where payout.place < end?.place ?? .max {
        for (kind, count) in payout.lists where kind == Note.list {
          let stream = try AccountStream(database, payout.list(kind), count: count)
          while try stream.next() {
            let change = Change(try Note(stream.note), AccountAmount(stream))
            take(BookedChange(change, payout: payout.number))
          }
        }
      }
    }
  }

  /// These changes, by key.
  ///
  /// - Parameter end: the payout before which to stop; nil for none.
  public func all<Note>(
    _ kind: Note.Type, before end: PayoutEntry? = nil
  ) throws(Failure) -> [Note.Key: BookedChange<Note>] {
    var all: [Note.Key: BookedChange<Note>] = [:]
    try forEach(kind, before: end) { all[$0.change.note.key] = $0 }
    return all
  }

  /// Which of some accounts and currencies have an entry, up to a run and before a payout.
  ///
  /// - Parameters:
  ///   - count: how many there are.
  ///   - firstRun: the first run that counts.
  ///   - end: the payout before which to stop; nil for none.
  ///   - holder: returns one by its place; they are in ascending order. The account is in lower case; without a currency,
  ///     any will do.
  public func haveEntries(
    _ count: Int, from firstRun: Int, until last: Int, before end: PayoutEntry? = nil,
    _ holder: (Int) -> (account: [UInt8], currency: Currency?)
  ) throws(Failure) -> [Bool] {
    try database.telling {
      var (found, left) = (Array(repeating: false, count: count), count)
      let earlier = bookings.filter { $0.place < end?.place ?? .max }
      let runs = firstRun <= last ? firstRun...last : nil
      // The newest first, as most accounts are in one of them.
      let lists = try Booking.inBookOrder(database, runs: runs, earlier).flatMap { booking in
        booking.lists.map { (list: booking.list($0.kind), count: $0.count) }
      }
      for (list, count) in lists.reversed() where left > 0 {
        let lookup = try AccountLookup(database, list, count: count)
        var stream: AccountStream?
        for place in found.indices where !found[place] {
          let (account, currency) = holder(place)
          let isThere = try lookup.seek(account.span, currency ?? Currency.all[0], in: &stream)
          guard isThere || currency == nil && stream?.account == account else { continue }
          found[place] = true
          left -= 1
        }
      }
      return found
    }
  }
}

extension Ledger {
  /// Looks up what earlier payouts paid and changed. Nothing may be written meanwhile.
  public func payoutLookup() throws(Failure) -> PayoutLookup { try read { try PayoutLookup($0) } }
}

extension LedgerReading {
  /// Looks up what earlier payouts paid and changed.
  public func payoutLookup() throws(Failure) -> PayoutLookup { try read { try PayoutLookup($0) } }
}
