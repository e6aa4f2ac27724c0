import Bytes
import ExactArithmetic
import Rules
import Text

/// The state of a payment before a refund.
package enum RefundState {
  /// No such payment is settled.
  case unknown
  /// It was settled too long ago, or its refund data is no longer kept.
  case overWindow
  /// It is settled; this is what earlier refunds left of it.
  case known(RefundedPayment)

  /// The payment; nil if it cannot be refunded.
  package var payment: RefundedPayment? { if case .known(let payment) = self { payment } else { nil } }

  /// Judges the next refund, and deducts it if it is made.
  package mutating func judge(_ terms: RefundTerms, _ schedule: FeeSchedule) -> RefundVerdict {
    switch self {
    case .unknown: return .notSettled
    case .overWindow: return .windowPassed
    case .known(var payment):
      defer { self = .known(payment) }
      return payment.judge(terms, schedule)
    }
  }

  // MARK: As fields of a row

  /// Appends the run that settled the payment, its bytes and the refunded amounts, each after a comma. All are empty
  /// for an unknown payment; the run is `-` if the refund window has passed.
  package func append(_ bytes: [UInt8], to text: inout TextBuffer) {
    switch self {
    case .unknown: text.append(",,,")
    case .overWindow: text.append(",-,,")
    case .known(let payment):
      let taken = payment.taken.map(\.description).joined(separator: " ")
      text.append(",\(payment.run),\(Hexadecimal.text(bytes)),\(taken)")
    }
  }

  /// Reads these fields; nil if they are malformed.
  package init?(_ fields: ArraySlice<ArraySlice<UInt8>>) {
    let texts = fields.map { String(decoding: $0, as: UTF8.self) }
    guard texts.count == 3 else { return nil }
    if texts[1].isEmpty {
      self = texts[0].isEmpty ? .unknown : .overWindow
      return
    }
    let taken = texts[2].split(separator: " ").compactMap { ExactDecimal(String($0)) }
    guard let run = Int(texts[0]), let bytes = Hexadecimal.bytes(texts[1].utf8),
      let payment = RefundablePayment(bytes), taken.count == payment.receivers.count
    else { return nil }
    self = .known(RefundedPayment(payment, run: run, taken: taken))
  }
}
