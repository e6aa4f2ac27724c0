/// The result of adjusting a payment's amounts to the buyer's address: the library's error codes.
public enum AmountErrorCode: UInt8, WireValue {
  /// The amounts were adjusted, or nothing had to be adjusted.
  case none
  /// The merchant's server could not compute the amounts.
  case server
  /// The adjustment failed for another reason.
  case other
  /// The application canceled the payment.
  case cancel

  /// Its spelling in a batch.
  @inlinable
  public var spelling: StaticString {
    switch self {
    case .none: "AMOUNT_ERROR_NONE"
    case .server: "AMOUNT_ERROR_SERVER"
    case .other: "AMOUNT_ERROR_OTHER"
    case .cancel: "AMOUNT_CANCEL_TXN"
    }
  }
}
