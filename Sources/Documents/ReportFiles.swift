/// A set of files that a directory has: the cases are its files, in the order of their names.
public protocol ReportFiles: CaseIterable, RawRepresentable, Sendable where RawValue == String {
  /// The columns of a file, in their order; a file of JSON has none.
  var allColumns: [any ReportColumn] { get }
}

extension ReportFiles {
  public var fileName: String { rawValue }

  /// The names of the columns, in their order.
  public var columns: [String] { allColumns.map(\.name) }

  /// What the fields of each column are, in their order.
  var meanings: [ColumnMeaning] { allColumns.map(\.meaning) }

  /// The header row with its line feed.
  public var header: String { columns.joined(separator: ",") + "\n" }
}
