/// The files that a kind of directory has: the cases, in the order of their names. Each is written, read, compared and
/// audited by what its set says.
public protocol ReportSet: CaseIterable, RawRepresentable, Sendable where RawValue == String {
  /// What such a directory holds, for findings on others: `the directory of a payout holds …`.
  static var contents: String { get }
  /// The columns of a file, in their order; a file of JSON has none.
  var allColumns: [any ReportColumn] { get }
}

extension ReportSet {
  public var fileName: String { rawValue }

  /// The names of the columns, in their order.
  public var columns: [String] { allColumns.map(\.name) }

  /// The header row with its line feed.
  public var header: String { columns.joined(separator: ",") + "\n" }

  /// The columns of a file by its name; empty for a file that is not CSV.
  static func columns(of name: String) -> [String] { Self(rawValue: name)?.columns ?? [] }
}

/// A set of files whose columns are described, for programs that load them.
public protocol DescribedSet: ReportSet {
  var describedColumns: [any DescribedColumn] { get }
}

extension DescribedSet {
  public var allColumns: [any ReportColumn] { describedColumns }

  /// What the fields of each column are, in their order.
  var meanings: [ColumnMeaning] { describedColumns.map(\.meaning) }
}
