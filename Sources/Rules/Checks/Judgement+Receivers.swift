import Records

/// The receivers, one by one.
extension Judgement {
  /// The receivers of the advanced shape.
  mutating func checkReceivers() {
    let tally = tally
    let details = scanner.field(.receiverPaymentDetails)
    beginSplit(isProfile: profile == .known)
    guard details.kind == .array else {
      tally.pointee.areTold = false
      tally.pointee.allGrossValid = false
      tally.pointee.allTypesValid = false
      return reject(.wrongType, at: .top(.receiverPaymentDetails), evidence: details)
    }
    receiverCount = scanner.rowCount - 1
    if scanner.rowCount - 1 > PaymentKind.maximumReceivers { seenAccounts.removeAll() }
    for row in 1..<scanner.rowCount {
      checkReceiver(row: row, index: scanner.receiverIndex(row: row))
    }
    if scanner.rowCount - 1 > PaymentKind.maximumReceivers { seenAccounts.removeAll() }
    guard scanner.hasStrayReceivers else { return }
    tally.pointee.areTold = false
    tally.pointee.allGrossValid = false
    tally.pointee.allTypesValid = false
    for stray in scanner.strays where stray.row < 0 {
      receiverCount += 1
      reject(.wrongType, at: .receiver(stray.index), evidence: stray.slice)
    }
  }

  /// One receiver: row 0 is the single shape's, whose fields stand at the top level.
  mutating func checkReceiver(row: Int, index: Int?) {
    let tally = tally
    let path = FieldPath.receiver(index)
    let place = max(0, row - 1)
    // Only six receivers make a payment; of more, the checks are made but no figures kept.
    let figures = receivers + min(place, PaymentKind.maximumReceivers - 1)
    figures.pointee.row = row
    figures.pointee.index = index
    checkRecipient(row: row, path: path, figures: figures)

    let isPrimary = row == 0 ? .absent : scanner.receiverField(.isPrimary, row: row)
    figures.pointee.isPrimary = isPrimary.kind == .yes
    if !isPrimary.isAbsent, isPrimary.kind != .yes, isPrimary.kind != .no {
      reject(.wrongType, at: path.receiverField(.isPrimary), evidence: isPrimary)
      tally.pointee.areTold = false
    }
    figures.pointee.country = country(
      scanner.receiverField(.country, row: row), at: path.receiverField(.country))
    checkTypes(row: row, path: path, figures: figures)
    checkAmounts(row: row, path: path, figures: figures)
    checkText(
      scanner.receiverField(.description, row: row), at: path.receiverField(.description), maximum: 255)
    checkText(
      scanner.receiverField(.customId, row: row), at: path.receiverField(.customId), maximum: 255)
    checkText(
      scanner.receiverField(.merchantName, row: row), at: path.receiverField(.merchantName), maximum: 255)
  }

  private mutating func checkRecipient(row: Int, path: FieldPath, figures: UnsafeMutablePointer<ReceiverFigures>) {
    let slice = scanner.receiverField(.recipient, row: row)
    let path = path.receiverField(.recipient)
    figures.pointee.posting.pointee.accountLength = 0
    if slice.isAbsent { return reject(.missingField, at: path) }
    guard let (bytes, count) = account(slice, at: path) else { return }
    figures.pointee.posting.pointee.account = bytes
    figures.pointee.posting.pointee.accountLength = count
    if isRepeated(bytes, count: count, place: max(0, row - 1)) {
      reject(.receiversNotUnique, at: path, evidence: slice)
    }
    if sender.count == count, accountsEqual(sender.bytes, bytes, count: count) {
      reject(.senderIsReceiver, at: path, evidence: slice)
    }
  }

  /// Whether an earlier receiver of the payment has the same account.
  private mutating func isRepeated(_ account: UnsafePointer<UInt8>, count: Int, place: Int) -> Bool {
    if scanner.rowCount - 1 > PaymentKind.maximumReceivers {
      return !seenAccounts.insert(AccountText(bytes: account, count: count)).inserted
    }
    for earlier in 0..<place where receivers[earlier].posting.pointee.accountLength == count {
      if accountsEqual(receivers[earlier].posting.pointee.account, account, count: count) { return true }
    }
    return false
  }

