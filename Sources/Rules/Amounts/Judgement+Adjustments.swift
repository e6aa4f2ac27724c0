import ExactArithmetic
import Input
import Money
import Records

/// Amounts that the buyer's address changed (`amounts.md`).
extension Judgement {
  // MARK: Fields of all shapes

  /// Checks the shipping address, and what came of adjusting the amounts to it.
  @inline(never)
  mutating func checkAddress() {
    let code = scanner.field(.amountErrorCode)
    switch value(code, at: .top(.amountErrorCode), whenAbsent: AmountErrorCode.none) {
    case .server, .other: reject(.adjustmentFailed, at: .top(.amountErrorCode), evidence: code)
    case .cancel: reject(.adjustmentCanceled, at: .top(.amountErrorCode), evidence: code)
    case .some(.none), nil: break
    }
    let address = scanner.field(.shippingAddress)
    guard address.kind == .object else {
      if !address.isAbsent { reject(.wrongType, at: .top(.shippingAddress), evidence: address) }
      return
    }
    for field in AddressField.allCases {
      if field == .countrycode {
        _ = listedCountry(scanner.addressField(field), at: .address(field))
      } else {
        checkText(scanner.addressField(field), at: .address(field), maximum: 255)
      }
    }
  }

  // MARK: Reading

  /// Reads the adjusted amounts of a payment whose shape is known.
  @inline(never)
  mutating func readAdjustments(isSingle: Bool) {
    let adjusted = adjusted
    adjusted.pointee.reset()
    let slice = scanner.field(.adjustedAmounts)
    guard slice.kind == (isSingle ? .object : .array) else {
      adjusted.pointee.areTold = false
      return reject(.wrongType, at: .top(.adjustedAmounts), evidence: slice)
    }
    if isSingle {
      var entry = AdjustedAmounts.Entry()
      readAmounts(slice, at: .top(.adjustedAmounts), into: &entry)
      return adjusted.pointee.entries.append(entry)
    }
    for (index, element) in scanner.adjustments.enumerated() {
      let entry = readAdjustment(element, at: .adjustment(index))
      if entry.account == nil { adjusted.pointee.areTold = false }
      adjusted.pointee.entries.append(entry)
    }
  }

  /// Reads an element of `adjustedAmounts`, which may be anything.
  private mutating func readAdjustment(_ element: JSONSlice, at path: FieldPath) -> AdjustedAmounts.Entry {
    let adjusted = adjusted
    var entry = AdjustedAmounts.Entry()
    guard element.kind == .object else {
      reject(.wrongType, at: path, evidence: element)
      return entry
    }
    let amounts = scanner.adjustmentField(.amounts, of: element)
    let amountsPath = path.adjustmentField(.amounts)
    if amounts.kind == .object {
      readAmounts(amounts, at: amountsPath, into: &entry)
    } else {
      reject(amounts.isAbsent ? .missingField : .wrongType, at: amountsPath, evidence: amounts)
    }
    entry.recipient = scanner.adjustmentField(.recipient, of: element)
    let recipientPath = path.adjustmentField(.recipient)
    if entry.recipient.isAbsent { reject(.missingField, at: recipientPath) }
    guard let (bytes, count) = account(entry.recipient, at: recipientPath) else { return entry }
    let account = AccountText(bytes: bytes, count: count)
    entry.account = account
    entry.isRepeated = adjusted.pointee.places[account] != nil
    if entry.isRepeated {
      reject(.adjustedAmountsMismatch, at: recipientPath, evidence: entry.recipient)
    } else {
      adjusted.pointee.places[account] = adjusted.pointee.entries.count
    }
    return entry
  }

  private mutating func readAmounts(_ object: JSONSlice, at path: FieldPath, into entry: inout AdjustedAmounts.Entry) {
    let slice = scanner.amountsField(.currency, of: object)
    let currencyPath = path.amountsField(.currency)
    if let (bytes, count) = string(slice, at: currencyPath) {
      let own = Currency.find(bytes, count: count)
      if own == nil {
        reject(.currencyNotSupported, at: currencyPath, evidence: slice)
      } else if let currency, own != currency {
        reject(.adjustedAmountsMismatch, at: currencyPath, evidence: slice)
      }
    }
    // Their decimals are those of the payment's currency, which theirs must be.
    let isSubtotalValid = amount(
      scanner.amountsField(.paymentAmount, of: object), at: path.amountsField(.paymentAmount), .aboveZero,
      into: &entry.subtotal)
    let isTaxValid = amountOrZero(.tax, of: object, at: path, into: &entry.tax)
    let isShippingValid = amountOrZero(.shipping, of: object, at: path, into: &entry.shipping)
    entry.areAmountsValid = isSubtotalValid && isTaxValid && isShippingValid
  }

