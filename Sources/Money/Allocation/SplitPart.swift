import ExactArithmetic

/// A party of a split: what it is to get, and what comes of it (`splits.md`).
///
/// Amounts are in the currency's own units, such as 12.50. What `Split` works out stands here afterwards.
public struct SplitPart: Sendable {
  /// How a party's part is told.
  public enum Terms: UInt8, Sendable, BitwiseCopyable {
    /// An amount.
    case fixed
    /// A percentage of the total.
    case percent
    /// A weight in what fixed amounts and percentages leave.
    case share
    /// What all others leave; at most one party's.
    case rest
  }

  /// How the part is told.
  public var terms: Terms
  /// The amount, the percentage or the weight; nothing of the rest.
  public var value: ExactDecimal
  /// What a percentage or share gets at least.
  public var minimum: ExactDecimal?
  /// What a percentage or share gets at most; not below the minimum.
  public var maximum: ExactDecimal?

  /// The exact target times the split's denominator.
  public internal(set) var numerator = ExactDecimal.zero
  /// The part: the target cut to whole minor units, and one more if the party was given one.
  public internal(set) var amount = ExactDecimal.zero
  /// What was cut off, times the split's denominator.
  public internal(set) var cut = ExactDecimal.zero
  /// Whether the party was given a missing unit.
  public internal(set) var hasMissingUnit = false
  /// Whether a bound holds instead of the share.
  var isAtBound = false

  /// A party whose part is still to be worked out.
  public init(
    _ terms: Terms, _ value: ExactDecimal = .zero, minimum: ExactDecimal? = nil, maximum: ExactDecimal? = nil
  ) {
    self.terms = terms
    self.value = value
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Makes the place that of another party whose part is still to be worked out, without bounds.
  public mutating func reset(_ terms: Terms, _ value: ExactDecimal) {
    self.terms = terms
    self.value.set(value)
    if minimum != nil { minimum = nil }
    if maximum != nil { maximum = nil }
  }

  /// An amount raised to the minimum, then lowered to the maximum, all times a factor.
  func bounded(_ amount: ExactDecimal, times factor: ExactDecimal) -> ExactDecimal {
    var amount = amount
    if let minimum, amount < minimum * factor { amount = minimum * factor }
    if let maximum, maximum * factor < amount { amount = maximum * factor }
    return amount
  }
}
