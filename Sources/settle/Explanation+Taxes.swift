import ExactArithmetic
import Rules
import Text

/// Which tax is due on what a receiver is paid, and whether it is what the payment states.
extension Explanation {
  mutating func addTax(_ tax: TaxFigures, of assessor: borrowing RecordAssessor) {
    guard let currency = assessor.currency, let taxes = assessor.rules.taxes else { return }
    var words = "none is due on this payment type"
    if !tax.isExempt {
      let exact = tax.rate.percent * tax.base * ExactDecimal(1, exponent: -2)
      let base = "\(tax.base), the subtotal\(tax.rate.taxesShipping ? " and shipping" : "")"
      row("tax rate", "\(tax.rate.percent) percent of \(base): the rate of \(addresses(tax.rate))")
      words =
        "\(tax.rate.percent) / 100 x \(tax.base) = \(Self.trimmed(exact, currency)) -> \(tax.due)"
        + " (\(taxes.rounding.rawValue))"
    }
    row("tax", words + (tax.due == tax.stated ? ", as stated" : "; but the payment states \(tax.stated)"))
  }

  private func addresses(_ rate: TaxRate) -> String {
    rate.country.code + (rate.state.isEmpty ? "" : ", state \(MessageText.text(rate.state))")
      + (rate.postal.isEmpty ? "" : ", postal codes that begin with \(MessageText.text(rate.postal))")
  }
}
