import BatchRun
import Failures
import FileSystem
import Glibc
import Text

/// The order of rows: by the bytes of the first field, then by those after it.
enum RowOrder {
  /// The length of a row's first field.
  @inline(__always)
  static func keyLength(_ row: UnsafeBufferPointer<UInt8>) -> Int {
    guard let start = row.baseAddress, let comma = memchr(start, 0x2C, row.count) else { return row.count }
    return UnsafeRawPointer(comma) - UnsafeRawPointer(start)
  }

  @inline(__always)
  private static func compare(
    _ left: UnsafePointer<UInt8>, _ leftCount: Int, _ right: UnsafePointer<UInt8>, _ rightCount: Int
  ) -> Int {
    let common = memcmp(left, right, min(leftCount, rightCount))
    return common != 0 ? Int(common) : leftCount - rightCount
  }

  /// Below zero if `left` comes first.
  @inline(__always)
  static func compare(_ left: SortedRow, _ right: SortedRow) -> Int {
    let keys = compare(left.bytes, left.keyLength, right.bytes, right.keyLength)
    if keys != 0 { return keys }
    return compare(
      left.bytes + left.keyLength, left.count - left.keyLength, right.bytes + right.keyLength,
      right.count - right.keyLength)
  }
}

/// A row without its line feed, valid until the next one of its file.
struct SortedRow {
  let bytes: UnsafePointer<UInt8>
  let count: Int
  /// The length of its first field.
  let keyLength: Int

  init?(_ row: UnsafeBufferPointer<UInt8>?) {
    guard let row, let bytes = row.baseAddress else { return nil }
    self.bytes = bytes
    count = row.count
    keyLength = RowOrder.keyLength(row)
  }

  var key: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: keyLength) }
  /// The fields after the first, with the comma before them.
  var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes + keyLength, count: count - keyLength) }

  func hasKey(of other: SortedRow) -> Bool {
    keyLength == other.keyLength && memcmp(bytes, other.bytes, keyLength) == 0
  }

  var fields: [ArraySlice<UInt8>] {
    Array(UnsafeBufferPointer(start: bytes, count: count)).split(separator: 0x2C, omittingEmptySubsequences: false)
  }
}

/// Merges the rows of several sources, each of which is in order.
struct RowMerge {
  /// The next row of a source, and the source's index.
  private struct Head {
    let source: Int
    let row: SortedRow
    /// The key's first bytes, which order most rows.
    let prefix: UInt64

    init?(_ row: UnsafeBufferPointer<UInt8>?, source: Int) {
      guard let row = SortedRow(row) else { return nil }
      self.source = source
      self.row = row
      var prefix = UInt64(0)
      memcpy(&prefix, row.bytes, min(8, row.keyLength))
      self.prefix = UInt64(bigEndian: prefix)
    }

    @inline(__always)
    func precedes(_ other: Head) -> Bool {
      if prefix != other.prefix { return prefix < other.prefix }
      let order = RowOrder.compare(row, other.row)
      return order == 0 ? source < other.source : order < 0
    }
  }

  private let sources: [LineReader]
  /// The next row of each source, as a heap with the first row on top.
  private var heap: [Head]

  init(_ sources: [LineReader]) throws(Failure) {
    self.sources = sources
    var heads: [Head] = []
    for (place, source) in sources.enumerated() {
      if let head = Head(try source.line(), source: place) { heads.append(head) }
    }
    heap = heads.sorted { $0.precedes($1) }
  }

  /// The next row, and the index of its source; nil at the end. Valid until `advance`.
  var first: (row: SortedRow, source: Int)? { heap.first.map { ($0.row, $0.source) } }

  /// Goes on to the next row.
  mutating func advance() throws(Failure) {
    let source = heap[0].source
    guard let head = try Head(sources[source].line(), source: source) ?? heap.popLast(), !heap.isEmpty else { return }
    var place = 0
    while 2 * place + 1 < heap.count {
      var child = 2 * place + 1
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(head) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = head
  }
}

/// Sorts rows that may not fit into memory.
final class RowSorter {
  private static let runLength = 16 << 20
  private let scratch: String
  private var text = TextBuffer(capacity: 1 << 12)
  private var rows: [(start: Int, count: Int)] = []
  private var runs: [SpoolFile] = []

  /// - Parameter scratch: the path next to which files without a name are made.
  init(scratch: String) { self.scratch = scratch }

  /// Takes a row, which `write` appends without a line feed.
  func append(_ write: (inout TextBuffer) -> Void) throws(Failure) {
    let start = text.count
    write(&text)
    rows.append((start, text.count - start))
    if text.count >= Self.runLength { try spill() }
  }

  private func sorted() -> [SortedRow] {
    rows.compactMap { SortedRow(UnsafeBufferPointer(start: text.bytes + $0.start, count: $0.count)) }
      .sorted { RowOrder.compare($0, $1) < 0 }
  }

  private func spill() throws(Failure) {
    let spool = try SpoolFile(beside: scratch)
    for row in sorted() {
      try spool.append(row.bytes, count: row.count)
      try spool.append([0x0A], count: 1)
    }
    runs.append(spool)
    rows.removeAll()
    text.removeAll(keeping: Self.runLength)
  }

  /// Visits the rows in order; each is valid until the next one.
  func forEach(_ body: (SortedRow) throws(Failure) -> Void) throws(Failure) {
    guard !runs.isEmpty else {
      for row in sorted() { try body(row) }
      return
    }
    try spill()
    var merge = try RowMerge(runs.map { SpoolReader($0) })
    while let (row, _) = merge.first {
      try body(row)
      try merge.advance()
    }
  }
}
