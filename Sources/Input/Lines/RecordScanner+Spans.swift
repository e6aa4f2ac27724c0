// (Unsafe: the line stays in place until the next one is scanned, as `scan` requires; the scanner's memory has as many slots as
// there are rows.)
extension RecordScanner {
  /// What must follow a line that is scanned.
  public static let lineEnd: StaticString = "\n               "

  /// Scans a line.
  ///
  /// - Precondition: the line stays in place, unchanged, until the next one is scanned. A line feed, alone or after a
  ///   carriage return, follows it, and 16 bytes from it on are readable; the line itself has no line feed.
  /// - Returns: the form of the line: the first of `RecordForm` that applies.
  public mutating func scan(_ line: Span<UInt8>) -> RecordForm {
    unsafe line.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return unsafe scan(from: Self.lineEnd.utf8Start, count: 0) }
      return unsafe scan(from: start, count: bytes.count)
    }
  }

  /// The line that was scanned last.
  @inlinable
  public var line: Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get {
      let line = unsafe Span(_unsafeStart: lineStart, count: lineCount)
      return unsafe _overrideLifetime(line, borrowing: self)
    }
  }

  /// The text of a value of the line, as it is written.
  @inlinable
  public subscript(slice: JSONSlice) -> Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get { slice.text(in: line) }
  }

  /// The current rows of fields.
  public var rows: FieldRows {
    @_lifetime(borrow self) get {
      let slots = unsafe Span(_unsafeStart: fields, count: FieldRow.receiver(rowCount))
      return unsafe _overrideLifetime(FieldRows(slots), borrowing: self)
    }
  }
}

extension JSONSlice {
  /// The text of the value, in the line in which it is.
  @inlinable @inline(__always) @_lifetime(copy line)
  public func text(in line: Span<UInt8>) -> Span<UInt8> { line.extracting(Int(start)..<Int(start) + length) }
}
