import ExactArithmetic
import Input
import Money
import Records

/// Records of type refund: what can be said of them without their payment (`refunds.md`).
extension Judgement {
  mutating func checkRefund() {
    if let key = key(scanner.refundField(.refundKey), at: .refund(.refundKey)) { refundKey = key }
    if let key = key(scanner.refundField(.payKey), at: .refund(.payKey)) { payKey = key }
    let (whole, parts) = (scanner.refundField(.amount), scanner.refundField(.receivers))
    checkRefundCurrency(isRequired: !whole.isAbsent || !parts.isAbsent)
    time(scanner.refundField(.createdAt), at: .refund(.createdAt))
    checkText(scanner.refundField(.reason), at: .refund(.reason), maximum: 255)
    checkURL(scanner.refundField(.ipnUrl), at: .refund(.ipnUrl))
    var asked: RefundTerms.Asked?
    switch (whole.isAbsent, parts.isAbsent) {
    case (true, true): asked = .full
    case (false, true):
      var figure = ExactDecimal.zero
      if amount(whole, at: .refund(.amount), .aboveZero, into: &figure) {
        asked = .amount(figure)
        setControlAmount(figure)
      }
    case (true, false): asked = checkParts(parts)
    case (false, false): reject(.refundShape, at: .root(of: .refund))
    }
    for unknown in scanner.unknownFields {
      switch unknown.place {
      case .receiver(let row):
        if whole.isAbsent { takeUnknown(unknown, in: .refundReceiver(scanner.receiverIndex(row: row))) }
      default: takeUnknown(unknown, in: .root(of: .refund))
      }
    }
    refundTerms = asked.map { RefundTerms(currency: currency, asked: $0) }
  }

  private mutating func checkRefundCurrency(isRequired: Bool) {
    let slice = scanner.refundField(.currencyCode)
    if isRequired || !slice.isAbsent { currency = requiredCurrency(slice, at: .refund(.currencyCode)) }
  }

  /// The amounts asked of receivers; nil if `receivers` is no array.
  private mutating func checkParts(_ slice: JSONSlice) -> RefundTerms.Asked? {
    let path = FieldPath.refund(.receivers)
    guard slice.kind == .array else {
      reject(.wrongType, at: path, evidence: slice)
      return nil
    }
    var sum = currency.map { ExactDecimal.zero(at: -$0.settlementExponent) } ?? .zero
    var areAmountsValid = scanner.strays.isEmpty
    var parts: [RefundTerms.Part] = []
    var seen: Set<AccountText> = []
    for stray in scanner.strays { reject(.wrongType, at: .refundReceiver(stray.index), evidence: stray.slice) }
    for row in 1..<scanner.rowCount {
      let index = scanner.receiverIndex(row: row)
      let path = FieldPath.refundReceiver(index)
      let recipient = scanner.refundReceiverField(.recipient, row: row)
      if recipient.isAbsent { reject(.missingField, at: path.refundReceiverField(.recipient)) }
      let account = account(recipient, at: path.refundReceiverField(.recipient))
      if let account, !seen.insert(AccountText(bytes: account.bytes, count: account.count)).inserted {
        reject(.receiversNotUnique, at: path.refundReceiverField(.recipient), evidence: recipient)
      }
      var figure = ExactDecimal.zero
      guard
        amount(
          scanner.refundReceiverField(.amount, row: row), at: path.refundReceiverField(.amount), .aboveZero,
          into: &figure)
      else {
        areAmountsValid = false
        continue
      }
      sum.add(figure)
      if let account {
        let bytes = Array(UnsafeBufferPointer(start: account.bytes, count: account.count))
        parts.append(RefundTerms.Part(account: bytes, amount: figure, index: index))
      }
    }
    let count = scanner.rowCount - 1 + scanner.strays.count
    if !(1...PaymentKind.maximumReceivers).contains(count) {
      reject(.receiverCount, at: path, evidence: JSONSlice(.number, start: count, length: 0))
    }
    if areAmountsValid { setControlAmount(sum) }
    return .receivers(parts)
  }

  /// What the refund counts for in the trailer's `refundTotals`, where its currency is valid.
  private mutating func setControlAmount(_ amount: ExactDecimal) {
    hasControlAmount = currency != nil
    if hasControlAmount { controlAmount.set(amount) }
  }
}
