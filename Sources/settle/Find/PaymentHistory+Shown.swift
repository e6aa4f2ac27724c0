import BatchRun
import ExactArithmetic
import JSON
import LedgerRuns
import Records
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
      "receivers": payment.map { Receiver.columns.array(Receiver.all($0)) } ?? .null,
      "refunds": RefundTaking.columns.array(refunds),
    ]
  }

  /// Its lines for people.
  ///
  /// - Parameter isBelowParties: whether the rows of `settlement.csv` are above them.
  func lines(isBelowParties: Bool) -> [String] {
    guard let payment else { return ["the ledger does not keep who sent what to whom, or not any more"] + refundTable }
    let sender = payment.payment.sender.isEmpty ? "not given" : MessageText.identifier(payment.payment.sender)
    return (isBelowParties ? [] : ["sender \(sender)"])
      + (isBelowParties && refunds.isEmpty ? [] : Receiver.columns.table(Receiver.all(payment)))
      + [
        "sent \(payment.payment.senderAmount.grouped), refunded "
          + "\(payment.refunded.grouped), remaining \(payment.remaining.grouped)"
      ] + refundTable
  }

  /// A receiver, and what refunds took from it.
  private struct Receiver {
    let account: [UInt8]
    let role: PartyRole
    let (refundable, refunded): (ExactDecimal, ExactDecimal)

    static func all(_ payment: RefundedPayment) -> [Receiver] {
      zip(payment.payment.receivers, payment.taken).map { receiver, taken in
        Receiver(account: receiver.account, role: receiver.role, refundable: receiver.refundable, refunded: taken)
      }
    }

    static let columns = Listing<Receiver>([
      ListColumn("account", title: nil) { $0.account },
      ListColumn(title: "account", absent: "not given") { MessageText.identifier($0.account) },
      ListColumn("role") { $0.role.name.description },
      ListColumn("refundable") { $0.refundable },
      ListColumn("refunded") { $0.refunded },
    ])
  }

  private var refundTable: [String] {
    refunds.isEmpty ? [] : RefundTaking.columns.table(refunds)
  }
}

extension RefundTaking {
  static let columns = Listing<RefundTaking>([
    ListColumn("refundKey", title: "refund") { $0.refundKey },
    ListColumn("run") { $0.run },
    ListColumn("amount") { $0.amount },
    ListColumn("feesReturned", title: "fees returned") { $0.feesReturned },
  ])

  var json: JSONTree { .object(Self.columns.fields(self)) }
}
