import ExactArithmetic

/// How other libraries divide an amount by ratios (`split-command.md`, "Conventions"), each shown for 1.00 by 2, 3, 1.
///
/// "Cut" means: with sum S of the ratios, ratio i gets amount × ratio / S, cut to units towards zero. The missing units
/// then go one each to parties with a ratio above zero.
public enum AllocationConvention: String, CaseIterable, Sendable {
  /// Cut; missing units go to the first parties: 0.34 0.50 0.16.
  case floorToFirst = "floor_to_first"
  /// Cut; missing units go to the last parties: 0.33 0.50 0.17.
  case floorToLast = "floor_to_last"
  /// Cut; missing units go to the largest ratios, the earlier of equal ones first: 0.33 0.51 0.16.
  case floorToLargestRatio = "floor_to_largest_ratio"
  /// Cut; missing units go to the largest fractions cut off, the earlier of equal ones first: 0.33 0.50 0.17.
  case largestRemainder = "largest_remainder"
  /// Cut; the missing amount becomes one more part at the end: 0.33 0.50 0.16 0.01.
  case floorRemainderSeparate = "floor_remainder_separate"
  /// Ratios reduced to the smallest integers. Each party gets its integer times the cut of amount / their sum; the rest
  /// becomes one more part at the end: 0.32 0.48 0.16 0.04.
  case blockRemainderSeparate = "block_remainder_separate"
  /// From the last party to the first: the cut of what is left × ratio / sum of the ratios left. If these are all zero,
  /// they count as equal: 0.34 0.50 0.16.
  case cascadeFromLastTruncate = "cascade_from_last_truncate"
  /// Each is rounded, and the last gets what is left; with `HALF_EVEN`: 0.33 0.50 0.17.
  case roundEachLastAbsorbs = "round_each_last_absorbs"

  /// Why an amount cannot be divided.
  public enum Failure: String, Error, Sendable {
    /// There are no ratios.
    case emptyRatios = "empty_ratios"
    /// A ratio is below zero.
    case negativeRatio = "negative_ratio"
    /// All ratios are zero, but the amount is not.
    case zeroRatioSum = "zero_ratio_sum"
  }

  /// Divides a number of units.
  ///
  /// - Parameters:
  ///   - units: the number of units; an integer of either sign.
  ///   - ratios: the parties' ratios.
  ///   - rounding: the rounding mode of `roundEachLastAbsorbs`.
  /// - Returns: each party's units, as integers; with some conventions, one more part at the end.
  public func allocate(
    _ units: ExactDecimal, by ratios: [Ratio], rounding: RoundingMode
  ) throws(Failure) -> [ExactDecimal] {
    guard !ratios.isEmpty else { throw .emptyRatios }
    guard !ratios.contains(where: \.isNegative) else { throw .negativeRatio }
    var weights = Ratio.smallestIntegers(ratios)
    if weights.allSatisfy(\.isZero) {
      guard !units.isZero else { return weights }
      guard self == .cascadeFromLastTruncate else { throw .zeroRatioSum }
      weights = weights.map { _ in ExactDecimal(1) }
    }
    let sum = weights.reduce(.zero, +)
    switch self {
    case .floorToFirst, .floorToLast, .floorToLargestRatio, .largestRemainder, .floorRemainderSeparate:
      return cut(units, weights, sum)
    case .blockRemainderSeparate:
      let (block, rest) = units.quotientAndRemainder(dividingBy: sum)
      return weights.map { $0 * block } + [rest]
    case .cascadeFromLastTruncate: return Self.cascade(units, weights, sum)
    case .roundEachLastAbsorbs:
      var parts = weights.dropLast().map { ($0 * units).wholeQuotient(dividingBy: sum, rounding: rounding) }
      parts.append(units - parts.reduce(.zero, +))
      return parts
    }
  }

  private func cut(_ units: ExactDecimal, _ weights: [ExactDecimal], _ sum: ExactDecimal) -> [ExactDecimal] {
    let cuts = weights.map { ($0 * units).quotientAndRemainder(dividingBy: sum) }
    var parts = cuts.map(\.quotient)
    let missing = units - parts.reduce(.zero, +)
    if self == .floorRemainderSeparate { return parts + [missing] }
    let remainders = cuts.map { units.isNegative ? -$0.remainder : $0.remainder }
    // Fewer units are missing than there are parties with a ratio.
    for party in order(weights, remainders).prefix(abs(missing.inlineCoefficient!)) {
      parts[party] += ExactDecimal(magnitude: 1, isNegative: units.isNegative)
    }
    return parts
  }

  /// The parties with a ratio above zero, in the order in which they get missing units.
  private func order(_ weights: [ExactDecimal], _ remainders: [ExactDecimal]) -> [Int] {
    let parties = weights.indices.filter { !weights[$0].isZero }
    // Sorting is stable: equal elements keep their order.
    return switch self {
    case .floorToLast: parties.reversed()
    case .floorToLargestRatio: parties.sorted { weights[$1] < weights[$0] }
    case .largestRemainder: parties.sorted { remainders[$1] < remainders[$0] }
    default: parties
    }
  }

  private static func cascade(
    _ units: ExactDecimal, _ weights: [ExactDecimal], _ sum: ExactDecimal
  ) -> [ExactDecimal] {
    var (left, sum, parts) = (units, sum, weights)
    for party in weights.indices.reversed() where !weights[party].isZero {
      parts[party] = (left * weights[party]).quotientAndRemainder(dividingBy: sum).quotient
      left -= parts[party]
      sum -= weights[party]
    }
    return parts
  }
}
