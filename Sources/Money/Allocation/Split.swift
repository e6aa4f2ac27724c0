import ExactArithmetic

/// Divides a total exactly among parties; their order does not matter (`splits.md`, "Parts").
///
/// | total | terms | parts |
/// |---|---|---|
/// | 100.00 | `agent` 12.5 percent, `post` 20.00 fixed, `alto` share 1, `cello` share 2 | 12.50, 20.00, 22.50, 45.00 |
/// | 100.00 | `drums`, `cello`, `alto` share 1 each | 33.33, 33.33, 33.34 |
/// | 100.00 | `a` share 1 max 10, `b` share 1, `c` share 2 min 70 | 10.00, 20.00, 70.00 |
/// | 100.00 | `shop` the rest, `maker` 33.333 percent | 66.67, 33.33 |
///
/// Targets are exact fractions with one denominator, so that the fractions cut off can be compared exactly. Parts sum
/// to the total; each differs from its target by less than one minor unit and is within its bounds. A few short figures
/// cost no allocation.
public enum Split {
  /// Whether the parts add up to the total.
  public enum Verdict: Sendable {
    /// They do. Targets are the parties' numerators divided by this denominator, an integer or a decimal above zero.
    case whole(denominator: ExactDecimal)
    /// The parts promise more than the total: this sum. The numerators are over 1; those of shares are their minima.
    case exceedsTotal(ExactDecimal)
    /// Part of the total is left over: the targets add up to this. The numerators are over 1.
    case notWhole(ExactDecimal)
  }

  /// Computes the exact targets of all parties.
  ///
  /// - Parameters:
  ///   - parts: the parties. Fixed amounts, bounds and the total are whole minor units; weights are above zero.
  ///   - total: the amount to divide, above zero.
  public static func setTargets(_ parts: inout MutableSpan<SplitPart>, of total: ExactDecimal) -> Verdict {
    var left = total
    var leastOfShares = ExactDecimal.zero
    for part in parts.indices {
      parts[part].isAtBound = false
      switch parts[part].terms {
      case .fixed: parts[part].numerator.set(parts[part].value)
      case .percent:
        let exact = total * parts[part].value * ExactDecimal(magnitude: 1, exponent: -2)
        parts[part].numerator.set(parts[part].bounded(exact, times: one))
      case .share:
        if let minimum = parts[part].minimum { leastOfShares.add(minimum) }
        continue
      case .rest: continue
      }
      left.subtract(parts[part].numerator)
    }
    guard left >= leastOfShares else {
      for part in parts.indices where parts[part].terms == .share || parts[part].terms == .rest {
        parts[part].numerator.set(parts[part].terms == .share ? parts[part].minimum ?? .zero : .zero)
      }
      return .exceedsTotal(total - left + leastOfShares)
    }
    let denominator = shareOut(&left, among: &parts)
    var hasRest = false
    for part in parts.indices {
      switch parts[part].terms {
      case .share where !parts[part].isAtBound: continue
      case .rest:
        hasRest = true
        // Zero if the denominator is not 1: shares without a bound take all that is left.
        parts[part].numerator.set(left)
      case .fixed, .percent, .share: parts[part].numerator.set(parts[part].numerator * denominator)
      }
    }
    return left.isZero || hasRest ? .whole(denominator: denominator) : .notWhole(total - left)
  }

  private static let one = ExactDecimal(1)

  /// Divides what is left by the shares' weights, within their bounds. `left` becomes what their maxima leave over.
  ///
  /// If bounds are violated, the side with the larger total violation is fixed at its bounds, and the others are
  /// divided again.
  /// - Returns: the weight of the shares that are not at a bound, which is the denominator of their targets; 1 if there
  ///   are none.
  private static func shareOut(
    _ left: inout ExactDecimal, among parts: inout MutableSpan<SplitPart>
  ) -> ExactDecimal {
    // Each round except the last fixes a share at its bound.
    for _ in 0...parts.count {
      var weight = ExactDecimal.zero
      for part in parts.indices where parts[part].terms == .share && !parts[part].isAtBound {
        weight.add(parts[part].value)
      }
      guard !weight.isZero else { return one }
      var excess = ExactDecimal.zero
      var isBroken = false
      for part in parts.indices where parts[part].terms == .share && !parts[part].isAtBound {
        let exact = left * parts[part].value
        parts[part].numerator.set(exact)
        guard parts[part].minimum != nil || parts[part].maximum != nil else { continue }
        let bounded = parts[part].bounded(exact, times: weight)
        isBroken = isBroken || bounded != exact
        excess.add(bounded - exact)
      }
      guard isBroken else {
        left = .zero
        return weight
      }
      var held = ExactDecimal.zero
      for part in parts.indices where parts[part].terms == .share && !parts[part].isAtBound {
        let (exact, isRaising) = (parts[part].numerator, !excess.isNegative)
        if !excess.isZero {
          // Only the bounds of the side with the larger violation are certain to apply in the end.
          let bound = isRaising ? parts[part].minimum : parts[part].maximum
          guard let bound, isRaising ? exact < bound * weight : bound * weight < exact else { continue }
        }
        let bounded = parts[part].bounded(exact, times: weight)
        guard bounded != exact else { continue }
        parts[part].isAtBound = true
        parts[part].numerator.set((exact < bounded ? parts[part].minimum : parts[part].maximum)!)
        held.add(parts[part].numerator)
      }
      left.subtract(held)
    }
    preconditionFailure("a round fixed no share at its bound")
  }

  /// Cuts the targets to whole minor units, and gives the units missing to the total one each to the largest fractions
  /// cut off.
  ///
  /// - Parameters:
  ///   - parts: the parties with their targets (`setTargets`).
  ///   - total: the total that was divided.
  ///   - denominator: the targets' denominator.
  ///   - exponent: the minor unit's exponent: -2 for cents.
  ///   - precedes: for two parties with equal fractions, by their indices, whether the first gets a unit before the
  ///     other: the specification compares their names. It must order all parties.
  public static func round(
    _ parts: inout MutableSpan<SplitPart>, of total: ExactDecimal, denominator: ExactDecimal, to exponent: Int,
    precedes: (Int, Int) -> Bool
  ) {
    let unit = ExactDecimal(magnitude: 1, exponent: exponent)
    let divisor = denominator * unit
    var missing = total
    for part in parts.indices {
      let (units, cut) = parts[part].numerator.quotientAndRemainder(dividingBy: divisor)
      parts[part].amount.set(units * unit)
      parts[part].cut.set(cut)
      parts[part].hasMissingUnit = false
      missing.subtract(parts[part].amount)
    }
    for _ in parts.indices where !missing.isZero {
      // Fewer units are missing than there are parties.
      var best = 0
      while parts[best].hasMissingUnit { best += 1 }
      for part in parts.indices where !parts[part].hasMissingUnit {
        let isBefore = parts[part].cut == parts[best].cut ? precedes(part, best) : parts[best].cut < parts[part].cut
        if isBefore { best = part }
      }
      parts[best].hasMissingUnit = true
      parts[best].amount.add(unit)
      missing.subtract(unit)
    }
    precondition(missing.isZero, "more units are missing than there are parties")
  }
}
