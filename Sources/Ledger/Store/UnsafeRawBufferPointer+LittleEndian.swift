extension UnsafeRawBufferPointer {
  /// The little-endian number at an offset.
  @inline(__always)
  func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
