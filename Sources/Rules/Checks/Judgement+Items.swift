import Records

/// The items of an invoice.
extension Judgement {
  /// Checks an invoice's items, and that they add up to the receiver's subtotal if that is valid.
  mutating func checkItems(
    row: Int, path: FieldPath, receiver: UnsafeMutablePointer<ReceiverFigures>, isSubtotalValid: Bool
  ) {
    let slice = scanner.invoiceField(.invoiceItems, row: row)
    guard slice.kind == .array else {
      if slice.isAbsent {
        note(.invoiceWithoutItems, at: path.receiverField(.invoiceData))
      } else {
        reject(.wrongType, at: path.invoiceField(.invoiceItems), evidence: slice)
      }
      return
    }
    let items = scanner.itemRows(row: row)
    let strays = scanner.strayItems(row: row)
    if items.isEmpty, strays.isEmpty { return note(.invoiceWithoutItems, at: path.receiverField(.invoiceData)) }
    let figures = itemCheck
    figures.pointee.sum.set(.zero(at: isSubtotalValid ? receiver.pointee.subtotal.exponent : 0))
    var isSumKnown = isSubtotalValid && strays.isEmpty
    for item in items {
      if checkItem(item, path: path.item(scanner.itemIndex(item))) {
        figures.pointee.addTotal()
      } else {
        isSumKnown = false
      }
    }
    for stray in strays {
      reject(.wrongType, at: path.item(scanner.strays[stray].index), evidence: scanner.strays[stray].slice)
    }
    if isSumKnown, figures.pointee.sum != receiver.pointee.subtotal {
      reject(
        .invoiceSubtotalMismatch, at: path.invoiceField(.invoiceItems), found: figures.pointee.sum,
        expected: receiver.pointee.subtotal)
    }
  }

  /// Checks one item and reads its total price into the item's figures; false if that is not valid.
  private mutating func checkItem(_ item: Int, path: FieldPath) -> Bool {
    let name = scanner.itemField(.name, item: item)
    if name.isAbsent {
      reject(.missingField, at: path.itemField(.name))
    } else {
      checkText(name, at: path.itemField(.name), minimum: 1, maximum: 255)
    }
    checkText(scanner.itemField(.itemId, item: item), at: path.itemField(.itemId), maximum: 255)
    let figures = itemCheck
    let hasPrice = decimal(
      scanner.itemField(.itemPrice, item: item), at: path.itemField(.itemPrice), .zeroOrMore,
      into: &figures.pointee.price)
    let hasCount = decimal(
      scanner.itemField(.itemCount, item: item), at: path.itemField(.itemCount), .aboveZero,
      into: &figures.pointee.count)
    let hasTotal = amount(
      scanner.itemField(.totalPrice, item: item), at: path.itemField(.totalPrice), .zeroOrMore,
      into: &figures.pointee.total)
    if hasPrice, hasCount, hasTotal, let currency,
      !figures.pointee.isTotalExact(at: -currency.settlementExponent)
    {
      takeItemDifference(at: path.itemField(.totalPrice))
    }
    return hasTotal
  }

  /// A total price that is not price times count: an error, or a discount.
  @inline(never)
  private mutating func takeItemDifference(at path: FieldPath) {
    let (total, product) = (itemCheck.pointee.total, itemCheck.pointee.product)
    if total > product || rules.strictItems {
      reject(.itemTotalMismatch, at: path, found: total, expected: product)
    } else {
      note(.itemDiscounted, at: path)
    }
  }
}
