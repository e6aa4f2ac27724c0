import ExactArithmetic
import Payments

/// What must hold of a row's amounts, and of the rows of a payment together (`rules.md`).
extension SettlementAudit {
  // MARK: One row

  mutating func checkAmounts(_ line: Int) {
    var net = party.gross
    net.subtract(party.passedOn)
    net.subtract(party.fee)
    if net != party.net { complain(line, 8, party.net, expected: net, "gross - passed_on - fee") }
    if party.fee.isNegative { complain(line, 7, party.fee, "a fee is zero or more") }
    if party.role == .sender { return checkSender(line) }
    if party.gross.isNegative || party.gross.isZero {
      complain(line, 5, party.gross, "what is sent to a receiver is above zero")
    }
    if party.passedOn.isNegative || !party.passedOn.isZero && party.role != .primary {
      complain(line, 6, party.passedOn, "only a primary receiver passes something on, and never less than nothing")
    }
    if party.net.isNegative { complain(line, 8, party.net, "no receiver ends up with less than nothing") }
  }

  private mutating func checkSender(_ line: Int) {
    if !party.gross.isNegative { complain(line, 5, party.gross, "a sender's gross is below zero") }
    if !party.passedOn.isZero { complain(line, 6, party.passedOn, "a sender passes nothing on") }
    if party.kind == .chained, !party.fee.isZero {
      complain(line, 7, party.fee, "the sender of a chained payment bears no fee")
    }
  }

  private func complain(
    _ line: Int, _ column: Int, _ found: ExactDecimal, expected: ExactDecimal? = nil, _ reason: String
  ) {
    log.add(
      ReportFinding(
        Self.columns.file, line: line, field: Self.columns.names[column], found: ShownField.amount(found),
        expected: expected.map(ShownField.amount), reason))
  }

  // MARK: One payment

  mutating func checkPayment() {
    if let start = payment.payKey.baseAddress, !keys.insert(start, count: payment.payKey.count) {
      log.add(
        ReportFinding(
          Self.columns.file, line: payment.line, field: Self.columns.names[0],
          found: ShownField.identifier(payment.payKey), "an earlier payment has the same pay key"))
    }
    checkReceivers()
    if !payment.balance.isZero {
      complainOfPayment("net and fees together", payment.balance, .zero, "every payment sums to zero")
    }
    let isChained = payment.kind == .chained
    let sent = isChained ? payment.primaryGross : payment.gross
    if payment.senderAmount != sent {
      complainOfPayment(
        "what is sent", payment.senderAmount, sent,
        isChained ? "the gross of the primary receiver" : "the gross of all receivers")
    }
    if isChained, payment.primaryPassedOn != payment.secondaryGross {
      complainOfPayment(
        "what is passed on", payment.primaryPassedOn, payment.secondaryGross, "the gross of the secondary receivers")
    }
  }

  private func checkReceivers() {
    let isRight =
      switch payment.kind {
      case .simple: payment.receivers == 1
      case .parallel: payment.receivers >= 2 && payment.receivers <= PaymentKind.maximumReceivers
      case .chained:
        payment.primaries == 1 && payment.receivers >= 2 && payment.receivers <= PaymentKind.maximumReceivers
      }
    guard !isRight else { return }
    let expected =
      switch payment.kind {
      case .simple: "a simple payment has one receiver"
      case .parallel: "a parallel payment has 2 to 6 receivers"
      case .chained: "a chained payment has a primary receiver and 1 to 5 secondary ones"
      }
    log.add(
      ReportFinding(
        Self.columns.file, line: payment.line,
        "\(payment.receivers) receivers follow, \(payment.primaries) of them primary; \(expected)"))
  }

  private func complainOfPayment(
    _ what: String, _ found: ExactDecimal, _ expected: ExactDecimal, _ reason: String
  ) {
    log.add(
      ReportFinding(
        Self.columns.file, line: payment.line, field: what, found: ShownField.amount(found),
        expected: ShownField.amount(expected), reason))
  }
}
