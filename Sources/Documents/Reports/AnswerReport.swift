/// The files of a directory of answers of banks (`returns.md`), in the order of their names.
public enum AnswerReport: String, CaseIterable, Sendable {
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

  /// The name of the file.
  public var fileName: String { rawValue }

  /// The files of a directory.
  ///
  /// - Parameter hasPayments: whether the payments of a period are listed.
  public static func files(hasPayments: Bool) -> [AnswerReport] { allCases.filter { hasPayments || $0 != .payments } }

  /// The header row with its line feed; `returns.json` has none.
  public var header: String {
    switch self {
    case .answers: "reference,account,currency,amount,format,status,reason,date,result,code,id,file,line\n"
    case .changes: "reference,account,currency,reason,routing,account_number,account_type,name\n"
    case .payments: "reference,account,currency,amount,day,state,date,file\n"
    case .returned: "reference,reason\n"
    case .summary: ""
    }
  }
}
