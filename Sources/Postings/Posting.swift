import ExactArithmetic
import Money
import Records

/// A signed entry: what one party of a settled record pays or gets. Amounts are in the record's currency.
///
/// `net = gross - passed on - fee`. What a party gets is above zero; what it pays is below: a sender's gross is minus
/// the sender amount. The nets and fees of a record sum to zero.
public struct Posting {
  /// Where the party's account, in lower case, is among the accounts of its entry; empty if the record names none.
  public var account = 0..<0
  public var role = PartyRole.receiver
  /// What is sent to the party, or, below zero, by it.
  public var gross = ExactDecimal.zero
  /// What the party passes on to secondary receivers.
  public var passedOn = ExactDecimal.zero
  /// The fees that the party bears.
  public var fee = ExactDecimal.zero
  /// What the party gets after fees.
  public var net = ExactDecimal.zero

  /// A posting without figures.
  public init() {}
}

/// Whether figures are added or removed.
public enum PostingSign: Sendable {
  case adding
  case removing
}

/// The postings of a settled record, the sender's first, then the receivers' in the given order.
///
/// Reports, statements, journals and sums use only this. It is valid until the next record is judged.
@frozen
public struct SettledEntry: ~Escapable {
  public let payKey: Span<UInt8>
  /// The refund key, if the entry is a refund of the payment; otherwise empty.
  public let refundKey: Span<UInt8>
  public let kind: PaymentKind
  public let currency: Currency
  public let postings: Span<Posting>
  /// The text in which the postings' accounts are.
  @usableFromInline let accounts: Span<UInt8>
  /// The indices of a refund's receivers among the payment's receivers; empty in a payment.
  @usableFromInline let placesInPayment: Span<Int>

  /// An entry.
  ///
  /// - Parameters:
  ///   - accounts: the text in which the postings' accounts are.
  ///   - refundKey: empty for a payment, and so are `placesInPayment`.
  @inlinable
  @_lifetime(copy payKey, copy postings, copy accounts, copy refundKey, copy placesInPayment)
  public init(
    payKey: Span<UInt8>, kind: PaymentKind, currency: Currency, postings: Span<Posting>, accounts: Span<UInt8>,
    refundKey: Span<UInt8>, placesInPayment: Span<Int>
  ) {
    self.payKey = payKey
    self.kind = kind
    self.currency = currency
    self.postings = postings
    self.accounts = accounts
    self.refundKey = refundKey
    self.placesInPayment = placesInPayment
  }

  /// Whether it is a refund of the payment.
  @inlinable public var isRefund: Bool { !refundKey.isEmpty }

  /// The kind as reports name it: `REFUND`, or that of the payment.
  @inlinable public var kindName: StaticString { isRefund ? "REFUND" : kind.name }

  @inlinable public var receiverCount: Int { postings.count - 1 }

  /// The posting of a receiver, by its place among the receivers from 0.
  @inlinable public func receiver(_ place: Int) -> Posting { postings[1 + place] }

  /// The account of a party, by its place among the postings, in lower case; empty if the record names none.
  @inlinable @inline(__always) @_lifetime(copy self)
  public func account(of posting: Int) -> Span<UInt8> { accounts.extracting(postings[posting].account) }

  /// A receiver's index among the payment's receivers: a refund leaves out those that give and get nothing.
  public func placeInPayment(of place: Int) -> Int { placesInPayment.isEmpty ? place : placesInPayment[place] }

  /// All fees, whichever party bears them.
  public var fees: ExactDecimal {
    var fees = ExactDecimal.zero(at: -currency.settlementExponent)
    for place in postings.indices { fees.add(postings[place].fee) }
    return fees
  }
}
