import Rules
import Text

/// Which report it is: those of a settlement directory, in the order of their file names.
///
/// Whoever writes, verifies or shows reports takes names, columns and order from here.
public enum ReportKind: String, CaseIterable, Sendable {
  /// Where the batch's money went, by currency.
  case control = "control.csv"
  /// Each error, and each pending or held payment.
  case exceptions = "exceptions.csv"
  /// The agreements that were changed or used.
  case preapprovals = "preapprovals.csv"
  /// What each receiver got, by account and currency.
  case receivers = "receivers.csv"
  /// The refunds.
  case refunds = "refunds.csv"
  /// The parties of each settled payment and of each refund.
  case settlement = "settlement.csv"
  /// The batch on one line.
  case summary = "summary.json"
  /// The settled payments and their trial balance, by currency.
  case totals = "totals.csv"

  /// The name of the file.
  public var fileName: String { rawValue }

  /// The columns, in their order; `summary.json` has none.
  private var allColumns: [any ReportColumn] {
    switch self {
    case .control: ControlReport.Column.allCases
    case .exceptions: ExceptionsReport.Column.allCases
    case .preapprovals: PreapprovalsReport.Column.allCases
    case .refunds: RefundsReport.Column.allCases
    case .receivers: ReceiversReport.Column.allCases
    case .settlement: SettlementReport.Column.allCases
    case .summary: []
    case .totals: TotalsReport.Column.allCases
    }
  }

  /// The names of the columns, in their order; `summary.json` has none.
  public var columns: [String] { allColumns.map(\.name) }

  /// What the fields of each column are, in their order.
  var meanings: [ColumnMeaning] { allColumns.map(\.meaning) }

  /// The header row with its line feed.
  public var header: String { columns.joined(separator: ",") + "\n" }

  /// By how many of the first columns the rows are sorted; 0 if the batch or a format gives the order.
  public var sortColumns: Int {
    switch self {
    case .control, .preapprovals, .totals: 1
    case .receivers: 2
    case .exceptions, .refunds, .settlement, .summary: 0
    }
  }

  /// Appends the whole report, if it is made of the control totals alone.
  ///
  /// - Returns: false if it is made of more; nothing is appended then.
  public func write(_ totals: ControlTotals, to text: inout TextBuffer) -> Bool {
    switch self {
    case .control: ControlReport.write(totals, to: &text)
    case .totals: TotalsReport.write(totals, to: &text)
    case .exceptions, .preapprovals, .receivers, .refunds, .settlement, .summary: return false
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
  /// The name of the file that holds the reports' digests.
  public static let sums = "SHA256SUMS"
  /// The names of the reports, in their order.
  public static let fileNames = allCases.map(\.fileName)
  /// The names of all files of a settlement directory.
  public static let allFileNames = fileNames + [sums]

  /// The text of `SHA256SUMS`, as `sha256sum` writes it, by name.
  ///
  /// - Parameter digests: SHA-256 by file name, in hexadecimal digits.
  public static func sumsText(_ digests: [String: String]) -> String {
    digests.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0.value)  \($0.key)\n" }.joined()
  }
}

/// Whether reports are files, or folders of parts (`shards.md`, "Publication").
public enum ReportLayout: String, CaseIterable, Sendable {
  /// A file each.
  case file
  /// Tables that grow with the batch are folders: a header and parts, which one after the other are the file.
  case parts

  /// What tells the parts.
  public static let manifest = "manifest.json"
}

extension ReportKind {
  /// The folder of the report's parts; nil if it is a file in any layout.
  public var folder: String? {
    switch self {
    case .exceptions, .preapprovals, .receivers, .refunds, .settlement: String(fileName.dropLast(4))
    case .control, .summary, .totals: nil
    }
  }

  /// The folders of a settlement directory in parts.
  public static let folders = allCases.compactMap(\.folder)

  /// The header row of a folder: readers of folders skip the name.
  public static let headerPart = "_header.csv"

  /// The name of a part, by its number from 0.
  public static func partName(_ number: Int) -> String {
    let digits = "\(number)"
    return "part-" + String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits + ".csv"
  }
}

/// A column of a CSV report, or a key of `summary.json`.
///
/// A case's name is its key in JSON, `senderAmount`, and in snake case its name in CSV, `sender_amount`. The order of
/// the cases is the order in the file.
public protocol ReportColumn: CaseIterable, RawRepresentable, Sendable where RawValue == String {
  /// What its fields are.
  var meaning: ColumnMeaning { get }
}

extension ReportColumn {
  /// The key in JSON.
  public var key: String { rawValue }

  /// Its place in the file's order, from 0: Swift numbers cases without values in their order.
  @inlinable @inline(__always)
  public var place: Int { Int(unsafeBitCast(self, to: UInt8.self)) }

  /// The name in the header row.
  public var name: String {
    var name: [UInt8] = []
    for letter in key.utf8 {
      if letter < UInt8(ascii: "a") { name.append(UInt8(ascii: "_")) }
      name.append(letter | 0x20)
    }
    return String(decoding: name, as: UTF8.self)
  }
}
