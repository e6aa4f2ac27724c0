import Console
import Failures
import JSON

/// Writes what is found to standard output.
final class FoundNights {
  private let format: TextFormat
  /// The last night whose heading was written.
  private var last: Int?

  init(_ format: TextFormat) { self.format = format }

  /// Whether nothing was found.
  private(set) var isEmpty = true

  /// Shows what was found in a night; a second call for the same night continues it.
  func show(
    _ night: Night, text: () -> [String], json: () -> [[(String, JSONTree)]]
  ) throws(Failure) {
    let isNew = last != night.number
    switch format {
    case .text:
      let heading = isNew ? (isEmpty ? [] : [""]) + [night.heading] : []
      try Terminal.emit(heading + text().map { "  " + $0 })
    case .jsonl: try Terminal.emit(json().map { JSONTree.object(night.json + $0).description })
    }
    (isEmpty, last) = (false, night.number)
  }

  /// Shows rows that were found in a night, as a table below a heading.
  func show<Row>(
    _ rows: [Row], of night: Night, as columns: Listing<Row>, heading: String? = nil
  ) throws(Failure) {
    try show(night) {
      [heading].compactMap(\.self) + columns.table(rows)
    } json: {
      rows.map(columns.fields)
    }
  }

  /// Shows the sums of rows over all nights, as a table below a heading.
  func showSum<Row>(_ rows: [Row], as columns: Listing<Row>, heading: String) throws(Failure) {
    try showSum {
      [heading] + columns.table(rows).map { "  " + $0 }
    } json: {
      rows.map(columns.fields)
    }
  }

  /// Shows the lines of what the ledger has over all nights, and its object.
  func showLedger(_ lines: [String], json: () -> JSONTree?) throws(Failure) {
    switch format {
    case .text: try Terminal.emit((isEmpty ? [] : [""]) + ["in the ledger"] + lines.map { "  " + $0 })
    case .jsonl: if let json = json() { try Terminal.emit([json.description]) }
    }
    isEmpty = false
  }

  /// Shows what belongs to all nights together, or to none.
  func showSum(text: () -> [String], json: () -> [[(String, JSONTree)]]) throws(Failure) {
    switch format {
    case .text: try Terminal.emit((isEmpty ? [] : [""]) + text())
    case .jsonl:
      let night = ["run", "day", "directory", "directoryGone", "lookedAt"].map { ($0, JSONTree.null) }
      try Terminal.emit(json().map { JSONTree.object(night + $0).description })
    }
    isEmpty = false
  }
}
