import BatchRun
import Failures
import FileSystem
import Text

/// A CSV file that a payout reads: a header, then one record a line.
protocol RecordFile: AnyObject {
  /// The names of the columns.
  static var columns: [String] { get }
  /// The code for a header that is missing or different.
  static var headerFault: InputFault.Code { get }
  /// The faults found so far.
  var faults: InputFaults { get }

  init()
  /// Records a fault of a whole line.
  func note(_ fault: InputFault)
  /// Takes a record with as many fields as there are columns.
  func take(_ fields: [UnsafeBufferPointer<UInt8>], line: Int)
  /// Called after the last record.
  func finish()
}

/// A file that was read, or could not be read.
struct ReadFile<Content> {
  /// Its path, for messages.
  let shown: String
  let content: Content
  /// The length of the file and its SHA-256; nil if it was not read completely.
  var stored: (bytes: Int, sha256: String)?
  /// Why it could not be read.
  var failure: Failure?
}

extension RecordFile {
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
  private func readRecords(_ lines: InputLines) throws(Failure) -> Bool {
    var record = CSVRecord()
    var isHeader = true
    while try lines.next() {
      let fault = Self.fault(of: lines, &record)
      if isHeader {
        isHeader = false
        guard fault == nil, zip(record.fields, Self.columns).allSatisfy({ $0.elementsEqual($1.utf8) }) else {
          let difference = HeaderDifference(
            lines.line, fields: fault == nil || fault == .fieldCount ? record.fields : nil, columns: Self.columns)
          note(InputFault(line: lines.number, column: nil, code: Self.headerFault, detail: .header(difference)))
          return false
        }
      } else if let fault {
        note(
          InputFault(
            line: lines.number, column: nil, code: fault,
            detail: fault == .fieldCount ? .fields(record.fields.count) : .none))
      } else {
        take(record.fields, line: lines.number)
      }
    }
    if isHeader { note(InputFault(line: max(1, lines.number), column: nil, code: Self.headerFault)) }
    return true
  }

  /// What is wrong with a whole line.
  private static func fault(of lines: InputLines, _ record: inout CSVRecord) -> InputFault.Code? {
    let line = lines.line
    if lines.isTooLong { return .recordTooLong }
    if let bytes = line.baseAddress, !UTF8Text.isValid(bytes, count: line.count) { return .invalidUTF8 }
    if !record.split(line) { return .malformedCSV }
    return record.fields.count == columns.count ? nil : .fieldCount
  }
}
