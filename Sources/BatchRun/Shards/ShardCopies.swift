import Claims
import Ledger
import Postings
import Reports
import Rules
import Text

/// Copies a report except some rows.
final class ReportCopy {
  private let source: StepReader
  private let file: ReportFile?
  private var pending = 0

  /// - Parameter file: nil if nothing changes; then nothing is copied.
  init(_ source: StepReader, to file: ReportFile?) {
    self.source = source
    self.file = file
  }

  /// Copies the next bytes.
  func copy(_ count: Int) { pending += count }

  /// Leaves out the next bytes.
  func skip(_ count: Int) throws(RunFailure) {
    try flush()
    if file != nil { try source.take(count) }
  }

  private func flush() throws(RunFailure) {
    guard let file else { return }
    try source.take(pending) { bytes, count throws(RunFailure) in try file.write(bytes, count: count) }
    pending = 0
  }

  /// Ends the copy; nil if nothing was copied.
  func finish() throws(RunFailure) -> ReportFile? {
    guard let file else { return nil }
    try flush()
    while let piece = try source.piece() {
      try file.write(piece.baseAddress!, count: piece.count)
    }
    return file
  }
}

/// Copies the rows of `exceptions.csv`, each with its place in the file, except those of some records.
final class RowCopy {
  private let source: StepReader
  private let file: ReportFile
  private let name: [UInt8]
  private let place: StretchPlace
  private let areAbsolute: Bool
  private var row: UnsafeBufferPointer<UInt8>?
  private var hasBegun = false
  private var text = TextBuffer(capacity: 1 << 17)

  /// - Parameters:
  ///   - name: the batch file's name as a field.
  ///   - place: where the shard begins in it.
  ///   - areAbsolute: whether the rows already name the file and their place in it.
  init(_ source: StepReader, to file: ReportFile, file name: [UInt8], place: StretchPlace, areAbsolute: Bool) {
    self.source = source
    self.file = file
    self.name = name
    self.place = place
    self.areAbsolute = areAbsolute
  }

  /// The line, the offset in the shard's text, and the rest of a row.
  private func parts(
    _ row: UnsafeBufferPointer<UInt8>
  ) throws(RunFailure) -> (line: Int, offset: Int, rest: Slice<UnsafeBufferPointer<UInt8>>) {
    var at = areAbsolute ? name.count + 1 : 0
    func number() -> Int? {
      var value = 0
      while at < row.count, 0x30...0x39 ~= row[at] {
        value = value &* 10 &+ Int(row[at] - 0x30)
        at += 1
      }
      guard at < row.count, row[at] == 0x2C else { return nil }
      at += 1
      return value
    }
    guard at < row.count, let line = number(), let offset = number() else { throw source.damage("a row is malformed") }
    return areAbsolute
      ? (line - place.line, offset - place.offset, row[at...]) : (line, offset, row[at...])
  }

  private func append(line: Int, offset: Int) throws(RunFailure) {
    try file.takeLong(&text)
    ExceptionsReport.appendPlace(file: name, line: place.line + line, offset: place.offset + offset, to: &text)
  }

  /// Copies the rows before a record, and skips its own.
  func replace(at offset: Int) throws(RunFailure) {
    if !hasBegun { row = try source.line() }
    hasBegun = true
    while let next = row {
      let parts = try parts(next)
      if parts.offset > offset { return }
      if parts.offset < offset { try copy(parts) }
      row = try source.line()
    }
  }

  private func copy(_ row: (line: Int, offset: Int, rest: Slice<UnsafeBufferPointer<UInt8>>)) throws(RunFailure) {
    try append(line: row.line, offset: row.offset)
    let rest = UnsafeBufferPointer(rebasing: row.rest)
    if let bytes = rest.baseAddress { text.append(bytes, count: rest.count) }
    text.append("\n")
  }

  /// Appends a record's new rows.
  func append(_ stretch: StretchResult) throws(RunFailure) {
    var at = 0
    for row in stretch.rows {
      try append(line: row.number, offset: row.line)
      text.append(stretch.rowTexts.bytes + at, count: row.length)
      at += row.length
    }
  }

  /// Copies the rest.
  func finish() throws(RunFailure) -> ReportFile {
    try replace(at: .max)
    try file.write(text.bytes, count: text.count)
    return file
  }
}
