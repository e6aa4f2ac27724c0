/// Aligned columns for people. The rows may come twice instead of being kept: for their widths, and to be shown.
struct Table {
  private let heading: [String]
  /// Whether a column is aligned to the right.
  private let isFigure: [Bool]
  private var widths: [Int]

  init(_ heading: [String], isFigure: [Bool]) {
    (self.heading, self.isFigure) = (heading, isFigure)
    widths = heading.map(\.count)
  }

  mutating func widen(for cells: [String]) {
    for (place, cell) in cells.enumerated() { widths[place] = max(widths[place], cell.count) }
  }

  /// The line of the columns' titles.
  var head: String { line(heading) }

  func line(_ cells: [String]) -> String {
    cells.indices.map { place in
      let padding = String(repeating: " ", count: widths[place] - cells[place].count)
      return isFigure[place] ? padding + cells[place] : cells[place] + padding
    }.joined(separator: "  ")
  }

  /// The lines of all rows.
  func lines(_ rows: [[String]]) -> [String] {
    var table = self
    for row in rows { table.widen(for: row) }
    return [table.head] + rows.map(table.line)
  }

  /// The lines of rows, with the first `texts` columns aligned to the left.
  static func lines(_ heading: [String], _ rows: [[String]], texts: Int = 1) -> [String] {
    Table(heading, isFigure: heading.indices.map { $0 >= texts }).lines(rows)
  }
}
