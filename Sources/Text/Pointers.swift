// What the targets above still call with pointers; each goes with its last caller.
extension TextBuffer {
  /// The text; it moves when the buffer grows.
  @inlinable @unsafe public var bytes: UnsafeMutablePointer<UInt8> { unsafe base }

  /// Appends `count` bytes.
  @inlinable @inline(__always) @unsafe
  public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {
    unsafe ByteCopy.copy(bytes, count: count, to: reserve(count))
    unsafe advance(by: count)
  }
}

extension CSVRecord {
  /// The fields without quotes; valid until the next line is split.
  @unsafe public var fields: [UnsafeBufferPointer<UInt8>] {
    unsafe places.map { unsafe UnsafeBufferPointer(start: text.bytes + $0.lowerBound, count: $0.count) }
  }
}
