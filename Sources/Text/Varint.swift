/// Numbers of seven bits per byte, the lowest first; a byte's highest bit says whether another one follows (LEB128).
public enum Varint {
  /// The most bytes of a number.
  @inlinable static var longest: Int { 10 }

  /// Writes a number, byte by byte.
  @inlinable @inline(__always)
  public static func write(_ value: UInt64, _ write: (UInt8) -> Void) {
    var rest = value
    while rest > 0x7F {
      write(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    write(UInt8(truncatingIfNeeded: rest))
  }

  /// Reads a number.
  ///
  /// - Parameter next: the next byte, or nil.
  /// - Returns: nil if the bytes end inside the number, or it does not fit into 64 bits.
  @inlinable @inline(__always)
  public static func read<Failure: Error>(_ next: () throws(Failure) -> UInt8?) throws(Failure) -> UInt64? {
    var (value, shift) = (UInt64(0), UInt64(0))
    while let byte = try next() {
      if shift == 63, byte > 1 { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