  private mutating func amountOrZero(
    _ field: AmountsField, of object: JSONSlice, at path: FieldPath, into figure: inout ExactDecimal
  ) -> Bool {
    let slice = scanner.amountsField(field, of: object)
    guard slice.isAbsent else { return amount(slice, at: path.amountsField(field), .zeroOrMore, into: &figure) }
    figure.set(.zero(at: -(currency?.settlementExponent ?? 0)))
    return true
  }

  /// Leaves nothing of adjusted amounts to the next payment.
  @inline(never)
  mutating func forgetAdjustments() {
    adjusted.pointee.isGiven = false
    for place in 0..<PaymentKind.maximumReceivers { receivers[place].adjustment = nil }
  }

  // MARK: Receivers

  /// Puts a receiver's adjusted amounts in the place of its own, if it has such.
  ///
  /// - Parameter isGrossValid: whether its own are valid.
  /// - Returns: whether its amounts are known, and make up its gross.
  @inline(never)
  mutating func adjust(
    _ receiver: UnsafeMutablePointer<ReceiverFigures>, path: FieldPath, isGrossValid: Bool
  ) -> Bool {
    let adjusted = adjusted
    let posting = receiver.pointee.posting
    receiver.pointee.adjustment = nil
    var (place, takesAmounts) = (0, true)
    if receiver.pointee.index != nil {
      let account = AccountText(bytes: posting.pointee.account, count: posting.pointee.accountLength)
      guard account.count > 0 else {
        return isGrossValid && adjusted.pointee.areTold && adjusted.pointee.entries.isEmpty
      }
      adjusted.pointee.accountCount += 1
      guard let found = adjusted.pointee.places[account], !adjusted.pointee.entries[found].isTaken else {
        return isGrossValid && adjusted.pointee.areTold
      }
      place = found
      adjusted.pointee.entries[place].isTaken = true
      takesAmounts = !refuseAdjustment(place, of: receiver)
    }
    guard adjusted.pointee.areTold, adjusted.pointee.entries[place].areAmountsValid else { return false }
    receiver.pointee.adjustment = place
    receiver.pointee.subtotal.set(adjusted.pointee.entries[place].subtotal)
    receiver.pointee.totalTax.set(adjusted.pointee.entries[place].tax)
    receiver.pointee.totalShipping.set(adjusted.pointee.entries[place].shipping)
    posting.pointee.gross.set(receiver.pointee.subtotal)
    posting.pointee.gross.add(receiver.pointee.totalTax)
    posting.pointee.gross.add(receiver.pointee.totalShipping)
    if takesAmounts { note(.amountsAdjusted, at: path) }
    return true
  }

  /// Rejects adjusted amounts of a receiver that has none of its own: one with `split`, or a primary by `splitTotal`.
  ///
  /// - Returns: whether they are rejected.
  private mutating func refuseAdjustment(_ place: Int, of receiver: UnsafeMutablePointer<ReceiverFigures>) -> Bool {
    let hasSplit = !scanner.receiverField(.split, row: receiver.pointee.row).isAbsent
    guard hasSplit || receiver.pointee.isPrimary && hasSplitTotal else { return false }
    reject(
      .adjustedAmountsMismatch, at: .adjustment(place).adjustmentField(.recipient),
      evidence: adjusted.pointee.entries[place].recipient)
    return true
  }

  /// Rejects adjusted amounts that are no receiver's, if all receivers are known.
  @inline(never)
  mutating func checkAdjustedRecipients() {
    let adjusted = adjusted
    guard receiverCount > 0, adjusted.pointee.accountCount == receiverCount else { return }
    for (place, entry) in adjusted.pointee.entries.enumerated()
    where entry.account != nil && !entry.isTaken && !entry.isRepeated {
      reject(
        .adjustedAmountsMismatch, at: .adjustment(place).adjustmentField(.recipient), evidence: entry.recipient)
    }
  }
}
