import ExactArithmetic
import Rules
import Text

/// Named fees of a receiver, and what a refund gives back of them.
extension Explanation {
  mutating func addNames(_ fee: FeeFigures, _ receiver: ReceiverFigures) {
    for steps in fee.named { add(steps, receiver) }
    let terms = fee.named.flatMap { [$0.fee, $0.vat] }.filter { !$0.isZero }.map(\.description)
    row("fee", terms.isEmpty ? "\(receiver.assessedFee)" : Self.sum(terms, receiver.assessedFee, of: "fees and VAT"))
  }

  private mutating func add(_ steps: NamedFeeSteps, _ receiver: ReceiverFigures) {
    guard let entry = steps.entry else { return row(steps.name, "no entry fits: nothing is charged") }
    let number = entry.number == 0 ? "the plan's rate" : "entry \(entry.number)"
    guard let figures = steps.figures else {
      return row(steps.name, "\(number): nothing is kept, nothing is charged")
    }
    row(
      steps.name,
      "\(number): \(figures.rate) x \(figures.base) (\(entry.base.rawValue)) + \(figures.fixed ?? .zero) = "
        + "\(figures.product)\(bound(figures)) -> \(figures.fee) (\(rules.schedule.rounding.rawValue))")
    row("", "VAT \(entry.vat) x \(figures.fee) = \(figures.exactVAT) -> \(figures.vat)")
    guard steps.isCapped else { return }
    row(
      "",
      "gives way: \(figures.fee) + \(figures.vat) is above the \(steps.left) left; VAT "
        + "\(steps.left) x \(entry.vat) / (1 + \(entry.vat)) -> \(steps.vat), fee \(steps.fee)")
  }

  private func bound(_ figures: NamedFee.Figures) -> String {
    if let most = figures.maximum, figures.bounded == most, figures.product > most { return ", at most \(most)" }
    if let least = figures.minimum, figures.bounded == least, figures.product < least { return ", at least \(least)" }
    return ""
  }

  /// What is given back of a receiver's named fees.
  mutating func addReturned(
    _ receiver: RefundablePayment.Receiver, _ place: Int, _ made: MadeRefund, from before: ExactDecimal,
    to after: ExactDecimal, bearer: String
  ) {
    let account = MessageText.identifier(receiver.account)
    for charge in receiver.charges {
      let name = String(decoding: charge.name, as: UTF8.self)
      guard charge.isReturned else {
        line("\(account): \(name) \(charge.fee) + \(charge.vat) VAT is kept, as its entry said")
        continue
      }
      let part = made.returned.first { $0.place == place && $0.name == charge.name }
      func steps(_ amount: ExactDecimal, _ back: ExactDecimal?) -> String {
        "\(amount) x \(after) / \(receiver.refundable) - \(amount) x \(before) / \(receiver.refundable) = "
          + "\(back ?? .zero(at: amount.exponent))"
      }
      line(
        "\(account): \(name) \(steps(charge.fee, part?.fee)), VAT \(steps(charge.vat, part?.vat)), each rounded down, "
          + "to \(bearer)")
    }
  }
}
