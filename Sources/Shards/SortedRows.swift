import Failures
import FileSystem
import Text

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
    keyLength = row.firstIndex(of: UInt8(ascii: ",")) ?? count
  }

  var key: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: keyLength) }
  /// The fields after the first, with the comma before them.
  var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes + keyLength, count: count - keyLength) }

  func hasKey(of other: SortedRow) -> Bool { key.span.compare(other.key.span) == 0 }

  /// Compares two rows by the bytes of the first field, then by those after it.
  func compare(_ other: SortedRow) -> Int {
    let keys = key.span.compare(other.key.span)
    return keys == 0 ? rest.span.compare(other.rest.span) : keys
  }

  var fields: [ArraySlice<UInt8>] {
    Array(UnsafeBufferPointer(start: bytes, count: count)).split(separator: 0x2C, omittingEmptySubsequences: false)
  }
}

extension ExternalSorter {
  /// Sorts rows.
  ///
  /// - Parameter scratch: the path next to which a file without a name is made.
  convenience init(ofRows scratch: String) {
    let order = RecordOrder { row in
      row.withUnsafeBufferPointer { SortedRow($0)!.key.span.prefix }
    } compare: { left, right in
      left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { right in SortedRow(left)!.compare(SortedRow(right)!) }
      }
    }
    self.init(order, runLength: 16 << 20) { () throws(Failure) in try SpoolFile(beside: scratch) }
  }
}

/// Reads rows that are in order.
final class SortedRows: MergeSource {
  private let reader: LineReader
  private var current: SortedRow?
  private(set) var prefix: UInt128 = 0

  init(_ reader: LineReader) { self.reader = reader }

  /// The current row.
  var row: SortedRow { current! }

  func next() throws(Failure) -> Bool {
    current = SortedRow(try reader.rawLine())
    guard let current else { return false }
    prefix = current.key.span.prefix
    return true
  }

  func compare(_ other: SortedRows) -> Int { row.compare(other.row) }
}
