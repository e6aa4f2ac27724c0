import BatchRun
import Glibc

/// Puts lines in order of their accounts, those of an account as they came, with bounded memory: sorted runs go to a
/// file without a name, and are merged from there.
///
/// Memory: the lines of a run and 24 bytes for each; then the merge's pieces, which are `pieceMemory` together until there
/// are so many runs that the shortest pieces take more, a two-thousandth of the file.
final class LineSorter {
  /// Where a line of the run stands, and what it sorts by.
  private struct Place {
    let words: AccountWords
    let offset: UInt32
  }

  /// A sorted run in the file.
  struct Run {
    let start: Int
    let count: Int
  }

  private let spool: SpoolFile
  private let runLength: Int
  private let pieceMemory: Int
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 16
  private var count = 0
  private var places: [Place] = []
  private var runs: [Run] = []

  /// - Parameters:
  ///   - spool: an empty file.
  ///   - runLength: the bytes of lines that are sorted in memory.
  ///   - pieceMemory: the bytes that the merge reads ahead, of all runs together.
  init(_ spool: SpoolFile, runLength: Int = 32 << 20, pieceMemory: Int = 16 << 20) {
    precondition(runLength >= StatementLine.maximumLength && runLength < Int(UInt32.max))
    self.spool = spool
    self.runLength = runLength
    self.pieceMemory = pieceMemory
    buffer = .allocate(capacity: capacity)
  }

  deinit { buffer.deallocate() }

  /// Takes lines, each whole.
  func take(_ bytes: UnsafePointer<UInt8>, count lineBytes: Int) throws(RunFailure) {
    var at = 0
    while at < lineBytes {
      let line = StatementLine(start: bytes + at)
      if count + line.length > runLength { try endRun() }
      if count + line.length > capacity { grow(to: count + line.length) }
      memcpy(buffer + count, bytes + at, line.length)
      places.append(Place(words: line.accountWords, offset: UInt32(count)))
      count += line.length
      at += line.length
    }
  }

  private func grow(to needed: Int) {
    capacity = min(runLength, max(2 * capacity, needed))
    let wider = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    memcpy(wider, buffer, count)
    buffer.deallocate()
    buffer = wider
  }

  /// Sorts the run and writes it to the file.
  private func endRun() throws(RunFailure) {
    guard count > 0 else { return }
    let buffer = buffer
    places.sort { left, right in
      if left.words != right.words { return left.words < right.words }
      let order = StatementLine.compareAccounts(
        StatementLine(start: buffer + Int(left.offset)), StatementLine(start: buffer + Int(right.offset)))
      return order == 0 ? left.offset < right.offset : order < 0
    }
    let start = spool.count
    for place in places {
      let line = StatementLine(start: buffer + Int(place.offset))
      try spool.append(line.start, count: line.length)
    }
    try spool.flush()
    runs.append(Run(start: start, count: count))
    places.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Ends the taking, and gives the lines in order.
  func finish() throws(RunFailure) -> LineMerge {
    try endRun()
    buffer.deallocate()
    capacity = 1
    buffer = .allocate(capacity: capacity)
    places = []
    let piece = min(1 << 20, max(StatementLine.maximumLength, pieceMemory / max(1, runs.count)))
    return try LineMerge(runs.map { RunCursor(spool, run: $0, pieceLength: piece) })
  }
}

/// Reads one sorted run, piece by piece.
final class RunCursor {
  private let spool: SpoolFile
  private var next: Int
  private let end: Int
  private let piece: UnsafeMutablePointer<UInt8>
  private let pieceLength: Int
  private var at = 0
  private var held = 0
  /// How the account of the line it stands at begins.
  private(set) var words = AccountWords(first: 0, second: 0)

  init(_ spool: SpoolFile, run: LineSorter.Run, pieceLength: Int) {
    precondition(pieceLength >= StatementLine.maximumLength)
    self.spool = spool
    next = run.start
    end = run.start + run.count
    self.pieceLength = pieceLength
    piece = .allocate(capacity: pieceLength)
  }

  deinit { piece.deallocate() }

  /// The line it stands at; good until `advance`.
  var line: StatementLine { StatementLine(start: piece + at) }

  /// Goes to the first line, or to the one behind this; false where the run has ended.
  func advance() throws(RunFailure) -> Bool {
    if held > 0 { at += line.length }
    if held - at < StatementLine.headLength || held - at < line.length {
      memmove(piece, piece + at, held - at)
      held -= at
      at = 0
      let wanted = min(pieceLength - held, end - next)
      try spool.read(piece + held, count: wanted, at: next)
      next += wanted
      held += wanted
    }
    guard held > at else { return false }
    words = line.accountWords
    return true
  }
}

/// Merges sorted runs: gives the line that comes first of all, and of the same account the one of the earliest run.
struct LineMerge {
  /// A heap: what stands at a place comes before what stands at twice the place and one or two more.
  private var heap: [Int] = []
  private let cursors: [RunCursor]

  fileprivate init(_ cursors: [RunCursor]) throws(RunFailure) {
    self.cursors = cursors
    for index in cursors.indices {
      if try cursors[index].advance() { heap.append(index) }
    }
    for place in heap.indices.reversed() { siftDown(place) }
  }

  /// The next line; nil where all were given.
  var line: StatementLine? { heap.first.map { cursors[$0].line } }

  /// Goes to the line behind the next one.
  mutating func advance() throws(RunFailure) {
    if try !cursors[heap[0]].advance() {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    if heap.count > 1 { siftDown(0) }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    if cursors[left].words != cursors[right].words { return cursors[left].words < cursors[right].words }
    let order = StatementLine.compareAccounts(cursors[left].line, cursors[right].line)
    return order == 0 ? left < right : order < 0
  }

  private mutating func siftDown(_ start: Int) {
    var place = start
    while true {
      var first = place
      for child in 2 * place + 1...2 * place + 2 where child < heap.count {
        if precedes(heap[child], heap[first]) { first = child }
      }
      if first == place { return }
      heap.swapAt(place, first)
      place = first
    }
  }
}
