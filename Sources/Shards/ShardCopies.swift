import BatchRun
import Failures
import Publication
import Documents
import Text
import Threads

/// Copies a report except some rows, in a lane of its own.
final class ReportCopy: @unchecked Sendable {  // Only the lane uses source and file, until it has finished.
  /// How many bytes to copy, and how many to leave out after them.
  private typealias Part = (copied: Int, skipped: Int)

  private let source: StepReader
  private let file: ReportFile?
  private let lane: Lane
  private let first = FirstFailure<Failure>()
  private var parts: [Part] = []
  private var pending = 0
  /// The number of bytes in parts.
  private var passed = 0
  private var hasEnded = false

  /// The number of bytes that the lane takes at once, and the number of such tasks that may wait.
  private static let (pieceLength, mostWaiting) = (1 << 19, 16)

  /// - Parameters:
  ///   - file: nil if nothing changes; then nothing is copied.
  ///   - isApart: whether the lane may have its own thread.
  init(_ source: StepReader, to file: ReportFile?, isApart: Bool) {
    self.source = source
    self.file = file
    lane = Lane("copies", isApart: isApart && file != nil, most: Self.mostWaiting)
  }

  /// Copies the next bytes.
  func copy(_ count: Int) {
    pending += count
    if pending >= Self.pieceLength { skip(0) }
  }

  /// Leaves out the next bytes.
  func skip(_ count: Int) {
    guard file != nil else { return }
    parts.append((pending, count))
    passed += pending + count
    pending = 0
    if passed >= Self.pieceLength { pass() }
  }

  private func pass() {
    passed = 0
    let parts = parts
    self.parts.removeAll(keepingCapacity: true)
    lane.run { self.first.perform { () throws(Failure) in try self.copy(parts) } }
  }

  private func copy(_ parts: [Part]) throws(Failure) {
    for part in parts {
      try source.passOn(part.copied) { text throws(Failure) in try file!.write(text) }
      try source.passOn(part.skipped)
    }
  }

  /// Copies the rest; nothing may follow but `finish`.
  func end() {
    guard file != nil, !hasEnded else { return }
    hasEnded = true
    pass()
    lane.run {
      self.first.perform { () throws(Failure) in
        let source = self.source
        while let piece = try source.piece() { try self.file!.write(piece) }
      }
    }
  }

  /// Waits for the end of the copy; nil if nothing was copied.
  func finish() throws(Failure) -> ReportFile? {
    end()
    close()
    try first.check()
    return file
  }

  /// Waits for what is under way.
  func close() { lane.finish() }
}

/// Copies the rows of `exceptions.csv`, each with its place in the file, except those of some records.
final class RowCopy {
  private let source: StepReader
  private let file: ReportFile
  private let name: [UInt8]
  private let place: StretchPlace
  private let areAbsolute: Bool
  /// Whether the source's current line is a row that is not copied yet; nil before the first one is read.
  private var hasRow: Bool?
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

  /// The line, the offset in the shard's text, and where the rest of a row begins.
  private func parts(_ row: Span<UInt8>) throws(Failure) -> (line: Int, offset: Int, rest: Int) {
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
    return areAbsolute ? (line - place.line, offset - place.offset, at) : (line, offset, at)
  }

  private func append(line: Int, offset: Int) throws(Failure) {
    try file.writeLong(&text)
    ExceptionsReport.appendPlace(file: name, line: place.line + line, offset: place.offset + offset, to: &text)
  }

  /// Copies the rows before a record, and skips its own.
  func replace(at offset: Int) throws(Failure) {
    let source = source
    if hasRow == nil { hasRow = try source.line() != nil }
    while hasRow == true {
      let row = source.current
      let parts = try parts(row)
      if parts.offset > offset { return }
      if parts.offset < offset {
        try append(line: parts.line, offset: parts.offset)
        text.append(row.extracting(droppingFirst: parts.rest))
        text.append("\n")
      }
      hasRow = try source.line() != nil
    }
  }

  /// Appends a record's new rows.
  func append(_ stretch: borrowing StretchResult) throws(Failure) {
    var at = 0
    for row in stretch.rows {
      try append(line: row.number, offset: row.line)
      text.append(stretch.rowTexts.span.extracting(at..<at + row.length))
      at += row.length
    }
  }

  /// Copies the rest.
  func finish() throws(Failure) -> ReportFile {
    try replace(at: .max)
    try text.withSpan { text throws(Failure) in try file.write(text) }
    return file
  }
}
