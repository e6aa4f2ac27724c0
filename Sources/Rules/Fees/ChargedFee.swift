import ExactArithmetic

/// What a receiver was charged under a name: a row of `fees.csv`. Fee and VAT are not both zero.
public struct ChargedFee {
  /// The receiver's place among the receivers.
  public internal(set) var receiver = 0
  /// The index of the name among those of the night.
  public internal(set) var name = 0
  /// Without VAT.
  public internal(set) var fee = ExactDecimal.zero
  public internal(set) var vat = ExactDecimal.zero
  /// Whether refunds return it.
  var isReturned = false
}
