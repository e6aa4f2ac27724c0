import ExactArithmetic
import Rules
import Text

/// The fee on what each receiver keeps, and who bears it.
extension Explanation {
  mutating func addFee(_ place: Int, of assessor: borrowing RecordAssessor) {
    let fee = assessor.feeFigures(of: place)
    let receiver = receivers[place].figures
    row("plan", plan(fee, receiver, of: assessor))
    row("cross-border", crossBorder(fee, receiver, of: assessor))
    addArithmetic(fee, receiver, of: assessor)
    row("borne by", bearer(receiver, of: assessor))
  }

  // MARK: Plan and rate

  private func plan(
    _ fee: FeeFigures, _ receiver: ReceiverFigures, of assessor: borrowing RecordAssessor
  ) -> String {
    let reason =
      switch fee.choice {
      case .personal: "a personal payment from \(assessor.fundingSource?.name ?? "?")"
      case .account: "the account has a plan of its own"
      case .subType: "\(receiver.subType.name) has a plan of its own"
      case .card: "the payment's card was \(assessor.card?.entry?.name ?? "?")"
      case .otherwise: "the default, as no other applies"
      }
    let fixed = fee.plan.fixedTable == nil ? "no fixed fee" : "fixed fee \(fee.fixed) \(assessor.currency?.code ?? "")"
    return "\(name(fee.plan)): \(reason); rate \(fee.plan.rate), \(fixed)"
  }

  private func crossBorder(
    _ fee: FeeFigures, _ receiver: ReceiverFigures, of assessor: borrowing RecordAssessor
  ) -> String {
    guard fee.choice != .personal else { return "no: never for personal payments" }
    guard let from = assessor.senderCountry else { return "no: the sender's country is not given" }
    guard let to = receiver.country else { return "no: the receiver's country is not given" }
    guard from != to else { return "no: sender and receiver are both in \(to.code)" }
    guard fee.isCrossBorder else { return "no: from \(from.code) to \(to.code), but plan \(name(fee.plan)) opts out" }
    let sum = "\(fee.plan.rate) + \(assessor.rules.schedule.crossBorder) = \(fee.rate)"
    return "yes: from \(from.code) to \(to.code); rate \(sum)"
  }

  private func name(_ plan: FeePlan) -> String { MessageText.escapedName(Array(plan.name.utf8)) }

  // MARK: Arithmetic

  private mutating func addArithmetic(
    _ fee: FeeFigures, _ receiver: ReceiverFigures, of assessor: borrowing RecordAssessor
  ) {
    guard let currency = assessor.currency else { return }
    guard !receiver.kept.isZero else {
      return row("fee", "\(receiver.assessedFee): nothing is kept, nothing is charged")
    }
    row(
      "fee",
      "\(fee.rate) x \(receiver.kept) + \(fee.fixed) = \(fee.exact.trimmed(to: currency)) -> \(fee.rounded)"
        + " (\(assessor.rules.schedule.rounding.rawValue))")
    let least = "min(\(fee.rounded), \(receiver.kept) kept) = \(receiver.assessedFee)"
    row("capped", receiver.isCapped ? "yes: \(least)" : "no: \(least)")
  }

  // MARK: Bearer

  private func bearer(_ receiver: ReceiverFigures, of assessor: borrowing RecordAssessor) -> String {
    switch assessor.feePayer {
    case .sender where receiver.isOverridden:
      "the receiver, although the sender was to: in \(receiver.country?.code ?? "?") recipients of personal payments pay"
    case .sender: "the sender, on top of what it sends"
    case .primaryReceiver: receiver.isPrimary ? "the receiver itself, with all others" : "the primary receiver"
    case .secondaryOnly: receiver.isPrimary ? "the secondary receiver" : "the receiver itself, with the primary's"
    case .eachReceiver, nil: "the receiver itself"
    }
  }

  /// All fees together, and what each party has to bear.
  mutating func addFees(_ assessor: borrowing RecordAssessor) {
    title("Fees, by \(assessor.feePayer?.name ?? "?")")
    row("all fees", Self.sum(receivers.map { $0.figures.assessedFee.description }, assessor.fees, of: "fees"))
    if assessor.feePayer == .sender { row("sender", "bears \(assessor.senderFees)") }
    for (number, receiver) in receivers.enumerated() {
      let label = receivers.count == 1 ? "receiver" : "receiver \(number + 1)"
      let (fee, kept) = (receiver.figures.posting.pointee.fee, receiver.figures.kept)
      if fee > kept {
        row(label, "would bear \(fee), which is more than the \(kept) it keeps")
      } else {
        row(label, "bears \(fee): \(kept) kept - \(fee) = \(kept - fee) net")
      }
    }
  }
}
