import Failures
import Text

public struct RecordOrder: Sendable {
  let prefix: @Sendable (Span<UInt8>) -> UInt128
  let compare: @Sendable (Span<UInt8>, Span<UInt8>) -> Int

  /// - Parameters:
  ///   - prefix: the beginning of a record's key, as a number that sorts in the same order.
  ///   - compare: compares records with equal prefixes: below zero if the first one comes first, 0 if neither does.
  public init(
    prefix: @escaping @Sendable (Span<UInt8>) -> UInt128,
    compare: @escaping @Sendable (Span<UInt8>, Span<UInt8>) -> Int
  ) {
    (self.prefix, self.compare) = (prefix, compare)
  }
}

/// Sorts records that may not fit into memory, stably: sorted runs go to a file without a name, and are merged from
/// there.
///
/// Memory: the bytes of a run and 32 for each of its records; then the pieces of the merge.
public final class ExternalSorter {
  /// The records of a run in memory.
  struct Run: ~Copyable {
    private struct Place {
      let prefix: UInt128
      let start: UInt32
      let count: UInt32

      var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
    }

    private var text = TextBuffer(capacity: 1 << 12)
    private var places: [Place] = []

    var isEmpty: Bool { places.isEmpty }
    var byteCount: Int { text.count }

    mutating func append(_ order: RecordOrder, _ write: (inout TextBuffer) -> Void) {
      let start = text.count
      write(&text)
      let prefix = order.prefix(text.span.extracting(start..<text.count))
      places.append(Place(prefix: prefix, start: UInt32(start), count: UInt32(text.count - start)))
    }

    mutating func sort(_ order: RecordOrder) {
      var sorted: [Place] = []
      swap(&sorted, &places)
      Self.sort(&sorted, of: text.span, order)
      swap(&sorted, &places)
    }

    private static func sort(_ places: inout [Place], of text: Span<UInt8>, _ order: RecordOrder) {
      places.sort { left, right in
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        let order = order.compare(text.extracting(left.range), text.extracting(right.range))
        return order == 0 ? left.start < right.start : order < 0
      }
    }

    var count: Int { places.count }

    /// Calls `body` with a record, by its place in order.
    func withRecord<Result, Problem: Error>(
      _ place: Int, _ body: (Span<UInt8>) throws(Problem) -> Result
    ) throws(Problem) -> Result {
      try body(text.span.extracting(places[place].range))
    }

    mutating func removeAll(keeping capacity: Int) {
      text.removeAll(keeping: capacity)
      places.removeAll(keepingCapacity: capacity > 0)
    }
  }

  private static let leastPiece = 1 << 14
  private let order: RecordOrder
  private let runLength: Int
  private let pieceMemory: Int
  private let makeSpool: () throws(Failure) -> SpoolFile
  private var spool: SpoolFile?
  private var run = Run()
  /// The ranges of the sorted runs in the file.
  private var runs: [Range<Int>] = []

  /// - Parameters:
  ///   - runLength: the bytes that are sorted in memory, at most a gigabyte.
  ///   - pieceMemory: the bytes that the merge reads ahead, for all runs together; with very many runs it takes more.
  ///   - makeSpool: makes an empty file, once the records no longer fit into memory.
  public init(
    _ order: RecordOrder, runLength: Int, pieceMemory: Int = 16 << 20,
    makeSpool: @escaping () throws(Failure) -> SpoolFile
  ) {
    (self.order, self.runLength, self.pieceMemory, self.makeSpool) = (order, runLength, pieceMemory, makeSpool)
  }

  /// Takes a record.
  public func append(_ record: Span<UInt8>) throws(Failure) {
    try append { $0.append(record) }
  }

  /// Takes the record that `write` appends.
  public func append(_ write: (inout TextBuffer) -> Void) throws(Failure) {
    run.append(order, write)
    if run.byteCount >= runLength { try endRun() }
  }

  /// Sorts the run and writes it to the file: each record after its length.
  private func endRun() throws(Failure) {
    guard !run.isEmpty else { return }
    run.sort(order)
    let file = if let spool { spool } else { try makeSpool() }
    spool = file
    let start = file.count
    for place in 0..<run.count {
      try run.withRecord(place) { record throws(Failure) in
        try file.append(UInt32(record.count))
        try file.append(record)
      }
    }
    try file.flush()
    runs.append(start..<file.count)
    run.removeAll(keeping: runLength)
  }

  /// Passes on all records in order; call it once.
  public func forEach(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    let records = try sorted()
    while try records.next() { try records.withCurrent(body) }
  }

  /// All records in order, one by one; call it once.
  public func sorted() throws(Failure) -> SortedRecords {
    var last = Run()
    guard let spool else {
      run.sort(order)
      swap(&last, &run)
      return SortedRecords(last, order)
    }
    try endRun()
    run.removeAll(keeping: 0)
    let piece = min(1 << 20, max(Self.leastPiece, pieceMemory / runs.count))
    return SortedRecords(
      last, order, try Merge(runs.map { SortedRun(SpoolReader(spool, $0, pieceLength: piece), order) }))
  }
}
