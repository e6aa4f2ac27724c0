import Failures
import Money
import SQLite

/// The bank accounts that are not paid, because a payment to them came back and nothing was paid to them since
/// (`payouts.md`, The brake). Numbers of payouts decide, not their places in book order.
public struct Refusals {
  /// A return for which a bank account is refused.
  public struct Return: Sendable, Comparable {
    /// The payout that booked it.
    let bookedBy: Int
    /// The payment that came back.
    public let reference: PaymentReference
    /// The account, currency and amount of that payment.
    let payment: AccountAmount

    /// Compares the payouts that booked them, then the payments.
    public static func < (left: Return, right: Return) -> Bool {
      (left.bookedBy, left.reference) < (right.bookedBy, right.reference)
    }
  }

  private struct Holder: Hashable {
    let account: [UInt8]
    let currency: Currency

    init(_ payment: AccountAmount) { (account, currency) = (payment.account, payment.currency) }
    init(_ account: Span<UInt8>, _ currency: Currency) { (self.account, self.currency) = ([UInt8](account), currency) }
  }

  /// The reason of a return that refuses nothing: the bank refused a whole file, or never got it.
  public static let notSent = "NOT_SENT"

  /// The last return of each bank account that is refused.
  private var known: [BankAccountDigest: Return] = [:]
  /// The last return to an unknown bank account of each account and currency, all of whose bank accounts are refused.
  private var unknown: [Holder: Return] = [:]

  /// No refused bank accounts.
  init() {}

  /// Whether no bank account is refused.
  public var isEmpty: Bool { known.isEmpty && unknown.isEmpty }

  /// The last return for which a bank account is refused to an account and currency; nil if it is not refused.
  ///
  /// - Parameter bank: nil if it is not known.
  public func refusal(
    of bank: BankAccountDigest?, _ account: Span<UInt8>, _ currency: Currency
  ) -> Return? {
    let own = bank.flatMap { known[$0] }
    guard !unknown.isEmpty, let other = unknown[Holder(account, currency)] else { return own }
    return own.map { max($0, other) } ?? other
  }

  /// Ends what a payment by a later payout ends.
  ///
  /// - Parameter bank: where it went; nil if that is not known.
  public mutating func end(by bank: BankAccountDigest?, _ account: Span<UInt8>, _ currency: Currency) {
    if let bank, !known.isEmpty { known[bank] = nil }
    if !unknown.isEmpty { unknown[Holder(account, currency)] = nil }
  }

  /// Takes the returns that payouts book after all others.
  ///
  /// - Parameter returns: in any order.
  public mutating func add(
    _ returns: [BookedChange<ReturnNote>], _ lookup: PayoutLookup
  ) throws(Failure) {
    for booked in returns.sorted(by: { $0.change.note.reference < $1.change.note.reference }) {
      let (note, payment) = (booked.change.note, booked.change.amount)
      if note.reason == Self.notSent { continue }
      let new = Return(bookedBy: booked.payout, reference: note.reference, payment: payment)
      if let bank = try lookup.bankAccount(note.reference) {
        known[bank] = max(known[bank] ?? new, new)
      } else {
        unknown[Holder(payment)] = max(unknown[Holder(payment)] ?? new, new)
      }
    }
  }
}

// MARK: Reading

extension Refusals {
  /// The refused bank accounts after all payouts with a lower number.
  ///
  /// - Parameter isRead: whether all is read from payments and returns, even if the ledger keeps a list.
  init(_ database: Database, before end: Int, isRead: Bool = false) throws {
    let payouts = try PayoutEntry.inBookOrder(database).filter { $0.number < end }.sorted { $0.number < $1.number }
    let base = try isRead ? nil : payouts.last { try Self.isKept(database, $0) }
    if let base { try addList(database, of: base) }
    let later = payouts.filter { $0.number > base?.number ?? 0 }
    try addReturns(database, later)
    try endPaid(
      database, later,
      try GivenUpPayout.all(database).filter {
        (base?.number ?? 0) + 1..<max((base?.number ?? 0) + 1, end) ~= $0.number
      })
  }

  private static func list(_ payout: PayoutEntry) -> AccountList {
    AccountList(kind: .refusals, number: payout.number)
  }

  /// Whether the ledger keeps the list of a payout.
  static func isKept(_ database: Database, _ payout: PayoutEntry) throws -> Bool {
    try payout.refused.map { try list(payout).isKept(database, count: $0) } ?? false
  }

  private mutating func addList(_ database: Database, of payout: PayoutEntry) throws {
    let stream = try AccountStream(database, Self.list(payout), count: payout.refused ?? 0)
    while try stream.next() {
      let payment = AccountAmount(stream)
      let (refusal, bank) = try Return.read(stream.note, payment)
      if let bank { known[bank] = refusal } else { unknown[Holder(payment)] = refusal }
    }
  }

