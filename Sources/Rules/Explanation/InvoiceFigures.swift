import ExactArithmetic

/// One item of an invoice, for an explanation; each value is nil if it is not valid.
public struct ItemFigures: Sendable {
  /// Its index in `invoiceItems`, from 0.
  public let index: Int
  /// Its name as written in the batch.
  public let name: String?
  public let price: ExactDecimal?
  /// The number of units.
  public let count: ExactDecimal?
  /// Price times count, exactly.
  public let product: ExactDecimal?
  /// The product rounded half up to the currency's decimals.
  public let roundedProduct: ExactDecimal?
  public let total: ExactDecimal?
}

/// What is sent to a receiver and its parts, for an explanation; each value is nil if it is not valid.
public struct InvoiceFigures: Sendable {
  public let subtotal: ExactDecimal?
  /// Whether there is an invoice; without one, tax and shipping are zero.
  public let hasInvoice: Bool
  /// The invoice's tax.
  public let totalTax: ExactDecimal?
  /// The invoice's shipping.
  public let totalShipping: ExactDecimal?
  /// Subtotal plus tax plus shipping.
  public let gross: ExactDecimal?
  /// The invoice's items that are objects, by the places that `RecordJudge.itemFigures` takes; nil if none of its items
  /// is an object, or `invoiceItems` is not an array.
  public let items: Range<Int>?
  /// The sum of the items' total prices; nil if there is no item or one is not valid.
  public let itemSum: ExactDecimal?
}

/// The judge's own readers read values again from the record, whatever its judgement is.
extension RecordJudge {
  /// What is sent to a receiver, by its place below `Judgement.explainableReceivers`.
  public mutating func invoiceFigures(of place: Int) -> InvoiceFigures {
    let receiver = judgement.receiver(place).place
    return judgement.record.readAgain { $0.invoiceFigures(of: receiver) }
  }

  /// An item of a receiver's invoice, by the receiver's place and a place of `InvoiceFigures.items`.
  public mutating func itemFigures(_ item: Int, of place: Int) -> ItemFigures {
    let receiver = judgement.receiver(place).place
    return judgement.record.readAgain { $0.itemFigures($0.itemPlace(item, of: receiver)) }
  }
}

extension RecordReader {
  /// Reads values that were read before, without adding their findings and notices again.
  fileprivate mutating func readAgain<Value>(_ read: (inout RecordReader) -> Value) -> Value {
    let (errorCount, noticeCount, copied) = (findings.errors.count, findings.notices.count, copies.count)
    defer {
      findings.errors.removeSubrange(errorCount...)
      findings.notices.removeSubrange(noticeCount...)
      copies.truncate(to: copied)
    }
    return read(&self)
  }

  fileprivate mutating func invoiceFigures(of place: ElementPlace) -> InvoiceFigures {
    let subtotal = amount(receiver(.subtotal, of: place), .aboveZero)
    let invoice = receiver(.invoiceData, of: place)
    guard invoice.kind == .object else {
      let none = invoice.isAbsent ? currency.map { ExactDecimal.zero(at: -$0.settlementExponent) } ?? .zero : nil
      return InvoiceFigures(
        subtotal: subtotal, hasInvoice: !invoice.isAbsent, totalTax: none, totalShipping: none,
        gross: invoice.isAbsent ? subtotal : nil, items: nil, itemSum: nil)
    }
    let tax = amount(self.invoice(.totalTax, of: place), .zeroOrMore)
    let shipping = amount(self.invoice(.totalShipping, of: place), .zeroOrMore)
    let items = items(of: place)
    return InvoiceFigures(
      subtotal: subtotal, hasInvoice: true, totalTax: tax, totalShipping: shipping,
      gross: Gross(subtotal, tax, shipping)?.sum,
      items: items,
      itemSum: scanner.strayItems(row: place.row).isEmpty ? items.flatMap { sum(of: $0, place) } : nil)
  }

  private func items(of place: ElementPlace) -> Range<Int>? {
    let array = invoice(.invoiceItems, of: place)
    guard array.kind == .array else { return array.isAbsent ? 0..<0 : nil }
    let items = scanner.itemRows(row: place.row)
    return items.isEmpty && !scanner.strayItems(row: place.row).isEmpty ? nil : items
  }

  fileprivate func itemPlace(_ row: Int, of receiver: ElementPlace) -> ElementPlace {
    ElementPlace(row: row, path: receiver.path.item(scanner.itemIndex(row)))
  }

  private mutating func sum(of items: Range<Int>, _ receiver: ElementPlace) -> ExactDecimal? {
    var sum: ExactDecimal?
    for row in items {
      guard let total = amount(item(.totalPrice, of: itemPlace(row, of: receiver)), .zeroOrMore) else { return nil }
      sum = sum.map { $0 + total } ?? total
    }
    return sum
  }

  fileprivate mutating func itemFigures(_ place: ElementPlace) -> ItemFigures {
    let name = item(.name, of: place)
    let price = decimal(item(.itemPrice, of: place), .zeroOrMore)
    let count = decimal(item(.itemCount, of: place), .aboveZero)
    var product: ExactDecimal?
    if let price, let count { product = price * count }
    return ItemFigures(
      index: scanner.itemIndex(place.row),
      name: name.kind == .string ? withCharacters(of: name.slice) { String(decoding: $0) } : nil,
      price: price, count: count, product: product,
      roundedProduct: currency.flatMap { product?.quantized(to: -$0.settlementExponent, rounding: .halfUp) },
      total: amount(item(.totalPrice, of: place), .zeroOrMore))
  }

  private mutating func decimal(_ value: FieldValue, _ sign: Sign) -> ExactDecimal? {
    var figure = ExactDecimal.zero
    return decimal(value, sign, into: &figure) ? figure : nil
  }
}
