/// What came of adjusting a payment's amounts by the buyer's address: the library's error codes.
public enum AmountErrorCode: UInt8, WireValue {
  /// The amounts were adjusted, or there was nothing to adjust.
  case none
  /// The merchant's server could not tell.
  case server
  /// It failed for another reason.
  case other
  /// The application canceled the payment.
  case cancel

  /// How the batch writes this code.
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
