import Failures
import FileSystem
import Glibc
import Text

/// Sorts lines by account and group, stably and with bounded memory: sorted runs go to an unnamed file, and are merged
/// from there.
///
/// Memory: the lines of a run and 32 bytes for each; then the pieces of the merge. These take `pieceMemory` together.
/// With very many runs the shortest pieces take more: a two-thousandth of the file.
final class LineSorter {
  /// The offset of a line in the run, and the beginning of its account.
  private struct Place {
    let prefix: UInt128
    let offset: Int
  }

  private let spool: SpoolFile
  private let runLength: Int
  private let pieceMemory: Int
  @exclusivity(unchecked) private var lines = TextBuffer(capacity: 1 << 16)
  private var places: [Place] = []
  /// The ranges of the sorted runs in the file.
  private var runs: [Range<Int>] = []

  /// - Parameters:
  ///   - spool: an empty file.
  ///   - runLength: the bytes of lines that are sorted in memory.
  ///   - pieceMemory: the bytes that the merge reads ahead, for all runs together.
  init(_ spool: SpoolFile, runLength: Int = 32 << 20, pieceMemory: Int = 16 << 20) {
    self.spool = spool
    self.runLength = runLength
    self.pieceMemory = pieceMemory
  }

  /// Takes complete lines.
  func take(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) {
    var at = 0
    while at < count {
      let line = StatementLine(start: bytes + at)
      if lines.count + line.length > runLength { try endRun() }
      places.append(Place(prefix: line.accountPrefix, offset: lines.count))
      lines.append(line.start, count: line.length)
      at += line.length
    }
  }

  /// Sorts the run and writes it to the file.
  private func endRun() throws(Failure) {
    guard lines.count > 0 else { return }
    let start = UnsafePointer(lines.bytes)
    places.sort { left, right in
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      let order = StatementLine.compare(
        StatementLine(start: start + left.offset), StatementLine(start: start + right.offset))
      return order == 0 ? left.offset < right.offset : order < 0
    }
    let runStart = spool.count
    for place in places {
      try spool.append(start + place.offset, count: StatementLine(start: start + place.offset).length)
    }
    try spool.flush()
    runs.append(runStart..<spool.count)
    places.removeAll(keepingCapacity: true)
    lines.removeAll()
  }

  /// Ends the input and returns the lines in order.
  func finish() throws(Failure) -> LineMerge {
    try endRun()
    lines.removeAll(keeping: 0)
    places = []
    let piece = min(1 << 20, max(StatementLine.maximumLength, pieceMemory / max(1, runs.count)))
    return try LineMerge(runs.map { RunCursor(spool, $0, pieceLength: piece) })
  }
}

/// Reads one sorted run, piece by piece.
private final class RunCursor {
  private let spool: SpoolFile
  private let run: Range<Int>
  private var next: Int
  private let piece: UnsafeMutablePointer<UInt8>
  private let pieceLength: Int
  private var at = 0
  private var held = 0

  init(_ spool: SpoolFile, _ run: Range<Int>, pieceLength: Int) {
    self.spool = spool
    self.run = run
    next = run.lowerBound
    self.pieceLength = pieceLength
    piece = .allocate(capacity: pieceLength)
  }

  deinit { piece.deallocate() }

  /// The current line; valid until `advance`.
  var line: StatementLine { StatementLine(start: piece + at) }

  /// Goes to the first or next line; false if the run has ended.
  func advance() throws(Failure) -> Bool {
    if held > 0 { at += line.length }
    if !line.isWhole(in: held - at) {
      memmove(piece, piece + at, held - at)
      held -= at
      at = 0
      let wanted = min(pieceLength - held, run.upperBound - next)
      try spool.read(piece + held, count: wanted, at: next)
      next += wanted
      held += wanted
    }
    return held > at
  }

  /// Whether its line comes before another's: by account and group, then by run.
  func precedes(_ other: RunCursor) -> Bool {
    let order = StatementLine.compare(line, other.line)
    return order == 0 ? run.lowerBound < other.run.lowerBound : order < 0
  }
}

/// Merges sorted runs. Of equal lines, that of the earliest run comes first.
struct LineMerge {
  /// The cursors, in the order of their lines.
  private var cursors: [RunCursor] = []

  fileprivate init(_ cursors: [RunCursor]) throws(Failure) {
    for cursor in cursors { try advance(cursor) }
  }

  /// The next line; nil after the last one.
  var line: StatementLine? { cursors.first?.line }

  /// Goes to the line after the next one.
  mutating func advance() throws(Failure) { try advance(cursors.removeFirst()) }

  /// Advances a cursor and inserts it by its next line, if it has one.
  private mutating func advance(_ cursor: RunCursor) throws(Failure) {
    guard try cursor.advance() else { return }
    var (low, high) = (0, cursors.count)
    while low < high {
      let middle = (low + high) / 2
      if cursors[middle].precedes(cursor) { low = middle + 1 } else { high = middle }
    }
    cursors.insert(cursor, at: low)
  }
}
