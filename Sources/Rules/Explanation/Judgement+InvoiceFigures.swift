import Input
import ExactArithmetic
import Records

/// One item of an invoice, for an explanation; each value is nil if it is not valid.
public struct ItemFigures: Sendable {
  /// Its index in `invoiceItems`, from 0.
  public let index: Int
  /// Its name as the batch has it.
  public let name: String?
  /// The price of one.
  public let price: ExactDecimal?
  /// How many.
  public let count: ExactDecimal?
  /// Price times count, exactly.
  public let product: ExactDecimal?
  /// The product rounded half up to the currency's decimals.
  public let roundedProduct: ExactDecimal?
  /// The price of all of them.
  public let total: ExactDecimal?
}

/// What is sent to a receiver and what it is made of, for an explanation; each value is nil if it is not valid.
public struct InvoiceFigures: Sendable {
  /// The subtotal.
  public let subtotal: ExactDecimal?
  /// Whether there is an invoice; without one, tax and shipping are zero.
  public let hasInvoice: Bool
  /// The invoice's tax.
  public let totalTax: ExactDecimal?
  /// The invoice's shipping.
  public let totalShipping: ExactDecimal?
  /// Subtotal, tax and shipping together.
  public let gross: ExactDecimal?
  /// The invoice's items that are objects, by the places that `RecordJudge.itemFigures` takes; nil if there are others
  /// alone, or something else than items.
  public let items: Range<Int>?
  /// The sum of the items' total prices; nil if there is no item or one is not valid.
  public let itemSum: ExactDecimal?
}

/// Figures that an assessment does not keep: read again from the record, however it was assessed.
extension Judgement {
  /// The receivers whose figures can be told, from the first on; of more than six, five.
  public var explainableReceivers: Int {
    // An element that is no object has no row; without a shape there are rows but no receivers.
    let isSingle = scanner.field(.receiverPaymentDetails).isAbsent
    let count = isSingle ? receiverCount : min(receiverCount, scanner.rowCount - 1)
    return count > PaymentKind.maximumReceivers ? PaymentKind.maximumReceivers - 1 : count
  }

  /// What is sent to a receiver, by its place below `explainableReceivers`.
  mutating func invoiceFigures(of place: Int) -> InvoiceFigures {
    let row = receiver(place).pointee.row
    let path = FieldPath.receiver(receiver(place).pointee.index)
    let subtotal = amount(scanner.receiverField(.subtotal, row: row), at: path.receiverField(.subtotal), .aboveZero)
    let invoice = scanner.receiverField(.invoiceData, row: row)
    guard invoice.kind == .object else {
      let none = invoice.isAbsent ? currency.map { ExactDecimal.zero(at: -$0.settlementExponent) } ?? .zero : nil
      return InvoiceFigures(
        subtotal: subtotal, hasInvoice: !invoice.isAbsent, totalTax: none, totalShipping: none,
        gross: invoice.isAbsent ? subtotal : nil, items: nil, itemSum: nil)
    }
    let tax = amount(scanner.invoiceField(.totalTax, row: row), at: path.invoiceField(.totalTax), .zeroOrMore)
    let shipping = amount(
      scanner.invoiceField(.totalShipping, row: row), at: path.invoiceField(.totalShipping), .zeroOrMore)
    var gross: ExactDecimal?
    if let subtotal, let tax, let shipping { gross = subtotal + tax + shipping }
    let items = items(row: row)
    return InvoiceFigures(
      subtotal: subtotal, hasInvoice: true, totalTax: tax, totalShipping: shipping, gross: gross, items: items,
      itemSum: scanner.strayItems(row: row).isEmpty ? items.flatMap { sum(of: $0, path) } : nil)
  }

  private func items(row: Int) -> Range<Int>? {
    let array = scanner.invoiceField(.invoiceItems, row: row)
    guard array.kind == .array else { return array.isAbsent ? 0..<0 : nil }
    let items = scanner.itemRows(row: row)
    return items.isEmpty && !scanner.strayItems(row: row).isEmpty ? nil : items
  }

  /// An item of a receiver, by a place of `InvoiceFigures.items`.
  mutating func itemFigures(_ item: Int, of place: Int) -> ItemFigures {
    let index = scanner.itemIndex(item)
    let path = FieldPath.receiver(receiver(place).pointee.index).item(index)
    let name = scanner.itemField(.name, item: item)
    let price = decimal(scanner.itemField(.itemPrice, item: item), at: path.itemField(.itemPrice), .zeroOrMore)
    let count = decimal(scanner.itemField(.itemCount, item: item), at: path.itemField(.itemCount), .aboveZero)
    var product: ExactDecimal?
    if let price, let count { product = price * count }
    return ItemFigures(
      index: index, name: name.kind == .string ? copy(name) : nil, price: price, count: count, product: product,
      roundedProduct: currency.flatMap { product?.quantized(to: -$0.settlementExponent, rounding: .halfUp) },
      total: total(of: item, path))
  }

  private mutating func total(of item: Int, _ path: FieldPath) -> ExactDecimal? {
    amount(scanner.itemField(.totalPrice, item: item), at: path.itemField(.totalPrice), .zeroOrMore)
  }

  private mutating func decimal(_ slice: JSONSlice, at path: FieldPath, _ sign: Sign) -> ExactDecimal? {
    var figure = ExactDecimal.zero
    return readAgain { $0.decimal(slice, at: path, sign, into: &figure) } ? figure : nil
  }

  private mutating func amount(_ slice: JSONSlice, at path: FieldPath, _ sign: Sign) -> ExactDecimal? {
    var figure = ExactDecimal.zero
    return readAgain { $0.amount(slice, at: path, sign, into: &figure) } ? figure : nil
  }

  private mutating func copy(_ slice: JSONSlice) -> String {
    readAgain { judgement in
      let (bytes, count) = judgement.text(slice)
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
  }

  private mutating func sum(of items: Range<Int>, _ receiver: FieldPath) -> ExactDecimal? {
    var sum: ExactDecimal?
    for item in items {
      guard let total = total(of: item, receiver.item(scanner.itemIndex(item))) else { return nil }
      sum = sum.map { $0 + total } ?? total
    }
    return sum
  }

  /// Reads a value by the assessment's own readers, whose finding or notice is there already, and lists neither again.
  private mutating func readAgain<Value>(_ read: (inout Judgement) -> Value) -> Value {
    let (findingCount, noticeCount, scratchMark) = (findings.count, notices.count, scratchUsed)
    defer {
      findings.removeSubrange(findingCount...)
      notices.removeSubrange(noticeCount...)
      scratchUsed = scratchMark
    }
    return read(&self)
  }
}
