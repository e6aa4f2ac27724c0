import Records

/// Checks the receivers of payments, one by one.
struct ReceiverCheck {
  private var items: ItemCheck
  private var adjusted = AdjustedAmounts()
  /// The accounts so far, for a payment with more receivers than there is room for figures.
  private var seenAccounts: Set<[UInt8]> = []

  init(strictItems: Bool) { items = ItemCheck(isStrict: strictItems) }

  /// Checks the receivers of a payment with a known shape.
  mutating func check(isSingle: Bool, _ judgement: inout Judgement) {
    adjusted.begin(isSingle: isSingle, &judgement)
    if isSingle {
      judgement.receivers.count = 1
      check(row: 0, index: nil, &judgement)
      return adjusted.checkRecipients(&judgement)
    }
    judgement.sharedTypes.begin(&judgement.record)
    if judgement.record.profile == .unknown {
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
    let number = min(max(0, row - 1), PaymentKind.maximumReceivers - 1)
    judgement.receivers.figures[number].place = place
    checkRecipient(of: number, place, &judgement)
    let isPrimary = row == 0 ? FieldValue(.absent, at: .record) : judgement.record.receiver(.isPrimary, of: place)
    judgement.receivers.figures[number].isPrimary = isPrimary.kind == .yes
    if !isPrimary.isAbsent, isPrimary.kind != .yes, isPrimary.kind != .no {
      judgement.record.reject(.wrongType, isPrimary)
      judgement.tally.areTold = false
    }
    judgement.receivers.figures[number].country = judgement.record.country(
      judgement.record.receiver(.country, of: place))
    if judgement.sharedTypes.areGiven {
      judgement.sharedTypes.check(of: &judgement.receivers.figures[number], &judgement.tally, &judgement.record)
    } else {
      Self.checkTypes(of: &judgement.receivers.figures[number], &judgement.tally, &judgement.record)
    }
    checkAmounts(of: number, place, &judgement)
    judgement.record.checkText(judgement.record.receiver(.description, of: place))
    judgement.record.checkText(judgement.record.receiver(.customId, of: place))
    judgement.record.checkText(judgement.record.receiver(.merchantName, of: place))
  }

  private mutating func checkRecipient(of number: Int, _ place: ElementPlace, _ judgement: inout Judgement) {
    let recipient = judgement.record.receiver(.recipient, of: place)
    judgement.receivers.postings[1 + number].account = 0..<0
    if recipient.isAbsent { return judgement.record.reject(.missingField, recipient) }
    guard let account = judgement.record.account(recipient) else { return }
    judgement.receivers.postings[1 + number].account = account.range
    let (isRepeated, isSender) = compare(account, row: place.row, judgement)
    if isRepeated { judgement.record.reject(.receiversNotUnique, recipient) }
    if isSender { judgement.record.reject(.senderIsReceiver, recipient) }
  }

  /// Whether an earlier receiver of the payment, or the sender, has the same account.
  @inline(__always)
  private mutating func compare(
    _ account: RecordText, row: Int, _ judgement: borrowing Judgement
  ) -> (isRepeated: Bool, isSender: Bool) {
    let text = judgement.record[account]
    let isSender = text.isEqual(to: judgement.record[judgement.places.sender])
    if judgement.record.scanner.rowCount - 1 > PaymentKind.maximumReceivers {
      return (!seenAccounts.insert(Array(text)).inserted, isSender)
    }
    for earlier in 0..<max(0, row - 1) where judgement.account(of: earlier).isEqual(to: text) {
      return (true, isSender)
    }
    return (false, isSender)
  }

  private static func checkTypes(
    of receiver: inout ReceiverFigures, _ tally: inout ReceiverTally, _ record: inout RecordReader
  ) {
    let typeField = record.receiver(.paymentType, of: receiver.place)
    let type = record.value(typeField, whenAbsent: PaymentType.notSet)
    let subTypeField = record.receiver(.paymentSubType, of: receiver.place)
    let subType = record.value(subTypeField, whenAbsent: PaymentSubType.notSet)
    receiver.type = type ?? .notSet
    receiver.subType = subType ?? .notSet
    tally.take(type, at: typeField.path)
    if let type, type != .service, let subType, subType != .notSet { record.reject(.subtypeNotAllowed, subTypeField) }
  }

  private mutating func checkAmounts(of number: Int, _ place: ElementPlace, _ judgement: inout Judgement) {
    let subtotal = judgement.record.receiver(.subtotal, of: place)
    let isOptional = subtotal.isAbsent && judgement.split.isSubtotalOptional(of: place, judgement.record)
    let isSubtotalValid =
      !isOptional
      && judgement.record.amount(subtotal, .aboveZero, into: &judgement.receivers.figures[number].subtotal)
    var isGrossValid = isSubtotalValid
    let invoice = judgement.record.receiver(.invoiceData, of: place)
    if invoice.kind == .object {
      let tax = judgement.record.invoice(.totalTax, of: place)
      let shipping = judgement.record.invoice(.totalShipping, of: place)
      let isTaxValid = judgement.record.amount(
        tax, .zeroOrMore, into: &judgement.receivers.figures[number].totalTax)
      let isShippingValid = judgement.record.amount(
        shipping, .zeroOrMore, into: &judgement.receivers.figures[number].totalShipping)
      items.check(of: &judgement.receivers.figures[number], isSubtotalValid: isSubtotalValid, &judgement.record)
      isGrossValid = isSubtotalValid && isTaxValid && isShippingValid
      if isGrossValid { judgement.receivers.figures[number].setGross(of: &judgement.receivers.postings[1 + number]) }
    } else {
      judgement.receivers.figures[number].totalTax.set(.zero)
      judgement.receivers.figures[number].totalShipping.set(.zero)
      if isSubtotalValid {
        judgement.receivers.postings[1 + number].gross.set(judgement.receivers.figures[number].subtotal)
      }
      if !invoice.isAbsent { isGrossValid = judgement.record.refuse(.wrongType, invoice) }
    }
    if adjusted.isGiven {
      isGrossValid = adjusted.adjust(
        number, &judgement.receivers, isGrossValid: isGrossValid, &judgement.record)
    }
    let isPrimary = judgement.receivers.figures[number].isPrimary
    if judgement.split.isGiven {
      isGrossValid = judgement.split.checkTerms(
        of: place, isPrimary: isPrimary, gross: judgement.receivers.postings[1 + number].gross,
        isSubtotalValid: isSubtotalValid, isGrossValid: isGrossValid, &judgement.record)
    }
    judgement.receivers.figures[number].areAmountsKnown = isGrossValid
    judgement.tally.take(
      judgement.receivers.postings[1 + number].gross, isPrimary: isPrimary, isGrossValid: isGrossValid)
  }
}
