import ExactArithmetic
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
  private var lookup: AccountLookup?
  private var stream: AccountStream?

  init(_ database: Database) throws {
    self.database = database
    payouts = try PayoutEntry.inBookOrder(database)
  }

  /// A payment; nil if the ledger has none with that reference. Asking in ascending order is cheapest.
  public func payment(_ reference: PaymentReference) throws(LedgerFailure) -> BookedPayment? {
    try LedgerFailure.telling {
      guard let payout = payouts.first(where: { $0.number == reference.payout }) else { return nil }
      let list = AccountList(kind: .payments, number: reference.payout)
      if lookup?.list != list {
        (lookup, stream) = (try AccountLookup(database, list, count: payout.payments), nil)
      }
      guard reference.number > 0, try lookup!.find(reference.number, in: &stream) else { return nil }
      return BookedPayment(account: Array(stream!.account), currency: stream!.currency, amount: stream!.amount)
    }
  }

  /// Passes on each payment that came back, by payout, in the order in which the payout booked them.
  ///
  /// - Parameter last: the last payout that counts.
  public func forEachReturn(
    until last: Int = .max, _ take: (ReturnNote, BookedPayment, _ bookedBy: Int) -> Void
  ) throws(LedgerFailure) {
    try LedgerFailure.telling {
      for payout in payouts where payout.number <= last && payout.returns > 0 {
        let list = AccountList(kind: .returns, number: payout.number)
        let stream = try AccountStream(database, list, count: payout.returns)
        while try stream.next() {
          let payment = BookedPayment(
            account: Array(stream.account), currency: stream.currency, amount: stream.amount)
          take(try ReturnNote(stream.note), payment, payout.number)
        }
      }
    }
  }
}

/// The note of a payment that came back.
public struct ReturnNote: Sendable {
  /// The payment.
  public let reference: PaymentReference
  /// Why it came back: 1 to 35 of `A-Z a-z 0-9 . _ -`.
  public let reason: String

  /// A payment that came back.
  public init(reference: PaymentReference, reason: String) { (self.reference, self.reason) = (reference, reason) }

  init(_ bytes: ArraySlice<UInt8>) throws(LedgerFailure) {
    guard bytes.count > 7 else { throw AccountBlock.damaged }
    let (payout, rest) = (bytes.prefix(3), bytes.dropFirst(3))
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    reference = PaymentReference(payout: number(payout), number: number(rest.prefix(4)))
    reason = String(decoding: rest.dropFirst(4), as: UTF8.self)
  }

  /// The form in which the ledger keeps it. Sorting these bytes sorts the references.
  public var bytes: [UInt8] {
    let number = UInt64(reference.payout) << 32 | UInt64(reference.number)
    return (0..<7).map { UInt8(truncatingIfNeeded: number >> (48 - 8 * UInt64($0))) } + reason.utf8
  }
}

extension Ledger {
  /// Looks up payments of earlier payouts. Nothing may be written meanwhile.
  public func paymentLookup() throws(LedgerFailure) -> PaymentLookup { try read { try PaymentLookup($0) } }
}

extension LedgerReading {
  /// Looks up payments of earlier payouts.
  public func paymentLookup() throws(LedgerFailure) -> PaymentLookup {
    try LedgerFailure.telling { try PaymentLookup(database) }
  }
}
