import ExactArithmetic

/// A party of a split: its terms, and the result (`splits.md`).
///
/// Amounts are in the currency's own units, such as 12.50. `Split` stores its results here.
public struct SplitPart: Sendable {
  /// How a party's part is given.
  public enum Terms: UInt8, Sendable, BitwiseCopyable {
    /// An amount.
    case fixed
    /// A percentage of the total.
    case percent
    /// A weight in what fixed amounts and percentages leave.
    case share
    /// What all others leave; at most one party gets it.
    case rest
  }

  /// How the part is given.
  public var terms: Terms
  /// The amount, the percentage or the weight; meaningless for the rest.
  public var value: ExactDecimal
  /// The least that a percentage or share gets.
  public var minimum: ExactDecimal?
  /// The most that a percentage or share gets; not below the minimum.
  public var maximum: ExactDecimal?

  /// The exact target times the split's denominator.
  public internal(set) var numerator = ExactDecimal.zero
  /// The part: the target cut to whole minor units, plus one unit if the party got one.
  public internal(set) var amount = ExactDecimal.zero
  /// What was cut off, times the split's denominator.
  public internal(set) var cut = ExactDecimal.zero
  /// Whether the party got a missing unit.
  public internal(set) var hasMissingUnit = false
  /// Whether a bound applies instead of the share.
  public internal(set) var isAtBound = false

  /// A party whose part is not computed yet.
  public init(
    _ terms: Terms, _ value: ExactDecimal = .zero, minimum: ExactDecimal? = nil, maximum: ExactDecimal? = nil
  ) {
    self.terms = terms
    self.value = value
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Resets it to another party whose part is not computed yet, without bounds.
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
