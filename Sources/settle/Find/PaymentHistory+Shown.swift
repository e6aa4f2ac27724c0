import BatchRun
import JSON
import LedgerRuns
import Rules
import Text

/// What the ledger keeps of a payment, shown: who got what, and what refunds took over all nights.
extension PaymentHistory {
  func json(_ payKey: String) -> JSONTree {
    let paid = payment?.payment
    return [
      "payKey": .string(payKey), "run": .number(run), "kind": .given(paid?.kind.name.description),
      "currency": .given(paid?.currency.code), "sender": .given(paid?.sender),
      "preapprovalKey": .given(paid?.preapprovalKey), "senderAmount": .given(paid?.senderAmount.description),
      "refunded": .given(payment?.refunded.description), "remaining": .given(payment?.remaining.description),
      "receivers": payment.map { refunded in
        .array(
          refunded.payment.receivers.enumerated().map { place, receiver in
            [
              "account": .given(receiver.account), "role": .string(receiver.role.name.description),
              "refundable": .string(receiver.refundable.description),
              "refunded": .string(refunded.taken[place].description),
            ]
          })
      } ?? .null,
      "refunds": .array(refunds.map(\.json)),
    ]
  }

  /// Its lines for people.
  ///
  /// - Parameter isBelowParties: whether the rows of `settlement.csv` are above them.
  func lines(isBelowParties: Bool) -> [String] {
    guard let payment else { return ["the ledger does not keep who sent what to whom, or not any more"] + refundTable }
    let sender = payment.payment.sender.isEmpty ? "not given" : MessageText.identifier(payment.payment.sender)
    return (isBelowParties ? [] : ["sender \(sender)"])
      + (isBelowParties && refunds.isEmpty ? [] : Self.receiverTable(payment))
      + [
        "sent \(ClosingTable.grouped(payment.payment.senderAmount)), refunded "
          + "\(ClosingTable.grouped(payment.refunded)), remaining \(ClosingTable.grouped(payment.remaining))"
      ] + refundTable
  }

  /// The receivers, and what refunds took from each.
  private static func receiverTable(_ refunded: RefundedPayment) -> [String] {
    ClosingTable.table(
      ["account", "role", "refundable", "refunded"],
      refunded.payment.receivers.enumerated().map { place, receiver in
        [
          receiver.account.isEmpty ? "not given" : MessageText.identifier(receiver.account),
          receiver.role.name.description, ClosingTable.grouped(receiver.refundable),
          ClosingTable.grouped(refunded.taken[place]),
        ]
      }, texts: 2)
  }

  private var refundTable: [String] {
    guard !refunds.isEmpty else { return [] }
    return ClosingTable.table(
      ["refund", "run", "amount", "fees returned"],
      refunds.map {
        [$0.refundKey, "\($0.run)", ClosingTable.grouped($0.amount), ClosingTable.grouped($0.feesReturned)]
      })
  }
}

extension EarlierTaking {
  var json: JSONTree {
    [
      "refundKey": .string(refundKey), "run": .number(run), "amount": .string(amount.description),
      "feesReturned": .string(feesReturned.description),
    ]
  }
}
