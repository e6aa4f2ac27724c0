import ExactArithmetic
import Money
import Rules

/// How a receiver's part of a total is computed.
extension Explanation {
  mutating func addSplit(_ split: SplitFigures, of judgement: borrowing Judgement) {
    let part = split.part
    row("terms", terms(split))
    guard part.terms != .fixed, let currency = judgement.currency else { return }
    row("target", target(split, in: currency))
    guard split.isDivided else { return }
    let cut = part.cut.isZero ? "nothing is cut off" : "\(Self.decimals(part.cut, split.denominator)) is cut off"
    let whole = part.hasMissingUnit ? part.amount - Self.unit(of: part.amount) : part.amount
    guard part.hasMissingUnit else { return row("part", "\(whole): \(cut)") }
    row(
      "part",
      "\(whole) + \(Self.unit(of: part.amount)) = \(part.amount): \(cut); missing units go to the largest fractions cut off; "
        + "if equal, to the account that comes first in bytes")
  }

  private func terms(_ split: SplitFigures) -> String {
    let part = split.part
    var words =
      switch part.terms {
      case .fixed: "fixed, taken off \(split.total) first"
      case .percent: "\(part.value) percent of \(split.total)"
      case .share: "share \(part.value) of what fixed parts and percentages leave of \(split.total)"
      case .rest: "what all others leave of \(split.total)"
      }
    if let minimum = part.minimum { words += ", at least \(minimum)" }
    if let maximum = part.maximum { words += ", at most \(maximum)" }
    return words
  }

  // MARK: Targets

  /// The exact target, and the figures it comes from.
  private func target(_ split: SplitFigures, in currency: Currency) -> String {
    let part = split.part
    let target = Self.decimals(part.numerator, split.denominator, in: currency)
    switch part.terms {
    case .fixed: return target
    case .percent:
      let exact = part.value * split.total * ExactDecimal(1, exponent: -2)
      let steps = "\(part.value) / 100 x \(split.total) = \(exact.trimmed(to: currency))"
      return steps + bound(exact * split.denominator, split, target)
    case .share: return share(split, target, in: currency)
    case .rest:
      let others = split.total * split.denominator - part.numerator
      return "\(split.total) - \(Self.decimals(others, split.denominator, in: currency)) of the others = \(target)"
    }
  }

  private func share(_ split: SplitFigures, _ target: String, in currency: Currency) -> String {
    let part = split.part
    // A split that promises more than the total stops at the minima.
    guard let shared = split.shared, part.isAtBound || part.numerator != part.minimum ?? .zero || split.isDivided else {
      return "\(target), the \(part.numerator == part.minimum ?? .zero ? "least" : "most") it can get"
    }
    let left = Self.decimals(shared.numerator, shared.divisor, in: currency)
    let exact = shared.numerator * part.value
    let steps =
      "\(part.value) / \(split.denominator) of the \(left) left for shares\(shared.leavesBounds ? " at no bound" : "") = "
      + Self.decimals(exact, shared.divisor * split.denominator, in: currency)
    return steps + bound(exact, split, target, times: shared.divisor)
  }

  /// `, lowered to 100.00`, if a bound changes an exact figure, given times the split's denominator and a factor.
  private func bound(
    _ exact: ExactDecimal, _ split: SplitFigures, _ target: String, times factor: ExactDecimal = ExactDecimal(1)
  ) -> String {
    let bounded = split.part.numerator * factor
    return exact == bounded ? "" : ", \(exact < bounded ? "raised" : "lowered") to \(target)"
  }
}
