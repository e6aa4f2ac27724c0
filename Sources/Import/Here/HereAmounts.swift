import ExactArithmetic
import Money

/// The exact amounts of an invoice (`here.md`, "Amounts").
///
/// | items, each 8 % tax | discount | totals | subtotal | tax |
/// |---|---|---|---|---|
/// | 3 at 0.75 less 10 %, 2 at 15.99 | 12.5 % of 36.75 | 1.75, 27.64 | 29.39 | 2.74 |
struct HereAmounts {
  /// The items that are not ignored, each with its price after discounts, in the currency's decimals.
  private(set) var items: [(item: HereInvoice.Item, total: ExactDecimal)] = []
  let subtotal: ExactDecimal
  let tax: ExactDecimal
  let shipping: ExactDecimal
  /// Subtotal, tax and shipping.
  let total: ExactDecimal

  private static let hundred = ExactDecimal(100)

  /// - Parameters:
  ///   - tip: what the buyer gave in addition to the total.
  ///   - values: takes faults of the amounts; if there are any, the result is nil.
  init?(_ invoice: HereInvoice, _ currency: Currency, tip: ExactDecimal, _ values: inout HereValues) {
    let exponent = -currency.settlementExponent
    let unit = ExactDecimal(magnitude: 1, exponent: exponent)
    let zero = ExactDecimal.zero(at: exponent)
    func rounded(_ exact: ExactDecimal) -> ExactDecimal { exact.quantized(to: exponent, rounding: .halfUp) }
    /// A percentage of an amount, rounded.
    func part(_ amount: ExactDecimal, _ percent: ExactDecimal) -> ExactDecimal {
      rounded(amount * percent * ExactDecimal(magnitude: 1, exponent: -2))
    }

    var grosses: [ExactDecimal] = []
    for item in invoice.items where !items.contains(where: { $0.item.isSame(as: item) }) {
      let price = item.quantity.value * item.unitPrice.value
      let gross = rounded(price)
      let line = gross - part(price, item.discount.percent) - item.discount.amount
      if line < .zero {
        values.fault("invoice.itemList.item(\(item.index)).discountAmount", "is above the item's price, \(gross)")
      }
      grosses.append(gross)
      items.append((item, rounded(line)))
    }
    guard values.faults.isEmpty else { return nil }
    let lines = items.map(\.total)
    let sum = lines.reduce(zero, +)
    let taxesBefore = zip(items, grosses).map { invoice.includesTax ? zero : part($1, $0.item.taxRate) }
    let isTaxedBefore = !invoice.includesTax && !invoice.isTaxedAfterDiscount
    let base = isTaxedBefore ? taxesBefore.reduce(sum, +) : sum
    let discount = rounded(invoice.discount.amount) + part(base, invoice.discount.percent)
    guard discount <= sum else {
      values.fault("invoice." + invoice.discount.member, "takes \(discount) off items of \(sum)")
      return nil
    }
    let taxes =
      isTaxedBefore || invoice.includesTax
      ? taxesBefore
      : items.map { line in
        guard !sum.isZero else { return zero }
        let exact = line.total * (sum - discount) * line.item.taxRate
        return exact.wholeQuotient(dividingBy: sum * Self.hundred * unit, rounding: .halfUp) * unit
      }
    let units = discount.wholeQuotient(dividingBy: unit, rounding: .down)
    guard
      let shares = try? AllocationConvention.largestRemainder.allocate(
        units, by: lines.map { Ratio($0) }, rounding: .down)
    else {
      preconditionFailure("a discount is above zero only where items are")
    }
    for index in items.indices { items[index].total.subtract(rounded(shares[index] * unit)) }
    subtotal = sum - discount + tip
    let taxOfShipping = invoice.includesTax ? zero : part(invoice.shipping, invoice.shippingTaxRate)
    tax = taxes.reduce(taxOfShipping, +)
    shipping = rounded(invoice.shipping)
    total = subtotal + tax + shipping
    if subtotal.isZero {
      values.fault("invoice", "has a subtotal of zero")
    } else if total.digitCount > DecimalLimits.digits {
      values.fault("invoice", "has a total of more than \(DecimalLimits.digits) digits")
    }
    guard values.faults.isEmpty else { return nil }
  }
}
