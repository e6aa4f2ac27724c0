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
  /// The invoice's items that are objects; nil if there are others alone, or something else than items.
  public let items: [ItemFigures]?
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
    let items = itemFigures(row: row, path: path)
    return InvoiceFigures(
      subtotal: subtotal, hasInvoice: true, totalTax: tax, totalShipping: shipping, gross: gross, items: items,
      itemSum: scanner.strayItems(row: row).isEmpty ? sum((items ?? []).map(\.total)) : nil)
  }

  private mutating func itemFigures(row: Int, path: FieldPath) -> [ItemFigures]? {
    let array = scanner.invoiceField(.invoiceItems, row: row)
    guard array.kind == .array else { return array.isAbsent ? [] : nil }
    if scanner.itemRows(row: row).isEmpty, !scanner.strayItems(row: row).isEmpty { return nil }
    return scanner.itemRows(row: row).map { item in
      let index = scanner.itemIndex(item)
      return itemFigures(item, index: index, path: path.item(index))
    }
  }

  private mutating func itemFigures(_ item: Int, index: Int, path: FieldPath) -> ItemFigures {
    let name = scanner.itemField(.name, item: item)
    let price = decimal(scanner.itemField(.itemPrice, item: item), at: path.itemField(.itemPrice), .zeroOrMore)
    let count = decimal(scanner.itemField(.itemCount, item: item), at: path.itemField(.itemCount), .aboveZero)
    var product: ExactDecimal?
    if let price, let count { product = price * count }
    return ItemFigures(
      index: index, name: name.kind == .string ? copy(name) : nil, price: price, count: count, product: product,
      roundedProduct: currency.flatMap { product?.quantized(to: -$0.settlementExponent, rounding: .halfUp) },
      total: amount(scanner.itemField(.totalPrice, item: item), at: path.itemField(.totalPrice), .zeroOrMore))
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

  private func sum(_ values: [ExactDecimal?]) -> ExactDecimal? {
    let known = values.compactMap { $0 }
    guard let first = known.first, known.count == values.count else { return nil }
    return known.dropFirst().reduce(first, +)
  }

  /// Reads a value by the assessment's own readers, whose finding is there already, and leaves no trace of it.
  private mutating func readAgain<Value>(_ read: (inout Judgement) -> Value) -> Value {
    let (findingCount, scratchMark) = (findings.count, scratchUsed)
    defer {
      findings.removeSubrange(findingCount...)
      scratchUsed = scratchMark
    }
    return read(&self)
  }
}
