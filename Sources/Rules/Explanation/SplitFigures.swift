import ExactArithmetic
import Money

/// A receiver's part of a total, for an explanation.
public struct SplitFigures: Sendable {
  /// What is divided.
  public let total: ExactDecimal
  /// The terms, the target and the part. Do not read its name.
  public let part: SplitPart
  /// What the target's numerator is divided by.
  public let denominator: ExactDecimal
  /// Whether the target was rounded to a part; if not, do not read the part.
  public let isDivided: Bool
}

extension Judgement {
  /// A receiver's part, by its place below `explainableReceivers`; nil if the payment is not split or its targets are
  /// unknown.
  public func splitFigures(of place: Int) -> SplitFigures? {
    guard split.isGiven, kind != nil, !split.denominator.isZero else { return nil }
    return SplitFigures(
      total: split.total, part: split.parts[place], denominator: split.denominator, isDivided: split.isDivided)
  }
}
