import BatchRun
import ExactArithmetic
import Documents
import Rules
import Text

/// A refund: what its payment has left, each receiver's part, and the fees that come back.
extension Explanation {
  mutating func addRefund(
    _ judgement: borrowing Judgement, at place: String, _ errors: [String], earlier: String?,
    _ met: ClaimTrace.Met?
  ) {
    let key = MessageText.identifier(Array(judgement.refundKey))
    let payKey = MessageText.identifier(Array(judgement.payKey))
    text = "Refund \(key.isEmpty ? "without a valid key" : key): \(judgement.outcome.name)\n"
    row("record", place)
    row("payment", given(payKey.isEmpty ? nil : payKey, "/payKey"))
    var (payment, made): (RefundedPayment?, MadeRefund?) = (nil, nil)
    if case .payment(let before, let refund) = met { (payment, made) = (before, refund) }
    if let payment {
      row("settled by", payment.run == 0 ? "this batch" : "run \(payment.run)")
      row("kind", "\(payment.payment.kind.name)\(payment.payment.isPersonal ? ", personal" : "")")
    }
    row("currency", given((judgement.currency ?? payment?.payment.currency)?.code, "/currencyCode"))
    row("asks for", asked(judgement.refundTerms?.asked))
    addErrors(errors, earlier: earlier, isRefund: true)
    if let payment { addParties(payment) }
    guard let payment, let made, let terms = judgement.refundTerms else {
      return title("Rejected: no money moves, and no fee is returned.")
    }
    addShares(payment, terms.asked)
    addReturnedFees(payment, made, returnsFees: rules.schedule.returnsFees)
    let (refundKey, ofPayment) = (Array(key.utf8), Array(payKey.utf8))
    var lines = self
    made.withEntry(refundKey: refundKey, payKey: ofPayment) {
      lines.addLines(of: $0, "Lines of \(ReportKind.settlement.fileName)")
    }
    self = lines
  }

  private func asked(_ asked: RefundTerms.Asked?) -> String {
    switch asked {
    case .full: "everything"
    case .amount(let amount): "\(amount), from all receivers"
    case .receivers(let parts):
      parts.map { "\($0.amount) from \(MessageText.identifier($0.account))" }.joined(separator: ", ")
    case nil: "unknown (see the errors)"
    }
  }

  private mutating func addParties(_ refunded: RefundedPayment) {
    title("Payment before the refund: \(refunded.remaining) of \(refunded.payment.senderAmount) remain")
    let rows = refunded.payment.receivers.enumerated().map { place, receiver in
      [
        MessageText.identifier(receiver.account), receiver.role.name.description, "\(receiver.refundable)",
        "\(refunded.taken[place])", "\(refunded.remaining(of: place))",
      ]
    }
    for row in Table.lines(["account", "role", "refundable", "taken", "remaining"], rows, texts: 2) { line(row) }
  }

  private mutating func addShares(_ refunded: RefundedPayment, _ asked: RefundTerms.Asked) {
    title("What each gives")
    for (place, share) in refunded.shares(asked).enumerated() {
      let account = MessageText.identifier(refunded.payment.receivers[place].account)
      let remaining = refunded.remaining(of: place)
      switch asked {
      case .full: line("\(account): \(share.part), all that remains")
      case .receivers: line("\(account): \(share.part)\(share.part.isZero ? ", nothing is asked of it" : ", as asked")")
      case .amount(let amount):
        let exact = Self.decimals(amount * remaining, refunded.remaining)
        let unit = Self.unit(of: share.part)
        let words =
          share.hasUnit
          ? "\(share.part - unit) + \(unit) = \(share.part), with a unit left over: its fraction is among the largest"
          : "\(share.part)"
        line("\(account): \(amount) x \(remaining) / \(refunded.remaining) = \(exact) -> \(words)")
      }
    }
    if refunded.payment.kind == .chained {
      line("The secondaries give their parts to the primary, which sends the whole to the sender.")
    }
  }

  private mutating func addReturnedFees(_ refunded: RefundedPayment, _ made: MadeRefund, returnsFees: Bool) {
    title("Fees returned: \(made.feesReturned)")
    let hasNames = refunded.payment.receivers.contains { !$0.charges.isEmpty }
    guard returnsFees || hasNames else { return line("None: the fee schedule keeps them.") }
    for (place, receiver) in refunded.payment.receivers.enumerated() {
      let account = MessageText.identifier(receiver.account)
      guard !receiver.refundable.isZero else {
        line("\(account): 0, as nothing is refundable")
        continue
      }
      let bearer = refunded.payment.bearer(of: place).map {
        MessageText.identifier(refunded.payment.receivers[$0].account)
      }
      let (before, after) = (refunded.taken[place], refunded.taken[place] + made.parts[place])
      if hasNames {
        addReturned(receiver, place, made, from: before, to: after, bearer: bearer ?? "the sender")
        continue
      }
      let (fee, refundable) = (receiver.assessedFee, receiver.refundable)
      line(
        "\(account): \(fee) x \(after) / \(refundable) - \(fee) x \(before) / \(refundable), each rounded down, "
          + "= \(made.fees[place]), to \(bearer ?? "the sender")")
    }
  }
}
