import Glibc

/// A text of a record, valid until the next record is judged. No bytes are copied.
public struct RecordText: Hashable {
  /// The first byte; readable if the text is not empty.
  public let bytes: UnsafePointer<UInt8>
  /// The length in bytes.
  public internal(set) var count: Int

  /// Its bytes.
  @inlinable public var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }

  /// Whether both have the same bytes.
  @inline(__always)
  public static func == (left: RecordText, right: RecordText) -> Bool {
    left.count == right.count && memcmp(left.bytes, right.bytes, left.count) == 0
  }

  /// Feeds the bytes into a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(buffer)) }
}
