import Documents
import ExactArithmetic

/// An account's row of `settlement.csv`; valid until the next one.
package struct NightPayment {
  /// Its fields, in this order.
  package enum Field: Int {
    case gross, passedOn, fee, net, payKey, refundKey, role, counterparty
  }

  let row: ReportRow
  /// The amounts `gross`, `passed_on`, `fee` and `net`.
  package let amounts: [ExactDecimal]
  /// The balance after it.
  package let balance: ExactDecimal

  /// A field as written.
  package subscript(field: Field) -> Span<UInt8> { @_lifetime(borrow self) get { row[field.rawValue] } }

  package var net: ExactDecimal { amounts[3] }
  /// Whether it is a row of a refund, not of a payment.
  package var isRefund: Bool { !row[Field.refundKey.rawValue].isEmpty }
}
