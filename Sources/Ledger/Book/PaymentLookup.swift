import ExactArithmetic
import Failures
import Money
import SQLite

/// What the ledger knows about a payment.
public struct BookedPayment: Sendable, Equatable {
  /// The account that was paid.
  public let account: [UInt8]
  /// The currency of the amount.
  public let currency: Currency
  /// What was paid.
  public let amount: ExactDecimal

  /// A payment.
  public init(account: [UInt8], currency: Currency, amount: ExactDecimal) {
    (self.account, self.currency, self.amount) = (account, currency, amount)
  }
}

/// Looks up payments of earlier payouts.
public final class PaymentLookup {
  private let database: Database
  private let payouts: [PayoutEntry]
  private let byNumber: [Int: PayoutEntry]
  private var lookup: AccountLookup?
  private var stream: AccountStream?

  init(_ database: Database) throws {
    self.database = database
    payouts = try PayoutEntry.inBookOrder(database)
    byNumber = Dictionary(uniqueKeysWithValues: payouts.map { ($0.number, $0) })
  }

  /// A payment; nil if the ledger has none with that reference. Asking in ascending order is cheapest.
  public func payment(_ reference: PaymentReference) throws(Failure) -> BookedPayment? {
    try database.telling {
      guard let payout = byNumber[reference.payout] else { return nil }
      let list = AccountList(kind: .payments, number: reference.payout)
      if lookup?.list != list {
        (lookup, stream) = (try AccountLookup(database, list, count: payout.payments), nil)
      }
      guard reference.number > 0, try lookup!.find(reference.number, in: &stream) else { return nil }
      return BookedPayment(account: stream!.account, currency: stream!.currency, amount: stream!.amount)
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

  /// Passes on each payment that came back, by payout, in the order in which the payout booked them.
  ///
  /// - Parameter end: the payout before which to stop; nil for none.
  public func forEachReturn(
    before end: PayoutEntry? = nil, _ take: (ReturnNote, BookedPayment, _ bookedBy: Int) -> Void
  ) throws(Failure) {
    try database.telling {
      for payout in payouts where payout.place < end?.place ?? .max && payout.returns > 0 {
        let list = AccountList(kind: .returns, number: payout.number)
        let stream = try AccountStream(database, list, count: payout.returns)
        while try stream.next() {
          let payment = BookedPayment(
            account: stream.account, currency: stream.currency, amount: stream.amount)
          take(try ReturnNote(stream.note), payment, payout.number)
        }
      }
    }
  }
}

/// The note of a payment that came back.
public struct ReturnNote: Sendable {
  public let reference: PaymentReference
  /// Why it came back: 1 to 35 of `A-Z a-z 0-9 . _ -`.
  public let reason: String

  /// A payment that came back.
  public init(reference: PaymentReference, reason: String) { (self.reference, self.reason) = (reference, reason) }

  init(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    guard bytes.count > PaymentReference.length else { throw AccountBlock.damaged }
    reference = PaymentReference(bytes: bytes)
    reason = String(decoding: bytes.dropFirst(PaymentReference.length), as: UTF8.self)
  }

  /// The form in which the ledger keeps it. Sorting these bytes sorts the references.
  public var bytes: [UInt8] { reference.bytes + reason.utf8 }
}

extension Ledger {
  /// Looks up payments of earlier payouts. Nothing may be written meanwhile.
  public func paymentLookup() throws(Failure) -> PaymentLookup { try read { try PaymentLookup($0) } }
}

extension LedgerReading {
  /// Looks up payments of earlier payouts.
  public func paymentLookup() throws(Failure) -> PaymentLookup {
    try read { try PaymentLookup($0) }
  }
}
