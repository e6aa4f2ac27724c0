import ExactArithmetic
import Money
import Records

/// A signed entry: what one party of a settled record pays or gets. Amounts are in the record's currency.
///
/// `net = gross - passed on - fee`. What a party gets is above zero; what it pays is below: a sender's gross is minus
/// the sender amount. The nets and fees of a record sum to zero.
public struct Posting {
  /// The party's account in lower case; valid until the next record is judged.
  public var account: UnsafePointer<UInt8>
  /// The account's length in bytes; 0 if the record names none.
  public var accountLength = 0
  /// The party's role.
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
  public init(account: UnsafePointer<UInt8>) { self.account = account }
}

/// Whether figures are added or removed.
public enum PostingSign: Sendable {
  /// Added.
  case adding
  /// Removed again.
  case removing
}

/// The postings of a settled record, the sender's first, then the receivers' in the given order.
///
/// Reports, statements, journals and sums use only this. It is valid until the next record is judged.
public struct SettledEntry {
  public let payKey: UnsafePointer<UInt8>
  /// The pay key's length in bytes.
  public let payKeyLength: Int
  public let kind: PaymentKind
  /// The currency of all amounts.
  public let currency: Currency
  public let postings: UnsafeBufferPointer<Posting>
  /// The refund key, if the entry is a refund of the payment.
  public let refundKey: UnsafePointer<UInt8>
  /// The refund key's length in bytes; 0 if the entry is a payment.
  public let refundKeyLength: Int
  /// The indices of a refund's receivers among the payment's receivers; nil in a payment.
  private let placesInPayment: UnsafePointer<Int>?

  /// An entry.
  public init(
    payKey: UnsafePointer<UInt8>, payKeyLength: Int, kind: PaymentKind, currency: Currency,
    postings: UnsafeBufferPointer<Posting>, refundKey: UnsafePointer<UInt8>? = nil, refundKeyLength: Int = 0,
    placesInPayment: UnsafePointer<Int>? = nil
  ) {
    self.payKey = payKey
    self.payKeyLength = payKeyLength
    self.kind = kind
    self.currency = currency
    self.postings = postings
    self.refundKey = refundKey ?? payKey
    self.refundKeyLength = refundKeyLength
    self.placesInPayment = placesInPayment
  }

  /// Whether it is a refund of the payment.
  @inlinable public var isRefund: Bool { refundKeyLength > 0 }

  /// The kind as reports name it: `REFUND`, or that of the payment.
  @inlinable public var kindName: StaticString { isRefund ? "REFUND" : kind.name }

  /// The number of receivers.
  @inlinable public var receiverCount: Int { postings.count - 1 }

  /// The sender's posting.
  @inlinable public var sender: UnsafePointer<Posting> { postings.baseAddress! }

  /// The posting of a receiver, by its place among the receivers from 0.
  @inlinable
  public func receiver(_ place: Int) -> UnsafePointer<Posting> {
    precondition(place >= 0 && place < receiverCount)
    return sender + (1 + place)
  }

  /// A receiver's index among the payment's receivers: a refund leaves out those that give and get nothing.
  public func placeInPayment(of place: Int) -> Int { placesInPayment?[place] ?? place }

  /// All fees, whichever party bears them.
  public var fees: ExactDecimal {
    postings.reduce(into: ExactDecimal(magnitude: 0, exponent: -currency.settlementExponent)) { $0.add($1.fee) }
  }
}
