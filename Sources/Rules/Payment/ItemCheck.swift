import ExactArithmetic

/// Checks the items of invoices.
///
/// The figures are reused from item to item: overwriting a value costs less than creating and releasing one.
struct ItemCheck {
  private var price = ExactDecimal.zero
  private var count = ExactDecimal.zero
  private var total = ExactDecimal.zero
  /// Price times count, rounded.
  private var product = ExactDecimal.zero
  /// The sum of the totals of the invoice's items so far.
  private var sum = ExactDecimal.zero
  /// Whether a total below price times count is an error.
  private let isStrict: Bool

  init(isStrict: Bool) { self.isStrict = isStrict }

  /// Checks an invoice's items, and, if the receiver's subtotal is valid, that they add up to it.
  mutating func check(of receiver: inout ReceiverFigures, hasSubtotal: Bool, _ record: inout RecordReader) {
    let place = receiver.place
    let array = record.invoice(.invoiceItems, of: place)
    if !array.isAbsent, array.kind != .array { return record.reject(.wrongType, array) }
    let (items, strays) = (record.scanner.itemRows(row: place.row), record.scanner.strayItems(row: place.row))
    if items.isEmpty, strays.isEmpty {
      return record.note(.invoiceWithoutItems, at: place.path.receiverField(.invoiceData))
    }
    sum.set(.zero(at: hasSubtotal ? receiver.subtotal.exponent : 0))
    var isSumKnown = hasSubtotal && strays.isEmpty
    for item in items {
      let element = ElementPlace(row: item, path: place.path.item(record.scanner.itemIndex(item)))
      let isAdded = check(element, &record)
      if !isAdded { isSumKnown = false }
    }
    for stray in strays {
      let element = record.scanner.strays[stray]
      record.reject(.wrongType, at: place.path.item(element.index), evidence: element.slice)
    }
    if isSumKnown, sum != receiver.subtotal {
      record.reject(.invoiceSubtotalMismatch, at: array.path, found: sum, expected: receiver.subtotal)
    }
  }

  /// Checks one item and adds its total price to the sum; false if that is not valid.
  @inline(always)
  private mutating func check(_ item: ElementPlace, _ record: inout RecordReader) -> Bool {
    let name = record.item(.name, of: item)
    if name.isAbsent { record.reject(.missingField, name) }
    record.checkText(name, minimum: 1)
    record.checkText(record.item(.itemId, of: item))
    return addExactTotal(of: item, &record) || checkTotal(of: item, &record)
  }

  /// Adds an item's total to the sum if all is as it most often is: price and total have two decimals, as the currency
  /// has, the count is one digit, and the product is the total. Then there is nothing to report. Otherwise returns false.
  @inline(always)
  private mutating func addExactTotal(of item: ElementPlace, _ record: inout RecordReader) -> Bool {
    guard let currency = record.currency, currency.settlementExponent == 2, sum.isInline, sum.exponent == -2,
      let count = record.digit(record.item(.itemCount, of: item)), count != 0,
      let price = record.hundredths(record.item(.itemPrice, of: item)),
      let total = record.hundredths(record.item(.totalPrice, of: item)), price &* count == total
    else { return false }
    let (newSum, overflow) = sum._magnitude.addingReportingOverflow(total)
    if overflow { return false }
    sum.set(ExactDecimal(magnitude: newSum, exponent: -2))
    return true
  }

  /// Checks the amounts of any item and adds its total to the sum; false if the total is not valid.
  @inline(never)
  private mutating func checkTotal(of item: ElementPlace, _ record: inout RecordReader) -> Bool {
    let hasPrice = record.decimal(record.item(.itemPrice, of: item), .zeroOrMore, into: &price)
    let hasCount = record.decimal(record.item(.itemCount, of: item), .aboveZero, into: &count)
    let hasTotal = record.amount(record.item(.totalPrice, of: item), .zeroOrMore, into: &total)
    if hasPrice, hasCount, hasTotal, let currency = record.currency,
      !isTotalProduct(at: -currency.settlementExponent)
    {
      if total > product || isStrict {
        record.reject(.itemTotalMismatch, at: item.path.itemField(.totalPrice), found: total, expected: product)
      } else {
        record.note(.itemDiscounted, at: item.path.itemField(.totalPrice))
      }
    }
    if hasTotal { sum.add(total) }
    return hasTotal
  }

  /// Computes the product at an exponent, rounded half up, and returns whether the total equals it.
  private mutating func isTotalProduct(at exponent: Int) -> Bool {
    product.set(.quantizedProduct(price, count, to: exponent, rounding: .halfUp))
    return total == product
  }
}
