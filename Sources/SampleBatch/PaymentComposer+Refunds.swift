import ExactArithmetic

// Writes refunds of the payment that was drawn last.
extension PaymentComposer {
  /// Writes the batch's refund of the payment, if any. The payment has no defect.
  ///
  /// The payment's index decides how it is refunded: in full, by one receiver, or by an amount. Of such an amount the
  /// night that settled the payment refunds a third, and a later night the rest.
  mutating func writeRefund() {
    let isLater = night < options.night
    let bits = SampleRandom.mixed(UInt64(draft.index) ^ SampleRandom.mixed(seed &+ 1))
    let lot = bits % 100
    guard draft.status == .completed, let whole = draft.controlAmount else { return }
    // Only the engine computes what receivers keep of a split payment; a personal payment is refunded in full or not at
    // all.
    let isWhole = draft.receivers.contains { $0.terms != nil || $0.paymentType == .personal }
    switch lot {
    case 0..<3 where !isLater, 3..<6 where isLater: writeRefund(bits, amount: nil)
    case 6..<9 where !isWhole && whole > 2:
      writeRefund(isLater ? ~bits : bits, amount: isLater ? whole - whole / 3 : whole / 3)
    case 9..<12 where isLater && !isWhole:
      let kept = draft.receivers.map { $0.isPrimary ? $0.gross - draft.passedOn : $0.gross }
      if let place = kept.firstIndex(where: { $0 > 0 }) {
        writeRefund(bits, amount: kept[place], of: draft.receivers[place].party)
      }
    default: break
    }
  }

  /// - Parameter receiver: the receiver that gives the amount back; nil for all.
  private mutating func writeRefund(_ bits: UInt64, amount: UInt64?, of receiver: SampleParty? = nil) {
    control.records += 1
    // A refund must not change the payments that follow.
    let drawing = random
    defer { random = drawing }
    random = SampleRandom(seed: bits, block: 0)
    text.append(#"{"type":"refund","refundKey":"#)
    writeKey("RF", bits)
    text.append(#","payKey":"#)
    writePayKey()
    if let amount {
      let currency = draft.currency.currency
      control.refundTotals[currency, default: .zero] += ExactDecimal(
        magnitude: amount, exponent: -currency.settlementExponent)
      writeQuoted(#","currencyCode":"#, currency.code)
      if let receiver {
        text.append(#","receivers":[{"recipient":"#)
        writeAddress(of: receiver)
      }
      writeAmount(#","amount":"#, amount)
      if receiver != nil { text.append("}]") }
    }
    text.append("}\n")
  }
}
