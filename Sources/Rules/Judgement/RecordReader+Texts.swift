import Input
import Text

extension RecordReader {
  /// The bytes of a text of the current record.
  ///
  /// (Unsafe: the scanner gives places within the line, and copies are only appended to until the next record. Checking that
  /// again, twice for each field, would take a fortieth of a payment's instructions.)
  @inlinable
  subscript(text: RecordText) -> Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get {
      let all = text.isCopy ? copies.span : scanner.line
      assert(text.start + text.count <= all.count)
      return unsafe all.extracting(unchecked: Range(uncheckedBounds: (text.start, text.start &+ text.count)))
    }
  }

  /// The bytes of a value of the line, which is not escaped.
  subscript(unescaped slice: JSONSlice) -> Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get {
      let line = scanner.line
      let start = Int(slice.start)
      assert(start + slice.length <= line.count)
      return unsafe line.extracting(unchecked: Range(uncheckedBounds: (start, start &+ slice.length)))
    }
  }

  /// Appends a part of the line, whose place the scanner gave.
  @inline(__always)
  static func append(_ part: Range<Int>, of scanner: borrowing RecordScanner, to copies: inout TextBuffer) {
    assert(part.upperBound <= scanner.line.count)
    copies.append(unsafe scanner.line.extracting(unchecked: part))
  }
}
