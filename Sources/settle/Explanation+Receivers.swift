import ExactArithmetic
import Records
import Rules
import Text

/// What is sent to each receiver and what it keeps.
extension Explanation {
  mutating func addReceiver(_ place: Int, of assessor: borrowing RecordAssessor) {
    let part = receivers[place]
    let number = assessor.receiverCount == 1 ? "" : " \(place + 1) of \(assessor.receiverCount)"
    let role = assessor.kind == .chained ? ", \((part.figures.isPrimary ? PartyRole.primary : .secondary).name)" : ""
    title("Receiver\(number)\(role): \(part.account)")
    if assessor.hasFees { addTypes(part.figures) }
    addItems(part.invoice, of: assessor)
    if let split = part.split { addSplit(split) }
    addGross(part)
    if let tax = part.tax { addTax(tax, of: assessor) }
    addKept(part, of: assessor)
    if assessor.hasFees { addFee(place, of: assessor) }
  }

  private mutating func addTypes(_ receiver: ReceiverFigures) {
    let subType = receiver.subType == .notSet ? "" : ", \(receiver.subType.name)"
    row("type", receiver.type.name + subType)
    row("country", receiver.country?.code ?? "not given")
  }

  // MARK: Items

  private mutating func addItems(_ invoice: InvoiceFigures, of assessor: borrowing RecordAssessor) {
    guard invoice.hasInvoice else { return }
    guard let items = invoice.items else { return row("items", "cannot be told (see the errors)") }
    if items.isEmpty { return row("items", "none; nothing to hold the subtotal against") }
    for (number, item) in items.enumerated() {
      row(number == 0 ? "items" : "", self.item(item, of: assessor))
    }
    guard let sum = invoice.itemSum else {
      return row("sum of items", "cannot be told (see the errors)")
    }
    let terms = Self.sum(items.map { Self.figure($0.total) }, sum, of: "total prices")
    guard let subtotal = invoice.subtotal else { return row("sum of items", terms) }
    row("sum of items", terms + (sum == subtotal ? ", equal to the subtotal" : "; but the subtotal is \(subtotal)"))
  }

  private func item(_ item: ItemFigures, of assessor: borrowing RecordAssessor) -> String {
    let name = item.name.map { MessageText.text($0.utf8) } ?? "item \(item.index + 1)"
    var steps = "\(name): \(Self.figure(item.price)) x \(Self.figure(item.count))"
    if let product = item.product { steps += " = \(product)" }
    if let rounded = item.roundedProduct { steps += " -> \(rounded)" }
    steps += ", total price \(Self.figure(item.total))"
    guard let total = item.total, let rounded = item.roundedProduct, total != rounded else { return steps }
    if total > rounded { return steps + " (above by \(total - rounded), which is not allowed)" }
    let discount = "discount \(rounded - total)"
    return steps + (assessor.rules.strictItems ? " (\(discount), not allowed with --strict-items)" : " (\(discount))")
  }

  // MARK: Gross and kept

  private mutating func addGross(_ part: Part) {
    let invoice = part.invoice
    if let split = part.split, part.figures.isPrimary || split.part.terms != .fixed {
      return row("gross", "\(Self.figure(part.gross)), \(part.figures.isPrimary ? "the total" : "its part")")
    }
    if part.figures.adjustment != nil {
      row("own amounts", Self.sum(invoice.subtotal, invoice.totalTax, invoice.totalShipping, invoice.gross))
      let figures = part.figures
      let sum = Self.sum(figures.subtotal, figures.totalTax, figures.totalShipping, part.gross)
      return row("gross", "\(sum), by adjustedAmounts in the place of its own")
    }
    guard part.gross != nil || invoice.gross == nil else { return row("gross", "cannot be told (see the errors)") }
    guard invoice.hasInvoice else {
      let gross = invoice.gross.map { "\($0), the subtotal; there is no invoice" }
      return row("gross", gross ?? "cannot be told (see the errors)")
    }
    row("gross", Self.sum(invoice.subtotal, invoice.totalTax, invoice.totalShipping, invoice.gross))
  }

  private static func sum(
    _ subtotal: ExactDecimal?, _ tax: ExactDecimal?, _ shipping: ExactDecimal?, _ gross: ExactDecimal?
  ) -> String {
    "\(figure(subtotal)) subtotal + \(figure(tax)) tax + \(figure(shipping)) shipping = \(figure(gross))"
  }

  private mutating func addKept(_ part: Part, of assessor: borrowing RecordAssessor) {
    guard let kind = assessor.kind, let gross = part.gross else { return }
    guard kind == .chained, part.figures.isPrimary else {
      return row("kept", "\(gross), all of it")
    }
    guard let passedOn = assessor.chainPassedOn else {
      return row("passed on", "cannot be told (see the errors)")
    }
    let secondaries = receivers.filter { !$0.figures.isPrimary }
    let terms = secondaries.map { "\(Self.figure($0.gross)) to \($0.account)" }
    row("passed on", Self.sum(terms, passedOn, of: "receivers"))
    let kept = gross - passedOn
    row("kept", "\(gross) - \(passedOn) = \(kept)" + (kept < .zero ? ", which is less than nothing" : ""))
  }
}
