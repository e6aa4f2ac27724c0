import ExactArithmetic
import Postings
import Records
import Text

/// `settlement.csv`: a row for each party of a settled payment or of a refund, the sender first, in batch order.
public enum SettlementReport {
  /// The columns, in the order in which `append` writes them.
  public enum Column: String, ReportColumn {
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
    for posting in entry.postings.indices { append(entry.sender + posting, of: entry, currency, to: &text) }
  }

  @inline(__always)
  private static func append(
    _ posting: UnsafePointer<Posting>, of entry: SettledEntry, _ currency: (UInt8, UInt8, UInt8),
    to text: inout TextBuffer
  ) {
    let figures =
      posting.pointee.gross.maximumPlainLength + posting.pointee.passedOn.maximumPlainLength
      + posting.pointee.fee.maximumPlainLength + posting.pointee.net.maximumPlainLength
    let room = text.reserve(
      Row.fixedLength + entry.payKeyLength + entry.refundKeyLength + posting.pointee.accountLength + figures)
    var row = Row(room)
    row.append(entry.payKey, count: entry.payKeyLength, UInt8(ascii: ","))
    let kind = entry.kindName
    row.append(kind.utf8Start, count: kind.utf8CodeUnitCount, UInt8(ascii: ","))
    let role = posting.pointee.role.name
    row.append(role.utf8Start, count: role.utf8CodeUnitCount, UInt8(ascii: ","))
    row.appendAccount(posting.pointee.account, count: posting.pointee.accountLength, currency: currency)
    row.append(posting.pointee.gross, UInt8(ascii: ","))
    row.append(posting.pointee.passedOn, UInt8(ascii: ","))
    row.append(posting.pointee.fee, UInt8(ascii: ","))
    row.append(posting.pointee.net, UInt8(ascii: ","))
    row.append(entry.refundKey, count: entry.refundKeyLength, UInt8(ascii: "\n"))
    text.advance(by: row.count)
  }

  /// A row that is being written into memory reserved for all of it.
  private struct Row {
    /// The most bytes of kind, role, currency, commas and line feed.
    static let fixedLength = 8 + 9 + 3 + 10

    private let start: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>

    init(_ start: UnsafeMutablePointer<UInt8>) {
      self.start = start
      end = start
    }

    var count: Int { end - start }

    @inline(__always)
    mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int, _ separator: UInt8) {
      ByteCopy.copy(bytes, count: count, to: end)
      end += count
      end.pointee = separator
      end += 1
    }

    @inline(__always)
    mutating func append(_ figure: ExactDecimal, _ separator: UInt8) {
      end += figure.writePlain(to: end)
      end.pointee = separator
      end += 1
    }

    @inline(__always)
    mutating func appendAccount(_ account: UnsafePointer<UInt8>, count: Int, currency: (UInt8, UInt8, UInt8)) {
      append(account, count: count, UInt8(ascii: ","))
      end[0] = currency.0
      end[1] = currency.1
      end[2] = currency.2
      end[3] = UInt8(ascii: ",")
      end += 4
    }
  }
}
