import BatchRun
import Failures
import Ledger

/// A file of rows that are booked once for ever, each under a key in the first column.
protocol ListFile: RecordFile {
  associatedtype Row: ListRow
  /// The rows with a valid key.
  var rows: [Row] { get }
  /// The code for a key that another row has.
  static var duplicateFault: InputFault.Code { get }
}

/// A row with a valid key.
protocol ListRow {
  associatedtype Key: Comparable
  associatedtype Content: Equatable
  var key: Key { get }
  var line: Int { get }
  /// Everything but the key; nil if it is faulty.
  var content: Content? { get }
}

/// Several files of such rows. Equal rows of different files count once, so that lists which grow can be given every
/// night.
struct ListFiles<File: ListFile> {
  /// The files, in the order given.
  let files: [ReadFile<File>]

  init(_ paths: [String]) { files = paths.map(File.read) }

  /// Why one of them cannot be read; nil if all can.
  var failure: Failure? { files.lazy.compactMap(\.failure).first }

  /// The lengths and SHA-256 of the files; nil if one was not read completely.
  var stored: [(bytes: Int, sha256: String)]? {
    let stored = files.compactMap(\.stored)
    return stored.count == files.count ? stored : nil
  }

  /// What is wrong with each file; nil if nothing is.
  var faults: [FileFaults?] { files.map(\.reportedFaults) }

  /// Passes on the first row of each key, in the order of the keys; others are compared with it.
  ///
  /// - Parameter take: returns what is wrong with the key.
  func forEachKey(_ take: (File.Row) throws(Failure) -> InputFault.Code?) throws(Failure) {
    var rows = files.indices.flatMap { file in files[file].content.rows.map { (row: $0, file: file) } }
    rows.sort { ($0.row.key, $0.file, $0.row.line) < ($1.row.key, $1.file, $1.row.line) }
    var first: File.Row?
    var previousFile = -1
    for (row, file) in rows {
      var fault: InputFault.Code?
      if let first, first.key == row.key {
        let differs = first.content != nil && row.content != nil && first.content != row.content
        if file == previousFile || differs { fault = File.duplicateFault }
      } else {
        first = row
        fault = try take(row)
      }
      previousFile = file
      if let fault { files[file].content.note(InputFault(line: row.line, column: 0, code: fault)) }
    }
  }
}
