import Failures

/// The records of a sorter in order, one by one: a run in memory, or runs merged from a file.
public final class SortedRecords: MergeSource {
  private let run: ExternalSorter.Run
  private var merge: Merge<SortedRun>?
  private let order: RecordOrder
  /// The place of the current record among those in memory.
  private var place = -1

  init(_ run: consuming ExternalSorter.Run, _ order: RecordOrder, _ merge: Merge<SortedRun>? = nil) {
    self.run = run
    (self.merge, self.order) = (merge, order)
  }

  /// Goes to the first or next record; false after the last.
  public func next() throws(Failure) -> Bool {
    place += 1
    guard merge != nil else { return place < run.count }
    if place > 0 { try merge!.advance() }
    return merge!.next != nil
  }

  /// Calls `body` with the current record.
  public func withCurrent<Result, Problem: Error>(
    _ body: (Span<UInt8>) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    guard let (_, run) = merge?.next else { return try run.withRecord(place, body) }
    return try body(run.record.span)
  }

  /// The beginning of the current record's key.
  public var prefix: UInt128 { merge?.next?.source.prefix ?? run.withRecord(place, order.prefix) }

  /// Compares its current record with that of another source.
  public func compare(_ other: SortedRecords) -> Int {
    withCurrent { own in other.withCurrent { others in order.compare(own, others) } }
  }
}

/// A sorted run in a file.
final class SortedRun: MergeSource {
  private let reader: SpoolReader
  private let order: RecordOrder
  private(set) var record: [UInt8] = []
  private(set) var prefix: UInt128 = 0

  init(_ reader: SpoolReader, _ order: RecordOrder) { (self.reader, self.order) = (reader, order) }

  func next() throws(Failure) -> Bool {
    let reader = reader
    guard let length = try reader.read(4)?.littleEndian(at: 0, as: UInt32.self),
      let bytes = try reader.read(Int(length))
    else { return false }
    record.removeAll(keepingCapacity: true)
    record.append(bytes)
    prefix = order.prefix(record.span)
    return true
  }

  func compare(_ other: SortedRun) -> Int {
    let (left, right) = (record, other.record)
    return order.compare(left.span, right.span)
  }
}
