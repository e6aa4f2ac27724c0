import Failures
import FileSystem

/// A row without its line feed.
struct SortedRow: ~Escapable {
  let text: Span<UInt8>
  /// The length of its first field.
  let keyLength: Int

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
    keyLength = text.place(of: UInt8(ascii: ",")) ?? text.count
  }

  /// Its first field.
  var key: Span<UInt8> { @_lifetime(copy self) get { text.extracting(first: keyLength) } }

  /// Compares two rows by the bytes of the first field, then by those after it.
  func compare(_ other: SortedRow) -> Int {
    let keys = key.compare(other.key)
    return keys == 0
      ? text.extracting(droppingFirst: keyLength).compare(other.text.extracting(droppingFirst: other.keyLength)) : keys
  }

  var fields: [ArraySlice<UInt8>] {
    [UInt8](text).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
  }
}

extension ExternalSorter {
  /// Sorts rows.
  ///
  /// - Parameter scratch: the path next to which a file without a name is made.
  convenience init(ofRows scratch: String) {
    let order = RecordOrder { row in
      SortedRow(row).key.prefix
    } compare: { left, right in
      SortedRow(left).compare(SortedRow(right))
    }
    self.init(order, runLength: 16 << 20) { () throws(Failure) in try SpoolFile(beside: scratch) }
  }
}

/// Reads rows that are in order.
final class SortedRows: MergeSource {
  private let reader: LineReader
  private(set) var prefix: UInt128 = 0

  init(_ reader: LineReader) { self.reader = reader }

  /// Calls `body` with the current row.
  func withRow<Result>(_ body: (SortedRow) -> Result) -> Result {
    let reader = reader
    return body(SortedRow(reader.current))
  }

  func next() throws(Failure) -> Bool {
    let reader = reader
    guard let line = try reader.line() else { return false }
    prefix = SortedRow(line).key.prefix
    return true
  }

  func compare(_ other: SortedRows) -> Int {
    let (left, right) = (reader, other.reader)
    return SortedRow(left.current).compare(SortedRow(right.current))
  }
}
