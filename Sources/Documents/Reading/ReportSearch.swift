import Failures
import FileSystem
import Synchronization
import Text
import Threads

/// A row that was found in a report; valid only during the call that gets it.
package struct FoundRow: ReportFields {
  /// The fields of the row.
  package private(set) var row = ReportRow()
  private let place: String

  /// - Parameters:
  ///   - line: the row without its line feed.
  ///   - offset: the offset of the row in the report.
  fileprivate init(
    _ line: Span<UInt8>, at offset: Int, of report: ReportKind, shownFolder: String
  ) throws(Failure) {
    place = "\(shownFolder)/\(report.fileName): byte \(offset)"
    row.split(line)
    guard row.count == report.columns.count else {
      throw fault("is not a row of \(report.columns.count) fields")
    }
  }

  /// The failure for a row that is not as a run writes it; the message has no text of the row.
  package func fault(_ reason: String) -> Failure { .inputOutput("\(place): \(reason)") }
}

/// Searches rows in a directory of reports. Nothing is verified or hashed.
package struct ReportSearch {
  /// The longest row that is read; the longest that a run writes has about 25,000 bytes.
  private static let longestRow = 1 << 15
  /// The longest row of a sorted report; an account and six amounts have about 2,000 bytes.
  private static let longestSortedRow = 1 << 12
  /// The number of pieces whose rows are kept before they are passed on.
  private static let piecesAtOnce = 16

  private let folder: ReportFolder
  private let shown: String
  private let threads: Int
  private let pieceLength: Int

  /// Opens a directory; throws if it does not exist or cannot be opened.
  ///
  /// - Parameters:
  ///   - threads: the number of threads that search a report.
  ///   - pieceLength: the bytes that a thread reads at once; they stay in the processor's cache while they are
  ///     searched.
  package init(directory: String, threads: Int, pieceLength: Int = 1 << 20) throws(Failure) {
    shown = OutputPlace.shown(directory)
    folder = try ReportFolder(path: directory)
    (self.threads, self.pieceLength) = (threads, pieceLength)
  }

  /// A report, and the offset of its first row; throws if it has another header.
  private func open(_ report: ReportKind) throws(Failure) -> (bytes: ReportBytes, start: Int) {
    let log = FindingLog()
    guard let bytes = try folder.bytes(of: report.fileName, log) else {
      throw log.failure(shown, Failure.unreadable)
    }
    let header = Array(report.header.utf8)
    guard try bytes.bytes(at: 0, count: header.count) == header else {
      throw .inputOutput("\(shown)/\(report.fileName): does not begin with the header row \(report.header.dropLast())")
    }
    return (bytes, header.count)
  }

  private func unended(_ report: ReportKind, at offset: Int) -> Failure {
    .inputOutput("\(shown)/\(report.fileName): byte \(offset): the row lacks its line feed, or is too long")
  }

  // MARK: Rows in any order

  /// Passes on the rows that have a text in one of some columns, in the order of the report.
  ///
  /// - Parameters:
  ///   - text: a key or account, without comma, quote and line feed.
  package func forEachRow<Column: ReportColumn>(
    of report: ReportKind, where columns: [Column], are text: [UInt8],
    _ take: (FoundRow) throws(Failure) -> Void
  ) throws(Failure) {
    let (bytes, start) = try open(report)
    let needles = Set(columns.map { Self.needle(text, in: $0.place, of: report) })
    let pieces = (bytes.size - start + pieceLength - 1) / pieceLength
    let threads = max(1, min(threads, pieces))
    for first in stride(from: 0, to: pieces, by: Self.piecesAtOnce) {
      let taken = Atomic(0)
      let found = Mutex<[Int: Result<FoundLines, Failure>]>([:])
      WorkerThreads.run(threads) { _ in
        var buffer = TextBuffer(capacity: 1 + pieceLength + Self.longestRow)
        while true {
          let piece = taken.add(1, ordering: .relaxed).oldValue
          guard piece < Self.piecesAtOnce, first + piece < pieces else { return }
          let range = start + (first + piece) * pieceLength..<start + (first + piece + 1) * pieceLength
          let lines = Result { () throws(Failure) in
            try self.lines(of: report, bytes, beginningIn: range, with: needles, &buffer)
          }
          found.withLock { $0[piece] = lines }
        }
      }
      for (_, lines) in found.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
        try lines.get().forEach { line, offset throws(Failure) in
          let row = try FoundRow(line, at: offset, of: report, shownFolder: shown)
          if columns.contains(where: { row.row[$0].isEqual(to: text.span) }) { try take(row) }
        }
      }
    }
  }

  /// The bytes in a row that has a text in a column, including the commas or line feeds around it.
  private static func needle(_ text: [UInt8], in place: Int, of report: ReportKind) -> [UInt8] {
    let (comma, lineFeed) = (UInt8(ascii: ","), UInt8(ascii: "\n"))
    return [place == 0 ? lineFeed : comma] + text + [place == report.columns.count - 1 ? lineFeed : comma]
  }

  /// The lines of a report that begin in a range and contain one of some texts.
  private func lines(
    of report: ReportKind, _ bytes: ReportBytes, beginningIn range: Range<Int>, with needles: Set<[UInt8]>,
    _ buffer: inout TextBuffer
  ) throws(Failure) -> FoundLines {
    buffer.removeAll()
    // Begin with the line feed of the previous line.
    try buffer.append(atMost: 1 + pieceLength + Self.longestRow) { room throws(Failure) in
      try bytes.read(at: range.lowerBound - 1, into: &room)
    }
    let text = buffer.span
    var lines: [Range<Int>] = []
    for needle in needles {
      var at = 0
      while let place = text.place(of: needle.span, from: at) {
        guard let before = needle[0] == 0x0A ? place : (0..<place).last(where: { text[$0] == 0x0A }) else {
          // It is in a line that begins before the range.
          at = place + 1
          continue
        }
        let begin = before + 1
        guard begin <= range.count else { break }
        let last = place + needle.count - 1
        guard let end = text.extracting(first: min(text.count, last + Self.longestRow)).place(of: 0x0A, from: last)
        else { throw unended(report, at: range.lowerBound + before) }
        at = end
        lines.append(begin..<at)
      }
    }
    return FoundLines(lines, in: text, from: range.lowerBound - 1)
  }

  // MARK: Rows in order

  /// Passes on the rows of a sorted report that have a text in its first column.
  package func forEachRow(
    of report: ReportKind, sortedAt text: [UInt8], _ take: (FoundRow) throws(Failure) -> Void
  ) throws(Failure) {
    let (bytes, start) = try open(report)
    /// The first row that begins at an offset or after it, and its offset; nil at the end.
    func row(from place: Int) throws(Failure) -> (line: ArraySlice<UInt8>, offset: Int)? {
      // Begin with the line feed of the previous row, if a row begins at this offset.
      let text = try bytes.bytes(at: place - 1, count: 2 * Self.longestSortedRow)
      guard let before = text.firstIndex(of: 0x0A), place + before < bytes.size else {
        if text.count == 2 * Self.longestSortedRow { throw unended(report, at: place) }
        return nil
      }
      let line = text[(before + 1)...].prefix { $0 != 0x0A }
      guard line.endIndex < text.count else { throw unended(report, at: place + before) }
      return (line, place + before)
    }
    var (low, high) = (start, bytes.size)
    while low < high {
      let middle = (low + high) / 2
      if let line = try row(from: middle)?.line, line.prefix(while: { $0 != 0x2C }).lexicographicallyPrecedes(text) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    while let (line, offset) = try row(from: low), line.prefix(while: { $0 != 0x2C }).elementsEqual(text) {
      try take(FoundRow(line.span, at: offset, of: report, shownFolder: shown))
      low = offset + line.count + 1
    }
  }
}

/// Found lines, copied one after the other.
private struct FoundLines: Sendable {
  private var text: [UInt8] = []
  private var lines: [(count: Int, offset: Int)] = []

  init() {}

  /// - Parameters:
  ///   - ranges: their ranges in a text; equal ranges are one line.
  ///   - start: the offset of the text in the report.
  init(_ ranges: [Range<Int>], in text: Span<UInt8>, from start: Int) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound })
    where lines.last.map({ $0.offset < start + range.lowerBound }) ?? true {
      self.text.append(text.extracting(range))
      lines.append((range.count, start + range.lowerBound))
    }
  }

  func forEach(
    _ take: (Span<UInt8>, _ offset: Int) throws(Failure) -> Void
  ) throws(Failure) {
    var at = 0
    for (count, offset) in lines {
      try take(text.span.extracting(at..<at + count), offset)
      at += count
    }
  }
}