  private mutating func checkTypes(row: Int, path: FieldPath, figures: UnsafeMutablePointer<ReceiverFigures>) {
    let tally = tally
    let typePath = path.receiverField(.paymentType)
    let type = value(
      scanner.receiverField(.paymentType, row: row), at: typePath, whenAbsent: PaymentType.notSet)
    let subTypeSlice = scanner.receiverField(.paymentSubType, row: row)
    let subType = value(subTypeSlice, at: path.receiverField(.paymentSubType), whenAbsent: PaymentSubType.notSet)
    figures.pointee.type = type ?? .notSet
    figures.pointee.subType = subType ?? .notSet
    guard let type else {
      tally.pointee.allTypesValid = false
      return
    }
    if let first = tally.pointee.firstType {
      if first != type { tally.pointee.typesDiffer = true }
    } else {
      tally.pointee.firstType = type
    }
    if type == .personal, tally.pointee.firstPersonal == nil { tally.pointee.firstPersonal = typePath }
    if let subType, subType != .notSet, type != .service {
      reject(.subtypeNotAllowed, at: path.receiverField(.paymentSubType), evidence: subTypeSlice)
    }
  }

  private mutating func checkAmounts(row: Int, path: FieldPath, figures: UnsafeMutablePointer<ReceiverFigures>) {
    let subtotal = scanner.receiverField(.subtotal, row: row)
    let isSubtotalValid =
      subtotal.isAbsent && isSubtotalOptional(row: row)
      ? false
      : amount(subtotal, at: path.receiverField(.subtotal), .aboveZero, into: &figures.pointee.subtotal)
    var isGrossValid = isSubtotalValid
    if isSubtotalValid { figures.pointee.posting.pointee.gross.set(figures.pointee.subtotal) }
    let invoice = scanner.receiverField(.invoiceData, row: row)
    if invoice.kind == .object {
      let isTaxValid = amount(
        scanner.invoiceField(.totalTax, row: row), at: path.invoiceField(.totalTax), .zeroOrMore,
        into: &figures.pointee.totalTax)
      let isShippingValid = amount(
        scanner.invoiceField(.totalShipping, row: row), at: path.invoiceField(.totalShipping),
        .zeroOrMore, into: &figures.pointee.totalShipping)
      checkItems(row: row, path: path, receiver: figures, isSubtotalValid: isSubtotalValid)
      isGrossValid = isSubtotalValid && isTaxValid && isShippingValid
      if isGrossValid {
        figures.pointee.posting.pointee.gross.add(figures.pointee.totalTax)
        figures.pointee.posting.pointee.gross.add(figures.pointee.totalShipping)
      }
    } else {
      figures.pointee.totalTax.set(.zero)
      figures.pointee.totalShipping.set(.zero)
      if !invoice.isAbsent {
        reject(.wrongType, at: path.receiverField(.invoiceData), evidence: invoice)
        isGrossValid = false
      }
    }
    if adjusted.pointee.isGiven { isGrossValid = adjust(figures, path: path, isGrossValid: isGrossValid) }
    if isSplit {
      let hasOwnGross = checkTerms(
        row: row, path: path, figures: figures, isSubtotalValid: isSubtotalValid, isGrossValid: isGrossValid)
      isGrossValid = isGrossValid && hasOwnGross
    }
    addUp(figures, isGrossValid: isGrossValid)
  }

  /// Takes a receiver's gross into what the receivers are together.
  @inline(__always)
  private mutating func addUp(_ figures: UnsafeMutablePointer<ReceiverFigures>, isGrossValid: Bool) {
    let tally = tally
    figures.pointee.areAmountsKnown = isGrossValid
    if figures.pointee.isPrimary { tally.pointee.primaryCount += 1 }
    guard isGrossValid else {
      tally.pointee.allGrossValid = false
      return
    }
    tally.pointee.gross.add(figures.pointee.posting.pointee.gross)
    if figures.pointee.isPrimary, tally.pointee.primaryCount == 1 {
      tally.pointee.primaryGross.set(figures.pointee.posting.pointee.gross)
      tally.pointee.primaryGrossValid = true
    }
  }
}
