import BatchFile
import ExactArithmetic

/// The items of an invoice.
extension PaymentAssessor {
  /// Checks an invoice's items, and that they add up to the subtotal.
  mutating func checkItems(row: Int, path: FieldPath, subtotal: ExactDecimal?) {
    let slice = scanner.receiverField(ReceiverField.invoiceItems, row: row)
    guard slice.kind == .array else {
      if slice.isAbsent {
        note(.invoiceWithoutItems, at: path.receiverField(.invoiceData))
      } else {
        find(.wrongType, at: path.invoiceField(.invoiceItems), evidence: slice)
      }
      return
    }
    let items = scanner.itemRows(row: row)
    let strays = scanner.strayItems(row: row)
    if items.isEmpty, strays.isEmpty { return note(.invoiceWithoutItems, at: path.receiverField(.invoiceData)) }
    var sum = subtotal.map { ExactDecimal.zero(at: $0.exponent) } ?? .zero
    var isSumKnown = subtotal != nil && strays.isEmpty
    for item in items {
      if let total = checkItem(item, path: path.item(scanner.itemIndex(item))) {
        sum.add(total)
      } else {
        isSumKnown = false
      }
    }
    for stray in strays {
      find(.wrongType, at: path.item(scanner.strays[stray].index), evidence: scanner.strays[stray].slice)
    }
    if isSumKnown, let subtotal, sum != subtotal {
      find(.invoiceSubtotalMismatch, at: path.invoiceField(.invoiceItems), found: sum, expected: subtotal)
    }
  }

  /// Checks one item and returns its total price, nil where that is not valid.
  private mutating func checkItem(_ item: Int, path: FieldPath) -> ExactDecimal? {
    let name = scanner.itemField(ItemField.name, item: item)
    if name.isAbsent {
      find(.missingField, at: path.itemField(.name))
    } else {
      checkText(name, at: path.itemField(.name), minimum: 1, maximum: 255)
    }
    checkText(scanner.itemField(ItemField.itemId, item: item), at: path.itemField(.itemId), maximum: 255)
    let price = decimal(
      scanner.itemField(ItemField.itemPrice, item: item), at: path.itemField(.itemPrice), .zeroOrMore)
    let count = decimal(
      scanner.itemField(ItemField.itemCount, item: item), at: path.itemField(.itemCount), .aboveZero)
    let totalPath = path.itemField(.totalPrice)
    let total = amount(scanner.itemField(ItemField.totalPrice, item: item), at: totalPath, .zeroOrMore)
    if let price, let count, let total, let currency {
      let product = ExactDecimal.quantizedProduct(
        price, count, to: -currency.settlementExponent, rounding: .halfUp)
      if total != product {
        if total > product || strictItems {
          find(.itemTotalMismatch, at: totalPath, found: total, expected: product)
        } else {
          note(.itemDiscounted, at: totalPath)
        }
      }
    }
    return total
  }
}
