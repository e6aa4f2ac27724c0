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
    guard
      entry.postings[posting].gross.isInline, entry.postings[posting].passedOn.isInline,
      entry.postings[posting].fee.isInline, entry.postings[posting].net.isInline
    else { return appendLong(posting, of: entry, to: &text) }
    text.appendRow(
      entry.payKey, entry.kindName.bytes, entry.postings[posting].role.name.bytes, account, currency,
      (
        entry.postings[posting].gross.inlineValue, entry.postings[posting].passedOn.inlineValue,
        entry.postings[posting].fee.inlineValue, entry.postings[posting].net.inlineValue
      ), entry.refundKey)
  }

  /// Appends a row with an amount of more than 64 bits.
  @inline(never)
  private static func appendLong(_ posting: Int, of entry: SettledEntry, to text: inout TextBuffer) {
    let party = entry.postings[posting]
    text.append(entry.payKey)
    text.append(",", entry.kindName, ",", party.role.name, ",")
    text.append(entry.account(of: posting))
    text.append(",\(entry.currency.code)")
    for amount in [party.gross, party.passedOn, party.fee, party.net] {
      text.append(UInt8(ascii: ","))
      text.append(amount)
    }
    text.append(UInt8(ascii: ","))
    text.append(entry.refundKey)
    text.append(UInt8(ascii: "\n"))
  }
}
