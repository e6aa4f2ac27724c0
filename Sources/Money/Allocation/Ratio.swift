import ExactArithmetic

/// A ratio as a fraction of two decimals, such as 2/3 or 0.25.
public struct Ratio: Sendable {
  private let numerator: ExactDecimal
  private let denominator: ExactDecimal

  /// A decimal, or a fraction of two; nil if the text is neither, or the divisor is not above zero.
  public init?(_ text: [UInt8]) {
    let parts = text.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    guard let numerator = DecimalLimits.decimal(parts[0]),
      let denominator = parts.count > 1 ? DecimalLimits.decimal(parts[1]) : ExactDecimal(1),
      ExactDecimal.zero < denominator
    else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A ratio that is a decimal.
  public init(_ decimal: ExactDecimal) {
    numerator = decimal
    denominator = ExactDecimal(1)
  }

  /// Whether it is below zero.
  public var isNegative: Bool { numerator < .zero }

  /// The smallest integers with the same proportions as ratios of zero or more; all zero if the ratios are.
  static func smallestIntegers(_ ratios: [Ratio]) -> [ExactDecimal] {
    var multiple = ExactDecimal(1)
    for ratio in ratios { multiple = multiple * (ratio.denominator / greatestDivisor(multiple, ratio.denominator)) }
    let scaled = ratios.map { $0.numerator * (multiple / $0.denominator) }
    let divisor = scaled.reduce(.zero, greatestDivisor)
    return divisor.isZero ? scaled : scaled.map { $0 / divisor }
  }

  /// The greatest decimal of which both are integral multiples.
  private static func greatestDivisor(_ one: ExactDecimal, _ other: ExactDecimal) -> ExactDecimal {
    var (one, other) = (one, other)
    while !other.isZero { (one, other) = (other, one.quotientAndRemainder(dividingBy: other).remainder) }
    return one
  }
}

/// Division without a remainder.
private func / (dividend: ExactDecimal, divisor: ExactDecimal) -> ExactDecimal {
  dividend.quotientAndRemainder(dividingBy: divisor).quotient
}
