import Failures

/// A file of rows that are booked once for ever, each under a key.
protocol ListFile: RecordFile {
  /// The rows. The first text is the key, empty if it is not valid, and sorts as keys do. The others are everything else,
  /// all empty if one of them is faulty.
  var rows: PackedRows { get }
  /// The code for a key that another row has.
  static var duplicateFault: InputFault.Code { get }
  /// The places of the texts that say whose balance a row changes, in the order of balances; empty if only the ledger
  /// knows.
  static var holder: [Int] { get }
}

/// Several files of such rows. Equal rows of different files count once, so that lists which grow can be given every
/// night.
struct ListFiles<File: ListFile> {
  /// A row of one of the files.
  struct Row {
    let file: UInt32
    let row: UInt32
  }

  /// A row with the beginning of the text by which rows are sorted.
  private typealias Sortable = (word: UInt64, row: Row)

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
  func forEachKey(_ take: (Row) throws(Failure) -> InputFault.Code?) throws(Failure) {
    var first: Row?
    var previousFile: UInt32 = 0
    for row in sorted(by: [0]) {
      var fault: InputFault.Code?
      if let first, compare(first, row, [0]) == 0 {
        if row.file == previousFile || differ(first, row) { fault = File.duplicateFault }
      } else {
        first = row
        fault = try take(row)
      }
      previousFile = row.file
      if let fault { note(fault, row, column: 0) }
    }
  }

  private func differ(_ left: Row, _ right: Row) -> Bool {
    let count = rows(left).texts
    guard count > 1, !isFaulty(left), !isFaulty(right) else { return false }
    return compare(left, right, Array(1..<count)) != 0
  }

  // MARK: Rows

  func rows(_ row: Row) -> PackedRows { files[Int(row.file)].content.rows }

  func bytes(_ text: Int, of row: Row) -> [UInt8] { rows(row).bytes(text, of: Int(row.row)) }

  /// Whether a row has a fault besides its key.
  func isFaulty(_ row: Row) -> Bool { rows(row).isEmpty(rows(row).texts - 1, of: Int(row.row)) }

  func note(_ fault: InputFault.Code, _ row: Row, column: Int) {
    files[Int(row.file)].content.note(InputFault(line: rows(row).line(Int(row.row)), column: column, code: fault))
  }

  /// The rows that have the first of some texts, by these texts, then by file and line.
  func sorted(by texts: [Int]) -> [Row] {
    var all: [Row] = []
    all.reserveCapacity(files.reduce(0) { $0 + $1.content.rows.count })
    for (place, file) in files.enumerated() {
      let rows = file.content.rows
      for row in 0..<rows.count where !rows.isEmpty(texts[0], of: row) {
        all.append(Row(file: UInt32(place), row: UInt32(row)))
      }
    }
    return sorted(all, by: texts)
  }

  /// Some of the rows, likewise.
  func sorted(_ some: consuming [Row], by texts: [Int]) -> [Row] {
    var all = some.map { row -> Sortable in (rows(row).with(texts[0], of: Int(row.row)) { $0.word(at: 0) }, row) }
    all.sort { precedes($0, $1, texts) }
    return all.map(\.row)
  }

  private func precedes(_ left: Sortable, _ right: Sortable, _ texts: [Int]) -> Bool {
    if left.word != right.word { return left.word < right.word }
    let order = compare(left.row, right.row, texts)
    return order == 0 ? (left.row.file, left.row.row) < (right.row.file, right.row.row) : order < 0
  }

  /// Negative, zero or positive if some texts of a row come before, equal, or come after those of another row.
  func compare(_ left: Row, _ right: Row, _ texts: [Int]) -> Int {
    for text in texts {
      let order = rows(left).compare(text, Int(left.row), rows(right), Int(right.row))
      if order != 0 { return order }
    }
    return 0
  }
}
