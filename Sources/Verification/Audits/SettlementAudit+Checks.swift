import ExactArithmetic
import Records
import Documents
import Text

/// Checks the amounts of a row, and the rows of a payment together (`rules.md`).
extension SettlementAudit {
  // MARK: One row

  mutating func checkAmounts(_ line: Int) {
    var net = party.gross
    net.subtract(party.passedOn)
    net.subtract(party.fee)
    if net != party.net { complain(line, .net, expected: net.description, "gross - passed_on - fee") }
    if party.fee.isNegative { complain(line, .fee, "a fee is zero or more") }
    if party.role == .sender { return checkSender(line) }
    if party.gross.isNegative || party.gross.isZero {
      complain(line, .gross, "what is sent to a receiver is above zero")
    }
    if party.passedOn.isNegative || !party.passedOn.isZero && party.role != .primary {
      complain(line, .passedOn, "only a primary receiver passes anything on, and never less than zero")
    }
    if party.net.isNegative { complain(line, .net, "no receiver's net is below zero") }
  }

  private mutating func checkSender(_ line: Int) {
    if !party.gross.isNegative { complain(line, .gross, "a sender's gross is below zero") }
    if !party.passedOn.isZero { complain(line, .passedOn, "a sender passes nothing on") }
    if party.kind == .chained, !party.fee.isZero {
      complain(line, .fee, "the sender of a chained payment bears no fee")
    }
  }

  // MARK: One payment

  mutating func checkPayment() {
    let key = payment.key
    if !keys.insert(key.span) {
      log.add(
        .settlement, line: payment.line, Column.payKey, found: MessageText.identifier(payment.key),
        "an earlier payment has the same pay key")
    }
    checkReceivers()
    let sums = payment.sums
    let balance = sums.receiverNet + sums.fees - payment.senderAmount - payment.senderFees
    let line = payment.line
    check(line, "net and fees together", balance, .zero, "every payment sums to zero")
    check(
      line, "what is sent", payment.senderAmount, sums.sentGross,
      payment.kind == .chained ? "the gross of the primary receiver" : "the gross of all receivers")
    check(line, "what is passed on", sums.passedOn, sums.secondaryGross, "the gross of the secondary receivers")
  }

  private func checkReceivers() {
    let several = 2...PaymentKind.maximumReceivers
    let (isRight, expected) =
      switch payment.kind {
      case .simple: (payment.receivers == 1, "a simple payment has one receiver")
      case .parallel: (several.contains(payment.receivers), "a parallel payment has 2 to 6 receivers")
      case .chained:
        (
          several.contains(payment.receivers) && payment.primaries == 1,
          "a chained payment has a primary receiver and 1 to 5 secondary ones"
        )
      }
    guard !isRight else { return }
    log.add(
      ReportKind.settlement.fileName, line: payment.line,
      "\(payment.receivers) receivers follow, \(payment.primaries) of them primary; \(expected)")
  }

  /// Adds a finding if a sum of the rows from a line on is not the expected one.
  func check(_ line: Int, _ what: String, _ found: ExactDecimal, _ expected: ExactDecimal, _ reason: String) {
    guard found != expected else { return }
    log.add(
      ReportKind.settlement.fileName, line: line, field: what, found: found.description,
      expected: expected.description, reason)
  }
}
