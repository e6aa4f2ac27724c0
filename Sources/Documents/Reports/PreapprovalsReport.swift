import Rules
import Text

/// `preapprovals.csv`: a row for each agreement that the batch changed or used, by key, with its state after the batch.
public enum PreapprovalsReport {
  /// The columns, in the order in which `append` writes them.
  public enum Column: String, DescribedColumn {
    /// The agreement's key.
    case preapprovalKey
    /// The agreement's status.
    case status
    /// The agreement's sender and currency.
    case sender, currency
    /// What was used so far.
    case payments, amount

    /// The contents of its fields.
    public var meaning: ColumnMeaning {
      switch self {
      case .preapprovalKey: ColumnMeaning(.text, "The agreement's key.")
      case .status: ColumnMeaning(.code(["PENDING", "ACTIVE", "CANCELED"]), "Its status.")
      case .sender: ColumnMeaning(.text, "The sender; empty until one is named.", isOptional: true)
      case .currency: ColumnMeaning(ColumnMeaning.currencies, "The agreement's currency.")
      case .payments: ColumnMeaning(.integer, "The number of payments that were settled in all nights.")
      case .amount: ColumnMeaning(.amount, "What these payments cost the sender.")
      }
    }
  }

  /// Appends the row of an agreement.
  public static func append(_ agreement: Agreement, key: [UInt8], to text: inout TextBuffer) {
    let fields = [
      String(decoding: key, as: UTF8.self), agreement.status.rawValue,
      String(decoding: agreement.sender, as: UTF8.self),
      agreement.terms.currency.code, "\(agreement.payments)", "\(agreement.amount)",
    ]
    text.append(fields.joined(separator: ",") + "\n")
  }
}
