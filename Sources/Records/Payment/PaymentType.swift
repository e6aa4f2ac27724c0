public enum PaymentType: FixedText, WireValue {
  case notSet = "TYPE_NOT_SET"
  case goods = "TYPE_GOODS"
  /// A service: the only type that takes a subtype.
  case service = "TYPE_SERVICE"
  /// A payment between persons. It has its own fee plans and is never part of a chained payment.
  case personal = "TYPE_PERSONAL"
}
