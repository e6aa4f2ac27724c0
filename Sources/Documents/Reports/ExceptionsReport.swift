import Records
import Rules
import Text

/// `exceptions.csv`: a row for each error of a record, and for each pending or held payment, in batch order.
///
/// A row is written in two parts: its place (file, line, offset) is known later than the rest.
public enum ExceptionsReport {
  /// The columns, in the order in which `appendPlace` and then `append` write them.
  public enum Column: String, DescribedColumn {
    /// Where the record is.
    case file, line, offset
    /// The record's pay key and outcome.
    case payKey, outcome
    /// The error and its field.
    case code, field
    /// The record's control amount.
    case currency, amount
    /// PayPal's number of the error.
    case paypalErrorId
    /// What is wrong, in words.
    case message
    /// The keys of a refund and of an agreement.
    case refundKey, preapprovalKey

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .file: ColumnMeaning(.text, "The batch's file, as it was named; - means standard input.")
      case .line: ColumnMeaning(.integer, "The record's line in the file, from 1.")
      case .offset: ColumnMeaning(.integer, "The byte at which the line begins, from 0.")
      case .payKey: ColumnMeaning(.text, "The record's pay key; empty if it has no valid one.", isOptional: true)
      case .outcome: ColumnMeaning(.code(outcomes.map(\.name.description)), "The outcome of the record.")
      case .code:
        ColumnMeaning(
          .code(
            RejectionReason.allCases.map(\.code.description)
              + [PaymentStatus.created, .other].map(\.spelling.description)),
          "The error; for a pending or held payment, its status.")
      case .field:
        ColumnMeaning(
          .text, "The error's field, as a JSON Pointer; empty if it is about the whole record.", isOptional: true)
      case .currency:
        ColumnMeaning(
          ColumnMeaning.currencies, "The currency of the control amount; empty if there is none.", isOptional: true)
      case .amount: ColumnMeaning(.amount, "The record's control amount; empty if there is none.", isOptional: true)
      case .paypalErrorId: ColumnMeaning(.integer, "PayPal's number for the error, if it has one.", isOptional: true)
      case .message: ColumnMeaning(.text, "What is wrong, in words.")
      case .refundKey: ColumnMeaning(.text, "The refund's key, if the record is a refund.", isOptional: true)
      case .preapprovalKey: ColumnMeaning(.text, "The key of the agreement that the record names.", isOptional: true)
      }
    }
  }

  /// The outcomes of records that have rows.
  public static let outcomes: [Outcome] = [.pending, .held, .rejected]

  /// Appends the first three fields of a row and the comma after them.
  ///
  /// - Parameter file: the file's name, escaped, as a field of the CSV.
  public static func appendPlace(file: [UInt8], line: Int, offset: Int, to text: inout TextBuffer) {
    text.append(file)
    text.append(UInt8(ascii: ","))
    text.append(number: line)
    text.append(UInt8(ascii: ","))
    text.append(number: offset)
    text.append(UInt8(ascii: ","))
  }

  /// Appends the rest of the row of one error of the record.
  public static func append(
    _ finding: Finding, of judgement: borrowing Judgement, message: inout TextBuffer, to text: inout TextBuffer
  ) {
    appendStart(judgement, code: finding.reason.code, to: &text)
    if finding.reason == .unknownField {
      message.removeAll(keeping: 4096)
      judgement.writeField(of: finding, to: &message)
      CSV.append(message.span, to: &text)
    } else {
      finding.path.write(to: &text)
    }
    appendAmount(judgement, to: &text)
    if let identifier = finding.reason.payPalErrorID { text.append(number: identifier) }
    text.append(UInt8(ascii: ","))
    message.removeAll(keeping: 4096)
    judgement.writeMessage(of: finding, to: &message)
    CSV.append(message.span, to: &text)
    appendKeys(judgement, to: &text)
  }

  /// Appends the rest of the row of the pending or held payment.
  public static func appendUnsettled(_ judgement: borrowing Judgement, to text: inout TextBuffer) {
    let isPending = judgement.outcome == .pending
    appendStart(judgement, code: (isPending ? PaymentStatus.created : .other).spelling, to: &text)
    text.append("/status")
    appendAmount(judgement, to: &text)
    text.append(",")
    text.append(
      isPending
        ? "payment is not completed yet; it stays pending" : "payment is neither completed nor created; it is held")
    appendKeys(judgement, to: &text)
  }

  private static func appendKeys(_ judgement: borrowing Judgement, to text: inout TextBuffer) {
    text.append(UInt8(ascii: ","))
    text.append(judgement.refundKey)
    text.append(UInt8(ascii: ","))
    text.append(judgement.preapprovalKey)
    text.append(UInt8(ascii: "\n"))
  }

  private static func appendStart(_ judgement: borrowing Judgement, code: StaticString, to text: inout TextBuffer) {
    text.append(judgement.payKey)
    text.append(UInt8(ascii: ","))
    text.append(judgement.outcome.name)
    text.append(UInt8(ascii: ","))
    text.append(code)
    text.append(UInt8(ascii: ","))
  }

  private static func appendAmount(_ judgement: borrowing Judgement, to text: inout TextBuffer) {
    text.append(UInt8(ascii: ","))
    if judgement.hasControlAmount {
      text.append(judgement.currency!.code)
      text.append(UInt8(ascii: ","))
      text.append(judgement.controlAmount)
      text.append(UInt8(ascii: ","))
    } else {
      text.append(",,")
    }
  }
}
