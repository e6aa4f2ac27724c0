import ExactArithmetic
import Rules
import Text

/// A payment as its refunds find it.
enum RefundState {
  /// No such payment is settled.
  case unknown
  /// It was settled too long ago, or what a refund needs of it is not kept any more.
  case overWindow
  /// It is settled, and earlier refunds left it so.
  case known(RefundedPayment)

  /// The payment; nil if nothing of it can be refunded.
  var payment: RefundedPayment? { if case .known(let payment) = self { payment } else { nil } }

  /// Judges the next refund, and takes what it takes if it is made.
  mutating func judge(_ terms: RefundTerms, _ schedule: FeeSchedule) -> RefundVerdict {
    switch self {
    case .unknown: return .notSettled
    case .overWindow: return .windowPassed
    case .known(var payment):
      defer { self = .known(payment) }
      return payment.judge(terms, schedule)
    }
  }

  // MARK: As fields of a row

  /// Appends the run that settled the payment, its bytes and what was taken of it, each after a comma; empty if it is not
  /// known, and `-` for the run if it is over the window.
  func append(_ bytes: [UInt8], to text: inout TextBuffer) {
    switch self {
    case .unknown: text.append(",,,")
    case .overWindow: text.append(",-,,")
    case .known(let payment):
      let taken = payment.taken.map(\.description).joined(separator: " ")
      text.append(",\(payment.run),\(Hexadecimal.text(bytes)),\(taken)")
    }
  }

  /// Reads such fields; nil if they are malformed.
  init?(_ fields: ArraySlice<ArraySlice<UInt8>>) {
    let texts = fields.map { String(decoding: $0, as: UTF8.self) }
    guard texts.count == 3 else { return nil }
    if texts[1].isEmpty {
      self = texts[0].isEmpty ? .unknown : .overWindow
      return
    }
    let taken = texts[2].split(separator: " ").compactMap { ExactDecimal(String($0)) }
    guard let run = Int(texts[0]), let bytes = Hexadecimal.bytes(texts[1].utf8),
      let payment = bytes.withUnsafeBytes({ RefundablePayment($0) }), taken.count == payment.receivers.count
    else { return nil }
    self = .known(RefundedPayment(payment, run: run, taken: taken))
  }
}
