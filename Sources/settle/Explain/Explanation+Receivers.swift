import ExactArithmetic
import Records
import Rules
import Text

/// What is sent to each receiver, and what it keeps.
extension Explanation {
  mutating func addReceiver(_ place: Int, of judge: inout RecordJudge) {
    let part = receivers[place]
    let (count, kind) = (judge.judgement.receiverCount, judge.judgement.kind)
    let number = count == 1 ? "" : " \(place + 1) of \(count)"
    let role = kind == .chained ? ", \((part.figures.isPrimary ? PartyRole.primary : .secondary).name)" : ""
    title("Receiver\(number)\(role): \(part.account)")
    if part.fee != nil { addTypes(part.figures) }
    addItems(part.invoice) { judge.itemFigures($0, of: place) }
    if let split = part.split { addSplit(split, of: judge.judgement) }
    addGross(part)
    if let tax = part.tax { addTax(tax, of: judge.judgement) }
    addKept(part, of: judge.judgement)
    if let fee = part.fee { addFee(fee, place, of: judge.judgement) }
  }

  private mutating func addTypes(_ receiver: ReceiverFigures) {
    let subType = receiver.subType == .notSet ? "" : ", \(receiver.subType.name)"
    row("type", receiver.type.name + subType)
    row("country", receiver.country?.code ?? "not given")
  }

  // MARK: Items

  /// - Parameter figures: returns one item; there may be many.
  private mutating func addItems(_ invoice: InvoiceFigures, figures: (Int) -> ItemFigures) {
    guard invoice.hasInvoice else { return }
    guard let items = invoice.items else { return row("items", "unknown (see the errors)") }
    if items.isEmpty { return row("items", "none; nothing to compare the subtotal with") }
    for item in items { row(item == items.first ? "items" : "", self.item(figures(item))) }
    guard let sum = invoice.itemSum else {
      return row("sum of items", "unknown (see the errors)")
    }
    let terms = Self.sum(items.map { Self.figure(figures($0).total) }, sum, of: "total prices")
    guard let subtotal = invoice.subtotal else { return row("sum of items", terms) }
    row("sum of items", terms + (sum == subtotal ? ", equal to the subtotal" : "; but the subtotal is \(subtotal)"))
  }

  private func item(_ item: ItemFigures) -> String {
    let name = item.name.map { MessageText.text($0.utf8) } ?? "item \(item.index + 1)"
    var steps = "\(name): \(Self.figure(item.price)) x \(Self.figure(item.count))"
    if let product = item.product { steps += " = \(product)" }
    if let rounded = item.roundedProduct { steps += " -> \(rounded)" }
    steps += ", total price \(Self.figure(item.total))"
    guard let total = item.total, let rounded = item.roundedProduct, total != rounded else { return steps }
    if total > rounded { return steps + " (above by \(total - rounded), which is not allowed)" }
    let discount = "discount \(rounded - total)"
    return steps + (rules.strictItems ? " (\(discount), not allowed with --strict-items)" : " (\(discount))")
  }

  // MARK: Gross and kept

  private mutating func addGross(_ part: Part) {
    let invoice = part.invoice
    if let split = part.split, split.isDivided, part.figures.isPrimary || split.part.terms != .fixed {
      return row("gross", "\(Self.figure(part.gross)), \(part.figures.isPrimary ? "the total" : "its part")")
    }
    if part.figures.adjustment != nil {
      row("own amounts", Self.sum(invoice.subtotal, invoice.totalTax, invoice.totalShipping, invoice.gross))
      let figures = part.figures
      let sum = Self.sum(figures.subtotal, figures.totalTax, figures.totalShipping, part.gross)
      return row("gross", "\(sum), from adjustedAmounts instead of its own")
    }
    guard part.gross != nil || invoice.gross == nil else { return row("gross", "unknown (see the errors)") }
    guard invoice.hasInvoice else {
      let gross = invoice.gross.map { "\($0), the subtotal; there is no invoice" }
      return row("gross", gross ?? "unknown (see the errors)")
    }
    row("gross", Self.sum(invoice.subtotal, invoice.totalTax, invoice.totalShipping, invoice.gross))
  }

  private static func sum(
    _ subtotal: ExactDecimal?, _ tax: ExactDecimal?, _ shipping: ExactDecimal?, _ gross: ExactDecimal?
  ) -> String {
    "\(figure(subtotal)) subtotal + \(figure(tax)) tax + \(figure(shipping)) shipping = \(figure(gross))"
  }

  private mutating func addKept(_ part: Part, of judgement: borrowing Judgement) {
    guard let kind = judgement.kind, let gross = part.gross else { return }
    guard kind == .chained, part.figures.isPrimary else {
      return row("kept", "\(gross), all of it")
    }
    guard let passedOn = judgement.chainPassedOn else {
      return row("passed on", "unknown (see the errors)")
    }
    let secondaries = receivers.filter { !$0.figures.isPrimary }
    let terms = secondaries.map { "\(Self.figure($0.gross)) to \($0.account)" }
    row("passed on", Self.sum(terms, passedOn, of: "receivers"))
    let kept = gross - passedOn
    row("kept", "\(gross) - \(passedOn) = \(kept)" + (kept < .zero ? ", which is below zero" : ""))
  }

  // MARK: Taxes

  /// Which tax is due on what it is paid, and whether the payment states the same.
  private mutating func addTax(_ tax: TaxFigures, of judgement: borrowing Judgement) {
    guard let currency = judgement.currency, let taxes = rules.taxes else { return }
    var words = "none is due on this payment type"
    if !tax.isExempt {
      let exact = tax.rate.percent * tax.base * ExactDecimal(1, exponent: -2)
      let base = "\(tax.base), the subtotal\(tax.rate.taxesShipping ? " and shipping" : "")"
      row("tax rate", "\(tax.rate.percent) percent of \(base): the rate of \(addresses(tax.rate))")
      words =
        "\(tax.rate.percent) / 100 x \(tax.base) = \(exact.trimmed(to: currency)) -> \(tax.due)"
        + " (\(taxes.rounding.rawValue))"
    }
    let tolerated = taxes.isTolerated(tax) ? ", which is within the tolerance of \(taxes.tolerance)" : ""
    row("tax", words + (tax.due == tax.stated ? ", as stated" : "; but the payment states \(tax.stated)\(tolerated)"))
  }

  private func addresses(_ rate: TaxRate) -> String {
    rate.country.code + (rate.state.isEmpty ? "" : ", state \(MessageText.text(rate.state))")
      + (rate.postal.isEmpty ? "" : ", postal codes that begin with \(MessageText.text(rate.postal))")
  }
}
