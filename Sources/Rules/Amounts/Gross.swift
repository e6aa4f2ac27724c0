import ExactArithmetic

/// Subtotal, tax and shipping of a receiver.
struct Gross {
  let subtotal, tax, shipping: ExactDecimal

  /// Nil if a part is missing.
  init?(_ subtotal: ExactDecimal?, _ tax: ExactDecimal?, _ shipping: ExactDecimal?) {
    guard let subtotal, let tax, let shipping else { return nil }
    (self.subtotal, self.tax, self.shipping) = (subtotal, tax, shipping)
  }

  var sum: ExactDecimal { subtotal + tax + shipping }
}
