import Postings
import Records
import Text

/// `settlement.csv`: a row for each party of a settled payment or of a refund, the sender first, in batch order.
public enum SettlementReport {
  /// The columns, in the order in which `append` writes them.
  public enum Column: String, DescribedColumn {
    /// The payment and party of the row.
    case payKey, kind, role, account, currency
    /// The party's amounts; a sender's are below zero.
    case gross, passedOn, fee, net
    /// The refund that the row belongs to.
    case refundKey

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .payKey: ColumnMeaning(.text, "The payment's key; in a refund, that of the payment refunded.")
      case .kind: ColumnMeaning(.code(kinds), "The kind of payment, or REFUND.")
      case .role: ColumnMeaning(.code(PartyRole.allCases.map(\.name.description)), "The party's role in it.")
      case .account:
        ColumnMeaning(
          .text, "The party: an email address in lower case, or a phone number; empty if the sender is not given.",
          isOptional: true)
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The payment's currency.")
      case .gross:
        ColumnMeaning(.amount, "The party's part before fees; below zero for a sender, in a refund for a receiver.")
      case .passedOn: ColumnMeaning(.amount, "What a primary receiver passes on to the secondary ones.")
      case .fee: ColumnMeaning(.amount, "The fee that the party bears.")
      case .net: ColumnMeaning(.amount, "gross - passed_on - fee.")
      case .refundKey: ColumnMeaning(.text, "The refund's key; empty in rows of a payment.", isOptional: true)
      }
    }
  }

  /// The kinds of rows.
  public static let kinds = PaymentKind.allCases.map(\.name.description) + ["REFUND"]

  /// Appends the rows of a settled entry.
  ///
  /// No field needs quotes: pay keys, accounts, codes and amounts contain neither commas nor quotes.
  public static func append(_ entry: SettledEntry, to text: inout TextBuffer) {
    let currency = entry.currency.codeBytes
    for posting in entry.postings.indices { append(posting, of: entry, currency, to: &text) }
  }

  @inline(__always)
  private static func append(
    _ posting: Int, of entry: SettledEntry, _ currency: (UInt8, UInt8, UInt8), to text: inout TextBuffer
  ) {
    let account = entry.account(of: posting)
    text.appendRow(atMost: fixedLength &+ entry.payKey.count &+ account.count) { row in
      row.append(entry.payKey, UInt8(ascii: ","))
      row.append(entry.kindName.bytes, UInt8(ascii: ","))
      row.append(entry.postings[posting].role.name.bytes, UInt8(ascii: ","))
      row.append(account, UInt8(ascii: ","))
      row.append(currency, UInt8(ascii: ","))
    }
    text.append(
      entry.postings[posting].gross, entry.postings[posting].passedOn, entry.postings[posting].fee,
      entry.postings[posting].net, UInt8(ascii: ","))
    text.append(entry.refundKey)
    text.append(UInt8(ascii: "\n"))
  }

  /// The most bytes of kind, role, currency and commas.
  private static let fixedLength = 8 + 9 + 3 + 5
}
