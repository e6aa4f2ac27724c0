import ExactArithmetic
import Money

/// A receiver's part of a total, for an explanation.
public struct SplitFigures: Sendable {
  /// What is divided.
  public let total: ExactDecimal
  /// The terms, the target and the part; its name is not to be read.
  public let part: SplitPart
  /// What the target's numerator is divided by.
  public let denominator: ExactDecimal
  /// Whether the target is rounded to a part; else the part is not to be read.
  public let isDivided: Bool
}

extension Judgement {
  /// A receiver's part, by its place below `explainableReceivers`; nil if the payment is not split or its targets are not
  /// known.
  public func splitFigures(of place: Int) -> SplitFigures? {
    guard split.isGiven, kind != nil, !split.denominator.isZero else { return nil }
    return SplitFigures(
      total: split.total, part: split.parts[place], denominator: split.denominator, isDivided: split.isDivided)
  }
}
