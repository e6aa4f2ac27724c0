import Failures
import FileSystem
import Text

/// A CSV file that a payout reads: a header, then one record a line.
package protocol RecordFile: AnyObject {
  /// The names of the columns.
  static var columns: [String] { get }
  /// The names of columns that the header may have after these: groups in their order, each whole or absent.
  static var furtherColumns: [[String]] { get }
  /// The code for a header that is missing or different.
  static var headerFault: InputFault.Code { get }
  /// The faults found so far.
  var faults: InputFaults { get }

  init()
  /// Records a fault of a whole line.
  func note(_ fault: InputFault)
  /// Takes a record with as many fields as the header has.
  func read(_ record: borrowing CSVRecord, line: Int)
  /// Called after the last record.
  func finish()
}

/// A file that was read, or could not be read.
package struct ReadFile<Content> {
  /// Its path, for messages.
  package let shown: String
  package let content: Content
  /// The length of the file and its SHA-256; nil if it was not read completely.
  package var stored: (bytes: Int, sha256: String)?
  /// Why it could not be read.
  package var failure: Failure?
}

extension RecordFile {
  package static var furtherColumns: [[String]] { [] }

  /// The names of all columns.
  package static var allColumns: [String] { columns + furtherColumns.joined() }

  /// Reads a file, once and in order.
  static func read(_ path: String) -> ReadFile<Self> {
    let records = Self()
    var file = ReadFile(shown: OutputPlace.shown(path), content: records)
    do throws(Failure) {
      let lines = try InputLines(path: path, shown: file.shown)
      if try records.readRecords(lines) { file.stored = lines.finish() }
    } catch {
      file.failure = error
    }
    records.finish()
    return file
  }

  /// False if the header is different: the rest is then not read.
  package func readRecords(_ lines: InputLines) throws(Failure) -> Bool {
    var record = CSVRecord()
    var expected: Int?
    while try lines.next() {
      let fault = Self.fault(of: lines, &record)
      guard let count = expected else {
        let fields = record.strings
        guard fault == nil, Self.header(nearest: fields) == fields else {
          let difference = HeaderDifference(
            lines.line, fields: fault == nil ? fields : [], columns: Self.header(nearest: fields))
          note(InputFault(line: lines.number, column: nil, code: Self.headerFault, detail: .header(difference)))
          return false
        }
        expected = fields.count
        continue
      }
      if let fault {
        note(InputFault(line: lines.number, column: nil, code: fault))
      } else if record.count != count {
        note(
          InputFault(
            line: lines.number, column: nil, code: .fieldCount, detail: .fields(record.count, of: count)))
      } else {
        read(record, line: lines.number)
      }
    }
    if expected == nil {
      let difference = HeaderDifference(lines.line, fields: [], columns: Self.columns)
      note(InputFault(line: max(1, lines.number), column: nil, code: Self.headerFault, detail: .header(difference)))
    }
    return true
  }

  /// The header with those further columns of which a record has any.
  private static func header(nearest fields: [String]) -> [String] {
    columns + furtherColumns.filter { fields.contains(where: $0.contains) }.joined()
  }

  /// What is wrong with a whole line, apart from the number of its fields.
  private static func fault(of lines: InputLines, _ record: inout CSVRecord) -> InputFault.Code? {
    let line = lines.line
    if lines.isTooLong { return .recordTooLong }
    if !UTF8Text.isValid(line.span) { return .invalidUTF8 }
    return record.split(line.span) ? nil : .malformedCSV
  }
}
