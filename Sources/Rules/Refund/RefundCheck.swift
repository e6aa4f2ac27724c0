import ExactArithmetic
import Records

/// Checks records of type refund as far as possible without their payment (`refunds.md`).
enum RefundCheck {
  static func check(_ judgement: inout Judgement) {
    if let key = judgement.record.key(judgement.record.refund(.refundKey)) { judgement.places.refundKey = key }
    if let key = judgement.record.key(judgement.record.refund(.payKey)) { judgement.places.payKey = key }
    let (whole, parts) = (judgement.record.refund(.amount), judgement.record.refund(.receivers))
    let currency = judgement.record.refund(.currencyCode)
    if !(whole.isAbsent && parts.isAbsent && currency.isAbsent) {
      judgement.record.currency = judgement.record.requiredCurrency(currency)
    }
    judgement.record.time(judgement.record.refund(.createdAt))
    judgement.record.checkText(judgement.record.refund(.reason))
    judgement.record.checkURL(judgement.record.refund(.ipnUrl))
    var asked: RefundTerms.Asked?
    switch (whole.isAbsent, parts.isAbsent) {
    case (true, true): asked = .full
    case (false, true):
      var figure = ExactDecimal.zero
      if judgement.record.amount(whole, .aboveZero, into: &figure) {
        asked = .amount(figure)
        judgement.setControlAmount(figure)
      }
    case (true, false): asked = check(parts, &judgement)
    case (false, false): judgement.record.reject(.refundShape, at: .root(of: .refund))
    }
    judgement.record.hasLevels = !judgement.record.isEarlier
    reportUnknownFields(areReceiversRead: whole.isAbsent, &judgement.record)
    judgement.refundTerms = asked.map { RefundTerms(currency: judgement.record.currency, asked: $0) }
  }

  /// The amounts that receivers are to return; nil if `receivers` is not an array.
  private static func check(_ parts: FieldValue, _ judgement: inout Judgement) -> RefundTerms.Asked? {
    guard parts.kind == .array else {
      judgement.record.reject(.wrongType, parts)
      return nil
    }
    let strays = judgement.record.scanner.strays
    for stray in strays {
      judgement.record.reject(.wrongType, at: .refundReceiver(stray.index), evidence: stray.slice)
    }
    var sum = judgement.record.currency.map { ExactDecimal.zero(at: -$0.settlementExponent) } ?? .zero
    var areAmountsValid = strays.isEmpty
    var asked: [RefundTerms.Part] = []
    var seen: Set<[UInt8]> = []
    let rowCount = judgement.record.scanner.rowCount
    for row in 1..<rowCount {
      let index = judgement.record.scanner.receiverIndex(row: row)
      let place = ElementPlace(row: row, path: .refundReceiver(index))
      let account = account(of: place, &seen, &judgement.record)
      var figure = ExactDecimal.zero
      if judgement.record.amount(judgement.record.refundReceiver(.amount, of: place), .aboveZero, into: &figure) {
        sum.add(figure)
        if let account { asked.append(RefundTerms.Part(account: account, amount: figure, index: index)) }
      } else {
        areAmountsValid = false
      }
    }
    let count = rowCount - 1 + strays.count
    if !(1...PaymentKind.maximumReceivers).contains(count) {
      judgement.record.reject(.receiverCount, at: parts.path, count: count)
    }
    if areAmountsValid { judgement.setControlAmount(sum) }
    return .receivers(asked)
  }

  /// The account of a receiver; nil if it is not valid.
  private static func account(
    of place: ElementPlace, _ seen: inout Set<[UInt8]>, _ record: inout RecordReader
  ) -> [UInt8]? {
    let recipient = record.refundReceiver(.recipient, of: place)
    if recipient.isAbsent { record.reject(.missingField, recipient) }
    guard let text = record.account(recipient) else { return nil }
    let account = Array(record[text])
    if !seen.insert(account).inserted { record.reject(.receiversNotUnique, recipient) }
    return account
  }

  private static func reportUnknownFields(areReceiversRead: Bool, _ record: inout RecordReader) {
    for unknown in record.scanner.unknownFields {
      switch unknown.place {
      case .receiver(let row):
        if areReceiversRead {
          record.reportUnknown(unknown, in: .refundReceiver(record.scanner.receiverIndex(row: row)))
        }
      default: record.reportUnknown(unknown, in: .root(of: .refund))
      }
    }
  }
}

extension Judgement {
  /// Sets what the refund adds to the trailer's `refundTotals`, if its currency is valid.
  fileprivate mutating func setControlAmount(_ amount: ExactDecimal) {
    hasControlAmount = record.currency != nil
    if hasControlAmount { controlAmount.set(amount) }
  }
}
