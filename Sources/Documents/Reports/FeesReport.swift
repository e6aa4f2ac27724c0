import ExactArithmetic
import Money
import Rules
import Text

/// `fees.csv`: a row for each fee of a settled payment by receiver and name, in batch order, then for what refunds return
/// (`fees.md`). Only nights that show names publish it.
public enum FeesReport {
  /// The columns, in the order in which `append` writes them.
  public enum Column: String, DescribedColumn {
    /// The payment, the receiver, and who bears its fees.
    case payKey, account, bearer
    case name, currency
    /// The amounts; below zero in a refund.
    case fee, vat
    /// The refund that the row belongs to.
    case refundKey

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .payKey: ColumnMeaning(.text, "The payment's key; in a refund, that of the payment refunded.")
      case .account: ColumnMeaning(.text, "The receiver that the fee was assessed on.")
      case .bearer:
        ColumnMeaning(
          .text, "The party that pays the fee, or gets it back; empty if that is a sender that is not given.",
          isOptional: true)
      case .name: ColumnMeaning(.text, "The fee's name in the schedule.")
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The payment's currency.")
      case .fee: ColumnMeaning(.amount, "The fee without VAT; below zero in a refund, which returns it.")
      case .vat: ColumnMeaning(.amount, "VAT on the fee.")
      case .refundKey: ColumnMeaning(.text, "The refund's key; empty in rows of a payment.", isOptional: true)
      }
    }
  }

  /// Appends the rows of the settled payment that a judge holds.
  public static func append(_ judgement: borrowing Judgement, to text: inout TextBuffer) {
    let (entry, charges) = (judgement.entry, judgement.charges)
    let currency = entry.currency.codeBytes
    for place in charges.indices {
      let receiver = charges[place].receiver
      let (account, bearer) = (entry.account(of: 1 + receiver), entry.account(of: judgement.bearer(of: receiver)))
      let name = judgement.name(ofCharge: place)
      if charges[place].fee.isInline, charges[place].vat.isInline {
        text.appendRow(
          entry.payKey, account, bearer, name, currency,
          (charges[place].fee.inlineValue, charges[place].vat.inlineValue), Span())
      } else {
        append(
          [[UInt8](entry.payKey), [UInt8](account), [UInt8](bearer), [UInt8](name)], entry.currency, charges[place].fee,
          charges[place].vat, refundKey: [], to: &text)
      }
    }
  }

  /// Appends the rows of a refund.
  public static func append(_ refund: MadeRefund, refundKey: [UInt8], payKey: [UInt8], to text: inout TextBuffer) {
    let payment = refund.payment
    for part in refund.returned {
      let account = payment.receivers[part.place].account
      let bearer = payment.bearer(of: part.place).map { payment.receivers[$0].account } ?? payment.sender
      append(
        [payKey, account, bearer, part.name], payment.currency, negated(part.fee), negated(part.vat),
        refundKey: refundKey, to: &text)
    }
  }

  /// An amount with the opposite sign; zero has none.
  private static func negated(_ amount: ExactDecimal) -> ExactDecimal { amount.isZero ? amount : -amount }

  /// Appends a row. No field needs quotes.
  private static func append(
    _ texts: [[UInt8]], _ currency: Currency, _ fee: ExactDecimal, _ vat: ExactDecimal, refundKey: [UInt8],
    to text: inout TextBuffer
  ) {
    for field in texts {
      text.append(field)
      text.append(UInt8(ascii: ","))
    }
    text.append(currency.code)
    for amount in [fee, vat] {
      text.append(UInt8(ascii: ","))
      text.append(amount)
    }
    text.append(UInt8(ascii: ","))
    text.append(refundKey)
    text.append(UInt8(ascii: "\n"))
  }
}
