import Text

extension RecordScanner {
  /// What must follow a line that is scanned in place.
  public static let lineEnd: StaticString = "\n               "

  /// Scans a line, which has no line feed.
  ///
  /// - Returns: the form of the line: the first of `RecordForm` that applies.
  public mutating func scan(_ line: Span<UInt8>, _ placement: LinePlacement = .copied) -> RecordForm {
    reset()
    scanned.set(line, placement)
    let form = scanRecord()
    if hasInnerObjects, form == .object { readInnerObjects() }
    if isTooWide { return .tooWide }
    if highBits != 0 || form == .malformed, !UTF8Text.isValid(self.line) { return .invalidUTF8 }
    return form
  }

  /// The line that was scanned last.
  @inlinable
  public var line: Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get { scanned.text }
  }

  /// The text of a value of the line, as it is written.
  @inlinable
  public subscript(slice: JSONSlice) -> Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get { slice.text(in: line) }
  }

  public var rows: FieldRows {
    @_lifetime(borrow self) get { FieldRows(fields.first(FieldRow.receiver(rowCount))) }
  }
}

extension JSONSlice {
  @inlinable @inline(__always) @_lifetime(copy line)
  public func text(in line: Span<UInt8>) -> Span<UInt8> { line.extracting(Int(start)..<Int(start) + length) }
}
