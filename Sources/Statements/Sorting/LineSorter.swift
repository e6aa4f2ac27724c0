import FileSystem
import Glibc
import Text

/// Puts lines in order of their accounts and groups, those of a group as they came, with bounded memory: sorted runs go to a
/// file without a name, and are merged from there.
///
/// Memory: the lines of a run and 32 bytes for each; then the merge's pieces, which are `pieceMemory` together until there
/// are so many runs that the shortest pieces take more, a two-thousandth of the file.
final class LineSorter {
  /// Where a line of the run stands, and how its account begins.
  private struct Place {
    let prefix: UInt128
    let offset: Int
  }

  private let spool: SpoolFile
  private let runLength: Int
  private let pieceMemory: Int
  @exclusivity(unchecked) private var lines = TextBuffer(capacity: 1 << 16)
  private var places: [Place] = []
  /// Where the sorted runs stand in the file.
  private var runs: [Range<Int>] = []

  /// - Parameters:
  ///   - spool: an empty file.
  ///   - runLength: the bytes of lines that are sorted in memory.
  ///   - pieceMemory: the bytes that the merge reads ahead, of all runs together.
  init(_ spool: SpoolFile, runLength: Int = 32 << 20, pieceMemory: Int = 16 << 20) {
    self.spool = spool
    self.runLength = runLength
    self.pieceMemory = pieceMemory
  }

  /// Takes lines, each whole.
  func take(_ bytes: UnsafePointer<UInt8>, count: Int) throws(FileFailure) {
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
  private func endRun() throws(FileFailure) {
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

  /// Ends the taking, and gives the lines in order.
  func finish() throws(FileFailure) -> LineMerge {
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

  /// The line it stands at; good until `advance`.
  var line: StatementLine { StatementLine(start: piece + at) }

  /// Goes to the first line, or to the one after this; false if the run has ended.
  func advance() throws(FileFailure) -> Bool {
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

  /// Whether its line comes before another's: by the account, of the same account that of the earlier run.
  func precedes(_ other: RunCursor) -> Bool {
    let order = StatementLine.compare(line, other.line)
    return order == 0 ? run.lowerBound < other.run.lowerBound : order < 0
  }
}

/// Merges sorted runs: gives the line that comes first of all, and of the same account the one of the earliest run.
struct LineMerge {
  /// In the order of their lines.
  private var cursors: [RunCursor] = []

  fileprivate init(_ cursors: [RunCursor]) throws(FileFailure) {
    for cursor in cursors { try advance(cursor) }
  }

  /// The next line; nil if all were given.
  var line: StatementLine? { cursors.first?.line }

  /// Goes to the line after the next one.
  mutating func advance() throws(FileFailure) { try advance(cursors.removeFirst()) }

  /// Puts a cursor where its next line belongs, if it has one.
  private mutating func advance(_ cursor: RunCursor) throws(FileFailure) {
    guard try cursor.advance() else { return }
    var (low, high) = (0, cursors.count)
    while low < high {
      let middle = (low + high) / 2
      if cursors[middle].precedes(cursor) { low = middle + 1 } else { high = middle }
    }
    cursors.insert(cursor, at: low)
  }
}
