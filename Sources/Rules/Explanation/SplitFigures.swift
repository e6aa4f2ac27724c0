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
  /// What shares at no bound divide among themselves; nil without such a share.
  public let shared: Shared?

  /// An amount: `numerator` divided by `divisor`.
  public struct Shared: Sendable {
    /// The amount times the divisor.
    public let numerator: ExactDecimal
    /// What the numerator is divided by, above zero.
    public let divisor: ExactDecimal
    /// Whether other shares are at a bound.
    public let leavesBounds: Bool
  }
}

extension Judgement {
  /// A receiver's part, by its place below `explainableReceivers`; nil if the payment is not split or its targets are
  /// unknown.
  public func splitFigures(of place: Int) -> SplitFigures? {
    guard split.isGiven, kind != nil, !split.denominator.isZero else { return nil }
    let shares = split.parts.prefix(receiverCount).filter { $0.terms == .share }
    let shared = shares.first { !$0.isAtBound }.map { part in
      SplitFigures.Shared(
        numerator: part.numerator, divisor: part.value, leavesBounds: shares.contains(where: \.isAtBound))
    }
    return SplitFigures(
      total: split.total, part: split.parts[place], denominator: split.denominator, isDivided: split.isDivided,
      shared: shared)
  }
}
