import Failures
import Text

/// An order of records of bytes.
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
  /// A record of the run in memory.
  private struct Place {
    let prefix: UInt128
    let start: UInt32
    let count: UInt32

    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  private static let leastPiece = 1 << 14
  private let order: RecordOrder
  private let runLength: Int
  private let pieceMemory: Int
  private let makeSpool: () throws(Failure) -> SpoolFile
  private var spool: SpoolFile?
  @exclusivity(unchecked) private var records = TextBuffer(capacity: 1 << 12)
  @exclusivity(unchecked) private var places: [Place] = []
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

  /// The records of the run in memory.
  private var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: records.bytes, count: records.count) }

  /// Takes a record.
  public func append(_ record: Span<UInt8>) throws(Failure) {
    try append { text in
      record.withUnsafeBufferPointer { if let start = $0.baseAddress { text.append(start, count: $0.count) } }
    }
  }

  /// Takes the record that `write` appends.
  public func append(_ write: (inout TextBuffer) -> Void) throws(Failure) {
    let start = records.count
    write(&records)
    let prefix = order.prefix(bytes.span.extracting(start..<records.count))
    places.append(Place(prefix: prefix, start: UInt32(start), count: UInt32(records.count - start)))
    if records.count >= runLength { try endRun() }
  }

  private func sort() {
    let records = bytes.span
    places.sort { left, right in
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      let order = order.compare(records.extracting(left.range), records.extracting(right.range))
      return order == 0 ? left.start < right.start : order < 0
    }
  }

  /// Sorts the run and writes it to the file: each record after its length.
  private func endRun() throws(Failure) {
    guard !places.isEmpty else { return }
    sort()
    let file = if let spool { spool } else { try makeSpool() }
    spool = file
    let start = file.count
    for place in places {
      try file.append(place.count)
      try file.append(bytes.span.extracting(place.range))
    }
    try file.flush()
    runs.append(start..<file.count)
    places.removeAll(keepingCapacity: true)
    records.removeAll(keeping: runLength)
  }

  /// Passes on all records in order, and forgets them.
  public func forEach(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    guard let spool else {
      sort()
      for place in places { try body(bytes.span.extracting(place.range)) }
      return
    }
    try endRun()
    records.removeAll(keeping: 0)
    places = []
    let piece = min(1 << 20, max(Self.leastPiece, pieceMemory / runs.count))
    var merge = try Merge(runs.map { SortedRun(SpoolReader(spool, $0, pieceLength: piece), order) })
    while let (_, run) = merge.next {
      try body(run.record.span)
      try merge.advance()
    }
  }
}

/// Reads one sorted run.
private final class SortedRun: MergeSource {
  private let reader: SpoolReader
  private let order: RecordOrder
  /// The current record.
  @exclusivity(unchecked) private(set) var record: [UInt8] = []
  private(set) var prefix: UInt128 = 0

  init(_ reader: SpoolReader, _ order: RecordOrder) { (self.reader, self.order) = (reader, order) }

  func next() throws(Failure) -> Bool {
    guard let length = try reader.read(4)?.loadUnaligned(as: UInt32.self), let bytes = try reader.read(Int(length))
    else { return false }
    record.removeAll(keepingCapacity: true)
    record.append(contentsOf: bytes)
    prefix = order.prefix(record.span)
    return true
  }

  func compare(_ other: SortedRun) -> Int {
    let (left, right) = (record, other.record)
    return order.compare(left.span, right.span)
  }
}
