import ExactArithmetic
import Rules
import Text

/// The fee on what each receiver keeps, and who bears it.
extension Explanation {
  mutating func addFee(_ fee: FeeFigures, _ place: Int, of judgement: borrowing Judgement) {
    let receiver = receivers[place].figures
    row("plan", plan(fee, receiver, of: judgement))
    if rules.schedule.hasCategories {
      row("category", judgement.category(of: place).map(MessageText.text) ?? "not given")
    }
    row("cross-border", crossBorder(fee, receiver, of: judgement))
    if fee.named.isEmpty { addArithmetic(fee, receiver, of: judgement) } else { addNames(fee, receiver) }
    row("borne by", bearer(receiver, of: judgement))
  }

  // MARK: Plan and rate

  private func plan(
    _ fee: FeeFigures, _ receiver: ReceiverFigures, of judgement: borrowing Judgement
  ) -> String {
    let reason =
      switch fee.choice {
      case .personal: "a personal payment from \(judgement.fundingSource?.name ?? "?")"
      case .account: "the account has a plan of its own"
      case .subType: "\(receiver.subType.name) has a plan of its own"
      case .card: "the payment's card was \(judgement.card?.entry?.name ?? "?")"
      case .otherwise: "the default, as no other applies"
      }
    if fee.plan.isNamed { return "\(name(fee.plan)): \(reason); named fees" }
    let fixed = fee.plan.fixedTable == nil ? "no fixed fee" : "fixed fee \(fee.fixed) \(judgement.currency?.code ?? "")"
    return "\(name(fee.plan)): \(reason); rate \(fee.plan.rate), \(fixed)"
  }

  private func crossBorder(
    _ fee: FeeFigures, _ receiver: ReceiverFigures, of judgement: borrowing Judgement
  ) -> String {
    guard fee.choice != .personal else { return "no: never for personal payments" }
    guard let from = judgement.senderCountry else { return "no: the sender's country is not given" }
    guard let to = receiver.country else { return "no: the receiver's country is not given" }
    guard from != to else { return "no: sender and receiver are both in \(to.code)" }
    if fee.plan.isNamed, fee.isCrossBorder {
      return "yes: from \(from.code) to \(to.code); fees that depend on it add \(rules.schedule.crossBorder)"
    }
    guard fee.isCrossBorder else { return "no: from \(from.code) to \(to.code), but plan \(name(fee.plan)) opts out" }
    let sum = "\(fee.plan.rate) + \(rules.schedule.crossBorder) = \(fee.rate)"
    return "yes: from \(from.code) to \(to.code); rate \(sum)"
  }

  private func name(_ plan: FeePlan) -> String { MessageText.escapedName(Array(plan.name.utf8)) }

  // MARK: Arithmetic

  private mutating func addArithmetic(
    _ fee: FeeFigures, _ receiver: ReceiverFigures, of judgement: borrowing Judgement
  ) {
    guard let currency = judgement.currency else { return }
    guard !receiver.kept.isZero else {
      return row("fee", "\(receiver.assessedFee): nothing is kept, nothing is charged")
    }
    row(
      "fee",
      "\(fee.rate) x \(receiver.kept) + \(fee.fixed) = \(fee.exact.trimmed(to: currency)) -> \(fee.rounded)"
        + " (\(rules.schedule.rounding.rawValue))")
    let least = "min(\(fee.rounded), \(receiver.kept) kept) = \(receiver.assessedFee)"
    row("capped", receiver.isCapped ? "yes: \(least)" : "no: \(least)")
  }

  // MARK: Bearer

  private func bearer(_ receiver: ReceiverFigures, of judgement: borrowing Judgement) -> String {
    switch judgement.feePayer {
    case .sender where receiver.isOverridden:
      "the receiver instead of the sender: in \(receiver.country?.code ?? "?") recipients of personal payments pay"
    case .sender: "the sender, on top of what it sends"
    case .primaryReceiver: receiver.isPrimary ? "the receiver itself, with all others" : "the primary receiver"
    case .secondaryOnly: receiver.isPrimary ? "the secondary receiver" : "the receiver itself, with the primary's"
    case .eachReceiver, nil: "the receiver itself"
    }
  }

  /// All fees together, and what each party bears.
  mutating func addFees(_ judgement: borrowing Judgement) {
    title("Fees, by \(judgement.feePayer?.name ?? "?")")
    row("all fees", Self.sum(receivers.map { $0.figures.assessedFee.description }, judgement.fees, of: "fees"))
    if judgement.feePayer == .sender { row("sender", "bears \(judgement.senderFees)") }
    for (number, receiver) in receivers.enumerated() {
      let label = receivers.count == 1 ? "receiver" : "receiver \(number + 1)"
      let (fee, kept) = (receiver.posting.fee, receiver.figures.kept)
      if fee > kept {
        row(label, "would bear \(fee), which is more than the \(kept) it keeps")
      } else {
        row(label, "bears \(fee): \(kept) kept - \(fee) = \(kept - fee) net")
      }
    }
  }
}
