import ExactArithmetic
import Money
import Rules

/// What a receiver's part of a total is made of.
extension Explanation {
  mutating func addSplit(_ split: SplitFigures) {
    let part = split.part
    row("terms", terms(split))
    guard part.terms != .fixed else { return }
    row("target", "\(part.numerator) / \(split.denominator) = \(Self.decimals(part.numerator, split.denominator))")
    let cut = part.cut.isZero ? "nothing is cut off" : "\(Self.decimals(part.cut, split.denominator)) is cut off"
    let whole = part.hasMissingUnit ? part.amount - Self.unit(of: part.amount) : part.amount
    guard part.hasMissingUnit else { return row("part", "\(whole): \(cut)") }
    row(
      "part",
      "\(whole) + \(Self.unit(of: part.amount)) = \(part.amount): \(cut); what all lack goes to the largest fractions cut off, "
        + "of equal ones to the account first in bytes")
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

  /// One minor unit, at the exponent of an amount.
  static func unit(of amount: ExactDecimal) -> ExactDecimal { ExactDecimal(1, exponent: amount.exponent) }

  /// A fraction as a decimal; of an endless one the first ten decimals.
  static func decimals(_ numerator: ExactDecimal, _ denominator: ExactDecimal) -> String {
    let scale = ExactDecimal(1, exponent: -10)
    let (units, rest) = numerator.quotientAndRemainder(dividingBy: denominator * scale)
    guard rest.isZero else { return "\(units * scale)..." }
    let value = (units * scale).strippingTrailingZeros()
    return (value.exact(at: min(0, value.exponent)) ?? value).description
  }
}
