import ExactArithmetic
import Money
import Postings
import Rules
import Text

/// `fees.csv`: a row for each fee of a settled payment by receiver and name, in batch order, then for what refunds return
/// (`fees.md`). Only a night that shows names has it.
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
  ///
  /// - Parameter names: the names of fees, by number.
  public static func append(_ judgement: borrowing Judgement, names: [[UInt8]], to text: inout TextBuffer) {
    let (entry, charges) = (judgement.entry, judgement.charges)
    for place in charges.indices {
      let (receiver, name) = (charges[place].receiver, names[charges[place].name])
      append(
        entry.payKey, entry.account(of: 1 + receiver), entry.account(of: judgement.bearer(of: receiver)), name.span,
        entry.currency, to: &text)
      text.append(charges[place].fee)
      text.append(UInt8(ascii: ","))
      text.append(charges[place].vat)
      text.append(",\n")
    }
  }

  /// Appends the rows of a refund.
  public static func append(_ refund: MadeRefund, refundKey: [UInt8], payKey: [UInt8], to text: inout TextBuffer) {
    let payment = refund.payment
    for part in refund.returned {
      let account = payment.receivers[part.place].account
      let bearer = payment.bearer(of: part.place).map { payment.receivers[$0].account } ?? payment.sender
      append(payKey.span, account.span, bearer.span, part.name.span, payment.currency, to: &text)
      text.append(negating: part.fee)
      text.append(UInt8(ascii: ","))
      text.append(negating: part.vat)
      text.append(UInt8(ascii: ","))
      text.append(refundKey)
      text.append(UInt8(ascii: "\n"))
    }
  }

  /// Appends a row up to its amounts. No field needs quotes.
  @inline(__always)
  private static func append(
    _ payKey: Span<UInt8>, _ account: Span<UInt8>, _ bearer: Span<UInt8>, _ name: Span<UInt8>, _ currency: Currency,
    to text: inout TextBuffer
  ) {
    text.appendRow(atMost: 4 + 4 + payKey.count + account.count + bearer.count + name.count) { row in
      row.append(payKey, UInt8(ascii: ","))
      row.append(account, UInt8(ascii: ","))
      row.append(bearer, UInt8(ascii: ","))
      row.append(name, UInt8(ascii: ","))
      let code = currency.codeBytes
      row.append(code.0)
      row.append(code.1)
      row.append(code.2)
      row.append(UInt8(ascii: ","))
    }
  }
}

extension TextBuffer {
  /// Appends an amount with the opposite sign; zero has none.
  fileprivate mutating func append(negating amount: ExactDecimal) { append(amount.isZero ? amount : -amount) }
}
