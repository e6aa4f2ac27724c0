import Publication
import Rules
import Text

/// The reports of a settlement directory, in the order of their file names.
///
/// Code that writes, verifies or shows reports uses the names, columns and order given here.
public enum ReportKind: String, DescribedSet {
  /// Sums of control amounts by outcome, for each currency.
  case control = "control.csv"
  /// Each error, and each pending or held payment.
  case exceptions = "exceptions.csv"
  /// The fees of each payment and refund by name. Only nights that show names publish it.
  case fees = "fees.csv"
  /// The agreements that were changed or used.
  case preapprovals = "preapprovals.csv"
  /// What each receiver got, by account and currency.
  case receivers = "receivers.csv"
  case refunds = "refunds.csv"
  /// The parties of each settled payment and of each refund.
  case settlement = "settlement.csv"
  /// The batch's summary, one line of JSON.
  case summary = "summary.json"
  /// The settled payments and their trial balance, by currency.
  case totals = "totals.csv"

  public static let contents = "a settlement directory holds the reports, SHA256SUMS and nothing else"

  /// The columns, in their order; `summary.json` has none.
  public var describedColumns: [any DescribedColumn] {
    switch self {
    case .control: ControlReport.Column.allCases
    case .exceptions: ExceptionsReport.Column.allCases
    case .fees: FeesReport.Column.allCases
    case .preapprovals: PreapprovalsReport.Column.allCases
    case .refunds: RefundsReport.Column.allCases
    case .receivers: ReceiversReport.Column.allCases
    case .settlement: SettlementReport.Column.allCases
    case .summary: []
    case .totals: TotalsReport.Column.allCases
    }
  }

  /// The number of leading columns by which the rows are sorted; 0 if the batch or a format determines the order.
  var sortColumns: Int {
    switch self {
    case .control, .preapprovals, .totals: 1
    case .receivers: 2
    case .exceptions, .fees, .refunds, .settlement, .summary: 0
    }
  }

  /// Appends the whole report, if it needs only the control totals.
  ///
  /// - Returns: false if it needs more; then nothing is appended.
  public func write(_ totals: ControlTotals, to text: inout TextBuffer) -> Bool {
    switch self {
    case .control: ControlReport.write(totals, to: &text)
    case .totals: TotalsReport.write(totals, to: &text)
    case .exceptions, .fees, .preapprovals, .receivers, .refunds, .settlement, .summary: return false
    }
    return true
  }

  /// Appends the header and rows whose fields need no quotes.
  func append(_ rows: [[String]], to text: inout TextBuffer) {
    text.append(header)
    for row in rows { text.append(row.joined(separator: ",") + "\n") }
  }
}

extension ReportKind {
  /// The name of the file with the reports' digests.
  public static let sums = DigestList.fileName
  /// The reports of a night, in their order.
  public static func all(showsNames: Bool) -> [ReportKind] { allCases.filter { $0 != .fees || showsNames } }

  /// The names of the reports of a night that shows no names of fees, in their order.
  package static let fileNames = all(showsNames: false).map(\.fileName)

  /// Whether a night shows the names of fees, by the text of its `SHA256SUMS`.
  public static func showsNames(sums: String) -> Bool {
    DigestList.files(of: sums).contains { $0.name == fees.fileName || $0.name.hasPrefix("\(fees.folder!)/") }
  }

  /// The names of all files that a settlement directory may have.
  static let allFileNames = allCases.map(\.fileName) + [sums]
}

/// Whether reports are files, or folders of parts (`shards.md`, "Publication").
public enum ReportLayout: String, CaseIterable, Sendable {
  /// Each report is a file.
  case file
  /// Tables that grow with the batch are folders: a header and parts, which concatenated are the file.
  case parts

  /// The file that lists the parts.
  public static let manifest = "manifest.json"
  /// The file of reports at an object store that says which plan wrote them.
  public static let claim = "claim.json"
}

extension ReportKind {
  /// The folder of the report's parts; nil if it is a file in any layout.
  public var folder: String? {
    switch self {
    case .exceptions, .fees, .preapprovals, .receivers, .refunds, .settlement: String(fileName.dropLast(4))
    case .control, .summary, .totals: nil
    }
  }

  /// The folders that a settlement directory in parts may have.
  public static let folders = allCases.compactMap(\.folder)

  /// The file name of a folder's header row: programs that read folders skip such names.
  public static let headerPart = "_header.csv"

  /// The name of a part, by its number from 0.
  public static func partName(_ number: Int) -> String {
    let digits = "\(number)"
    return "part-" + String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits + ".csv"
  }
}
