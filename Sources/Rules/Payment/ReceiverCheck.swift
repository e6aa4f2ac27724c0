import Postings
import Records

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
      judgement.tally.addUnknown()
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
      judgement.tally.addUnknown()
      return judgement.record.reject(.wrongType, details)
    }
    let rowCount = judgement.record.scanner.rowCount
    judgement.receivers.count = rowCount - 1
    for row in 1..<rowCount { check(row: row, index: judgement.record.scanner.receiverIndex(row: row), &judgement) }
    if !seenAccounts.isEmpty { seenAccounts.removeAll() }
    guard judgement.record.scanner.hasStrayReceivers else { return }
    judgement.tally.addUnknown()
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
    check(
      &judgement.receivers.figures[number], &judgement.receivers.postings[1 + number], &judgement.tally,
      &judgement.sharedTypes, &judgement.split, &judgement.record)
  }

  /// Checks everything of a receiver but its account.
  @inline(__always)
  private mutating func check(
    _ receiver: inout ReceiverFigures, _ posting: inout Posting, _ tally: inout ReceiverTally,
    _ sharedTypes: inout SharedTypes, _ split: inout SplitCheck, _ record: inout RecordReader
  ) {
    let place = receiver.place
    let isPrimary = place.row == 0 ? FieldValue(.absent, at: .record) : record.receiver(.isPrimary, of: place)
    receiver.isPrimary = isPrimary.kind == .yes
    if !isPrimary.isAbsent, isPrimary.kind != .yes, isPrimary.kind != .no {
      record.reject(.wrongType, isPrimary)
      tally.areTold = false
    }
    receiver.country = record.country(record.receiver(.country, of: place))
    if record.hasCategories { receiver.category = record.category(record.receiver(.category, of: place)) }
    if sharedTypes.areGiven {
      sharedTypes.check(of: &receiver, &tally, &record)
    } else {
      Self.checkTypes(of: &receiver, &tally, &record)
    }
    let hasSubtotal = checkAmounts(of: &receiver, &posting, split, &record)
    if adjusted.isGiven { adjusted.adjust(&receiver, &posting, &record) }
    if split.isGiven { split.checkTerms(of: &receiver, posting.gross, hasSubtotal: hasSubtotal, &record) }
    tally.addGross(of: &receiver, posting.gross)
    record.checkText(record.receiver(.description, of: place))
    record.checkText(record.receiver(.customId, of: place))
    record.checkText(record.receiver(.merchantName, of: place))
  }

  @inline(always)
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

  @inline(always)
  private static func checkTypes(
    of receiver: inout ReceiverFigures, _ tally: inout ReceiverTally, _ record: inout RecordReader
  ) {
    let typeField = record.receiver(.paymentType, of: receiver.place)
    let type = record.value(typeField, whenAbsent: PaymentType.notSet)
    let subTypeField = record.receiver(.paymentSubType, of: receiver.place)
    let subType = record.value(subTypeField, whenAbsent: PaymentSubType.notSet)
    receiver.type = type ?? .notSet
    receiver.subType = subType ?? .notSet
    tally.addType(type, at: typeField.path)
    if let type, type != .service, let subType, subType != .notSet { record.reject(.subtypeNotAllowed, subTypeField) }
  }

  /// Reads the receiver's own amounts, and sets its gross if all of them are valid.
  ///
  /// - Returns: whether the subtotal is valid.
  @inline(always)
  private mutating func checkAmounts(
    of receiver: inout ReceiverFigures, _ posting: inout Posting, _ split: borrowing SplitCheck,
    _ record: inout RecordReader
  ) -> Bool {
    let place = receiver.place
    let subtotal = record.receiver(.subtotal, of: place)
    let isOptional = subtotal.isAbsent && split.isSubtotalOptional(of: place, record)
    let hasSubtotal = !isOptional && record.amount(subtotal, .aboveZero, into: &receiver.subtotal)
    let invoice = record.receiver(.invoiceData, of: place)
    if invoice.kind == .object {
      let hasOthers = checkInvoice(of: &receiver, hasSubtotal: hasSubtotal, &record)
      receiver.areAmountsKnown = hasSubtotal && hasOthers
      if receiver.areAmountsKnown { receiver.setGross(of: &posting) }
    } else {
      receiver.totalTax.set(.zero)
      receiver.totalShipping.set(.zero)
      receiver.areAmountsKnown = hasSubtotal && invoice.isAbsent
      if hasSubtotal { posting.gross.set(receiver.subtotal) }
      if !invoice.isAbsent { record.reject(.wrongType, invoice) }
    }
    return hasSubtotal
  }

  /// Reads tax and shipping, and checks the items; false if tax or shipping is not valid.
  @inline(always)
  private mutating func checkInvoice(
    of receiver: inout ReceiverFigures, hasSubtotal: Bool, _ record: inout RecordReader
  ) -> Bool {
    let place = receiver.place
    let hasTax = record.amount(record.invoice(.totalTax, of: place), .zeroOrMore, into: &receiver.totalTax)
    let hasShipping = record.amount(
      record.invoice(.totalShipping, of: place), .zeroOrMore, into: &receiver.totalShipping)
    items.check(of: &receiver, hasSubtotal: hasSubtotal, &record)
    return hasTax && hasShipping
  }
}
