import ExactArithmetic
import Money
import Records

/// Counting records from reports, for code that adds up a settlement again.
extension ControlTotals {
  /// Counts a settled payment.
  ///
  /// - Parameters:
  ///   - senderAmount: what the sender sends, without fees.
  ///   - senderFees: the fees that the sender bears.
  ///   - receiverNet: what its receivers get after fees.
  ///   - fees: the sum of its fees.
  public mutating func countSettled(
    _ currency: Currency, senderAmount: ExactDecimal, senderFees: ExactDecimal, receiverNet: ExactDecimal,
    fees: ExactDecimal
  ) {
    recordsRead += 1
    byOutcome[Int(Outcome.settled.number)] += 1
    let currency = Int(currency.index)
    var totals = currencies.mutableSpan
    totals[currency].records += 1
    totals[currency].moved.payments += 1
    totals[currency].byOutcome.0.add(senderAmount)
    totals[currency].moved.senderAmount.add(senderAmount)
    totals[currency].moved.senderFees.add(senderFees)
    totals[currency].moved.receiverNet.add(receiverNet)
    totals[currency].moved.fees.add(fees)
  }

  /// Counts a refund that was made.
  public mutating func countRefund(
    _ currency: Currency, refunded: ExactDecimal, receiverDebit: ExactDecimal, feesReturned: ExactDecimal
  ) {
    recordsRead += 1
    otherRecords += 1
    byOutcome[Int(Outcome.refunded.number)] += 1
    addRefund(currency, refunded: refunded, receiverDebit: receiverDebit, feesReturned: feesReturned)
  }

  /// Counts a record that is not settled; `control` is its control amount, if it has one.
  public mutating func countUnsettled(_ outcome: Outcome, control: (currency: Currency, amount: ExactDecimal)?) {
    precondition(
      ![.settled, .refunded].contains(outcome) || control == nil, "what moves money has more figures than this")
    recordsRead += 1
    byOutcome[Int(outcome.number)] += 1
    guard let control else {
      recordsWithoutControlAmount += 1
      return
    }
    let currency = Int(control.currency.index)
    currencies[currency].records += 1
    switch outcome {
    case .pending: currencies[currency].byOutcome.1.add(control.amount)
    case .held: currencies[currency].byOutcome.2.add(control.amount)
    case .rejected, .settled, .refunded, .agreed: currencies[currency].byOutcome.3.add(control.amount)
    }
  }
}
