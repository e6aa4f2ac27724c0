import ExactArithmetic

/// How the tax of a receiver is checked.
public struct TaxFigures: Sendable {
  /// The rate that applies at the address.
  public let rate: TaxRate
  /// Whether the receiver's payment type is exempt, so that no tax is due.
  public let isExempt: Bool
  /// What is taxed: the subtotal, plus shipping if the rate applies to it.
  public let base: ExactDecimal
  public let due: ExactDecimal
  /// The tax that the payment states.
  public let stated: ExactDecimal
}

extension RecordJudge {
  /// How a receiver's tax is checked, by its place below `Judgement.explainableReceivers`; nil if it is not checked.
  public mutating func taxFigures(of place: Int) -> TaxFigures? { rules.taxes?.figures(of: place, &judgement) }
}
