import Text

/// Where a scanner reads a line.
public struct LinePlacement: Sendable {
  fileprivate let isInPlace: Bool

  /// In a copy that it makes.
  public static let copied = LinePlacement(isInPlace: false)
  /// Where it is. The line must stay there, unchanged, until the next one is scanned. A line feed, alone or after a
  /// carriage return, must follow it, and 16 bytes from it on must be readable.
  @unsafe public static let inPlace = LinePlacement(isInPlace: true)
}

// (Unsafe: the line stays in place until the next one is scanned, in the scanner's own copy or as `inPlace` requires.
// The scanner's memory has as many slots as there are rows.)
extension RecordScanner {
  /// What must follow a line that is scanned in place.
  public static let lineEnd: StaticString = "\n               "

  /// Scans a line, which has no line feed.
  ///
  /// - Returns: the form of the line: the first of `RecordForm` that applies.
  public mutating func scan(_ line: Span<UInt8>, _ placement: LinePlacement = .copied) -> RecordForm {
    if placement.isInPlace {
      return unsafe line.withUnsafeBufferPointer { bytes in
        unsafe scan(from: bytes.baseAddress ?? Self.lineEnd.utf8Start, count: bytes.count)
      }
    }
    copy.removeAll(keeping: 1 << 16)
    copy.append(line)
    copy.append(Self.lineEnd)
    return unsafe scan(from: copy.bytes, count: line.count)
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
