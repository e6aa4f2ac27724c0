/// The result of adjusting a payment's amounts to the buyer's address: the library's error codes.
public enum AmountErrorCode: FixedText, WireValue {
  /// The amounts were adjusted, or nothing had to be adjusted.
  case none = "AMOUNT_ERROR_NONE"
  /// The merchant's server could not compute the amounts.
  case server = "AMOUNT_ERROR_SERVER"
  /// The adjustment failed for another reason.
  case other = "AMOUNT_ERROR_OTHER"
  /// The application canceled the payment.
  case cancel = "AMOUNT_CANCEL_TXN"
}
