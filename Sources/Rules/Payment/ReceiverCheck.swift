import Records

/// Checks the receivers of payments, one by one.
struct ReceiverCheck {
  private var items: ItemCheck
  private var adjusted = AdjustedAmounts()
  /// The accounts so far, for a payment with more receivers than there is room for figures.
  private var seenAccounts: Set<RecordText> = []

  init(strictItems: Bool) { items = ItemCheck(isStrict: strictItems) }

  /// Checks the receivers of a payment with a known shape.
  mutating func check(isSingle: Bool, _ judgement: inout Judgement) {
    adjusted.begin(isSingle: isSingle, &judgement)
    if isSingle {
      judgement.receivers.count = 1
      check(row: 0, index: nil, &judgement)
    } else if judgement.record.profile == .unknown {
      let name = judgement.record.top(.splitProfile)
      judgement.record.reject(name.kind == .string ? .invalidValue : .wrongType, name)
      judgement.tally.takeUnknown()
      judgement.split.begin(&judgement.record)
    } else {
      checkAll(&judgement)
    }
    adjusted.checkRecipients(&judgement)
  }

  /// Checks the receivers of the advanced shape, or of a profile.
  private mutating func checkAll(_ judgement: inout Judgement) {
    let details = judgement.record.top(.receiverPaymentDetails)
    judgement.split.begin(&judgement.record)
    guard details.kind == .array else {
      judgement.tally.takeUnknown()
      return judgement.record.reject(.wrongType, details)
    }
    let rowCount = judgement.record.scanner.rowCount
    judgement.receivers.count = rowCount - 1
    for row in 1..<rowCount { check(row: row, index: judgement.record.scanner.receiverIndex(row: row), &judgement) }
    if !seenAccounts.isEmpty { seenAccounts.removeAll() }
    guard judgement.record.scanner.hasStrayReceivers else { return }
    judgement.tally.takeUnknown()
    for stray in judgement.record.scanner.strays where stray.row < 0 {
      judgement.receivers.count += 1
      judgement.record.reject(.wrongType, at: .receiver(stray.index), evidence: stray.slice)
    }
  }

  /// Checks one receiver. Row 0 is the single shape's receiver, whose fields are at the top level.
  private mutating func check(row: Int, index: Int?, _ judgement: inout Judgement) {
    let place = ElementPlace(row: row, path: .receiver(index))
    let receiver = judgement.receivers[min(max(0, row - 1), PaymentKind.maximumReceivers - 1)]
    receiver.pointee.place = place
    checkRecipient(of: receiver, &judgement)
    let isPrimary = row == 0 ? FieldValue(.absent, at: .record) : judgement.record.receiver(.isPrimary, of: place)
    receiver.pointee.isPrimary = isPrimary.kind == .yes
    if !isPrimary.isAbsent, isPrimary.kind != .yes, isPrimary.kind != .no {
      judgement.record.reject(.wrongType, isPrimary)
      judgement.tally.areTold = false
    }
    receiver.pointee.country = judgement.record.country(judgement.record.receiver(.country, of: place))
    Self.checkTypes(of: receiver, &judgement.tally, &judgement.record)
    checkAmounts(of: receiver, &judgement)
    judgement.record.checkText(judgement.record.receiver(.description, of: place))
    judgement.record.checkText(judgement.record.receiver(.customId, of: place))
    judgement.record.checkText(judgement.record.receiver(.merchantName, of: place))
  }

  private mutating func checkRecipient(of receiver: ReceiverRoom, _ judgement: inout Judgement) {
    let place = receiver.pointee.place
    let recipient = judgement.record.receiver(.recipient, of: place)
    receiver.pointee.posting.pointee.accountLength = 0
    if recipient.isAbsent { return judgement.record.reject(.missingField, recipient) }
    guard let account = judgement.record.account(recipient) else { return }
    receiver.pointee.posting.pointee.account = account.bytes
    receiver.pointee.posting.pointee.accountLength = account.count
    if isRepeated(account, row: place.row, &judgement) { judgement.record.reject(.receiversNotUnique, recipient) }
    if account == judgement.sender { judgement.record.reject(.senderIsReceiver, recipient) }
  }

  /// Whether an earlier receiver of the payment has the same account.
  @inline(__always)
  private mutating func isRepeated(_ account: RecordText, row: Int, _ judgement: inout Judgement) -> Bool {
    if judgement.record.scanner.rowCount - 1 > PaymentKind.maximumReceivers {
      return !seenAccounts.insert(account).inserted
    }
    for earlier in 0..<max(0, row - 1) where judgement.receivers[earlier].pointee.account == account { return true }
    return false
  }

  private static func checkTypes(
    of receiver: ReceiverRoom, _ tally: inout ReceiverTally, _ record: inout RecordReader
  ) {
    let typeField = record.receiver(.paymentType, of: receiver.pointee.place)
    let type = record.value(typeField, whenAbsent: PaymentType.notSet)
    let subTypeField = record.receiver(.paymentSubType, of: receiver.pointee.place)
    let subType = record.value(subTypeField, whenAbsent: PaymentSubType.notSet)
    receiver.pointee.type = type ?? .notSet
    receiver.pointee.subType = subType ?? .notSet
    tally.take(type, at: typeField.path)
    if let type, type != .service, let subType, subType != .notSet { record.reject(.subtypeNotAllowed, subTypeField) }
  }

  private mutating func checkAmounts(of receiver: ReceiverRoom, _ judgement: inout Judgement) {
    let place = receiver.pointee.place
    let subtotal = judgement.record.receiver(.subtotal, of: place)
    let isOptional = subtotal.isAbsent && judgement.split.isSubtotalOptional(of: place, judgement.record)
    let isSubtotalValid =
      !isOptional && judgement.record.amount(subtotal, .aboveZero, into: &receiver.pointee.subtotal)
    var isGrossValid = isSubtotalValid
    let invoice = judgement.record.receiver(.invoiceData, of: place)
    if invoice.kind == .object {
      let tax = judgement.record.invoice(.totalTax, of: place)
      let shipping = judgement.record.invoice(.totalShipping, of: place)
      let isTaxValid = judgement.record.amount(tax, .zeroOrMore, into: &receiver.pointee.totalTax)
      let isShippingValid = judgement.record.amount(shipping, .zeroOrMore, into: &receiver.pointee.totalShipping)
      items.check(of: receiver, isSubtotalValid: isSubtotalValid, &judgement.record)
      isGrossValid = isSubtotalValid && isTaxValid && isShippingValid
      if isGrossValid { receiver.addGross() }
    } else {
      receiver.pointee.totalTax.set(.zero)
      receiver.pointee.totalShipping.set(.zero)
      if isSubtotalValid { receiver.pointee.posting.pointee.gross.set(receiver.pointee.subtotal) }
      if !invoice.isAbsent { isGrossValid = judgement.record.refuse(.wrongType, invoice) }
    }
    if adjusted.isGiven { isGrossValid = adjusted.adjust(receiver, isGrossValid: isGrossValid, &judgement.record) }
    if judgement.split.isGiven {
      isGrossValid = judgement.split.checkTerms(
        of: receiver, isSubtotalValid: isSubtotalValid, isGrossValid: isGrossValid, &judgement.record)
    }
    receiver.pointee.areAmountsKnown = isGrossValid
    judgement.tally.take(receiver, isGrossValid: isGrossValid)
  }
}
