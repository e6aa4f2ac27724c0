/// The type of a payment to a receiver.
public enum PaymentType: UInt8, WireValue {
  /// Not stated.
  case notSet
  /// Goods.
  case goods
  /// A service: the only type that takes a subtype.
  case service
  /// A payment between persons. It has its own fee plans and is never part of a chained payment.
  case personal

  /// Its spelling in a batch.
  @inlinable
  public var spelling: StaticString {
    switch self {
    case .notSet: "TYPE_NOT_SET"
    case .goods: "TYPE_GOODS"
    case .service: "TYPE_SERVICE"
    case .personal: "TYPE_PERSONAL"
    }
  }
}