  private mutating func addReturns(_ database: Database, _ payouts: [PayoutEntry]) throws {
    let lookup = try PayoutLookup(database)
    let numbers = Set(payouts.map(\.number))
    var returns: [BookedChange<ReturnNote>] = []
    try lookup.forEach(ReturnNote.self) { if numbers.contains($0.payout) { returns.append($0) } }
    try add(returns, lookup)
  }

  /// Reads payments, the newest first, as long as one may end a refusal.
  private mutating func endPaid(
    _ database: Database, _ payouts: [PayoutEntry], _ givenUp: [GivenUpPayout]
  ) throws {
    let payments =
      payouts.map { (list: AccountList(kind: .payments, number: $0.number), count: $0.payments) }
      + givenUp.map { (list: AccountList(kind: .adjustments, number: $0.number), count: $0.adjustments) }
    for (list, count) in payments.sorted(by: { $0.list.number > $1.list.number }) where count > 0 {
      let first = (Array(known.values) + Array(unknown.values)).lazy.map(\.bookedBy).min() ?? .max
      guard first <= list.number else { return }
      let stream = try AccountStream(database, list, count: count)
      while try stream.next() {
        let bank = list.kind == .payments ? BankAccountDigest(note: stream.note) : nil
        if let bank, known[bank].map({ $0.bookedBy <= list.number }) ?? false { known[bank] = nil }
        if unknown.isEmpty { continue }
        let holder = Holder(stream.account.span, stream.currency)
        if unknown[holder].map({ $0.bookedBy <= list.number }) ?? false { unknown[holder] = nil }
      }
    }
  }
}

// MARK: Keeping

extension Refusals {
  /// The list as the ledger keeps it after a payout.
  ///
  /// - Parameter entries: without an entry.
  public func write(to entries: AccountEntries) throws(Failure) {
    var rows = known.map { ($1.payment, $1.note($0)) } + unknown.values.map { ($0.payment, $0.note(nil)) }
    rows.sort { left, right in
      if left.0.account != right.0.account { return left.0.account.lexicographicallyPrecedes(right.0.account) }
      if left.0.currency != right.0.currency { return left.0.currency < right.0.currency }
      return left.1.lexicographicallyPrecedes(right.1)
    }
    for (payment, note) in rows {
      try entries.append(payment.account.span, payment.currency, payment.amount, note: note)
    }
    try entries.finish()
  }

  /// Removes the lists that do not count a payout with a lower number, which is entered or given up only now.
  static func removeLists(_ database: Database, from number: Int) throws {
    for payout in try PayoutEntry.inBookOrder(database) where payout.number >= number && payout.refused != nil {
      try list(payout).remove(database)
      try database.execute(sql: "UPDATE payout SET refused = NULL WHERE number = ?", arguments: [payout.number])
      try EntryTable.keepDigest(database, payout.id)
    }
  }

  /// Throws if the list of the last payout that has one is not what payments and returns say.
  static func check(_ database: Database, _ payouts: [PayoutEntry]) throws {
    guard let last = try payouts.filter({ try isKept(database, $0) }).max(by: { $0.number < $1.number }) else { return }
    var kept = Refusals()
    try kept.addList(database, of: last)
    let read = try Refusals(database, before: last.number + 1, isRead: true)
    guard kept.known == read.known, kept.unknown == read.unknown else {
      throw Failure.damagedLedger(
        "the refused bank accounts after payout \(last.number) are not those of the payments and "
          + "returns before it")
    }
  }
}

extension Refusals.Return {
  /// The form in which the ledger keeps it. Sorting these bytes sorts the returns.
  fileprivate func note(_ bank: BankAccountDigest?) -> [UInt8] {
    [16, 8, 0].map { UInt8(truncatingIfNeeded: bookedBy >> $0) } + reference.bytes + (bank?.note ?? [])
  }

  fileprivate static func read(
    _ note: ArraySlice<UInt8>, _ payment: AccountAmount
  ) throws(Failure) -> (refusal: Refusals.Return, bank: BankAccountDigest?) {
    let rest = note.dropFirst(3 + PaymentReference.length)
    guard note.count >= 3 + PaymentReference.length, rest.isEmpty || rest.count == BankAccountDigest.length else {
      throw AccountBlock.damaged
    }
    let reference = PaymentReference(bytes: note.dropFirst(3))
    let bookedBy = note.prefix(3).reduce(0) { $0 << 8 | Int($1) }
    return (Self(bookedBy: bookedBy, reference: reference, payment: payment), BankAccountDigest(note: rest))
  }
}
