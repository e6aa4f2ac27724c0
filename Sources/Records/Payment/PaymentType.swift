/// What a receiver is paid for.
public enum PaymentType: UInt8, WireValue {
  /// Nothing was said.
  case notSet
  /// Goods.
  case goods
  /// A service: the only type that takes a subtype.
  case service
  /// A payment between persons: its own fee plans, and never in a chained payment.
  case personal

  /// How the batch writes this type.
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
