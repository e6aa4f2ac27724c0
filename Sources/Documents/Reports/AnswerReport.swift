/// The files of a directory of answers of banks (`returns.md`), in the order of their names.
public enum AnswerReport: String, ReportSet {
  /// The answers about payments of the ledger.
  case answers = "answers.csv"
  /// What banks ask to be changed before the next payment.
  case changes = "changes.csv"
  /// The payments of a period, and which of them are confirmed; only if that is asked for.
  case payments = "payments.csv"
  /// The payments that came back, as a payout reads them.
  case returned = "returned.csv"
  /// The answers on one line.
  case summary = "returns.json"

  public static let contents = "a directory of answers holds these, SHA256SUMS and nothing else"

  /// The columns, in their order; `returns.json` has none.
  public var allColumns: [any ReportColumn] {
    switch self {
    case .answers: AnswerColumn.allCases
    case .changes: ChangeColumn.allCases
    case .payments: ConfirmedColumn.allCases
    case .returned: ListColumn.allCases
    case .summary: []
    }
  }

  /// The files of a directory.
  ///
  /// - Parameter hasPayments: whether the payments of a period are listed.
  public static func files(hasPayments: Bool) -> [AnswerReport] { allCases.filter { hasPayments || $0 != .payments } }

  /// The columns of `answers.csv`.
  public enum AnswerColumn: String, ReportColumn {
    case reference, account, currency, amount, format, status, reason, date, result, code, id, file, line
  }

  /// The columns of `changes.csv`.
  public enum ChangeColumn: String, ReportColumn {
    case reference, account, currency, reason, routing, accountNumber, accountType, name
  }

  /// The columns of `payments.csv`.
  public enum ConfirmedColumn: String, ReportColumn {
    case reference, account, currency, amount, day, state, date, file
  }

  /// The columns of `returned.csv`, and of a list made by hand.
  public enum ListColumn: String, ReportColumn {
    case reference, reason
  }
}
