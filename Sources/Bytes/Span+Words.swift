// Several bytes of a text at once. Each traps if the text ends before.
//
// (Unsafe: the place is checked, and any bytes are a number.)
extension Span<UInt8> {
  /// The number whose bytes begin at a place, the lowest one first.
  @inlinable @inline(__always)
  public func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int, as number: Number.Type) -> Number
  {
    unsafe Number(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: number))
  }

  @inlinable @inline(__always)
  public func sixteenBytes(at place: Int) -> SIMD16<UInt8> {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
  }

  /// The bytes from a place to the end, of which there are 1 to 8, in overlapping parts: not a loop, whose end is hard to
  /// predict. Those missing are zero.
  @inlinable @inline(__always)
  public func shortWord(from start: Int) -> UInt64 {
    let count = self.count &- start
    precondition(start >= 0 && UInt(bitPattern: count &- 1) < 8)
    let bytes = unsafe bytes
    if count >= 4 {
      let last = self.count &- 4
      let first = unsafe UInt32(
        littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt32.self))
      let end = unsafe UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: last, as: UInt32.self))
      return UInt64(first) | UInt64(end) &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8)
    }
    let (middle, last) = (count &>> 1, count &- 1)
    return unsafe UInt64(self[unchecked: start])
      | UInt64(self[unchecked: start &+ middle]) &<< UInt64(truncatingIfNeeded: middle &* 8)
      | UInt64(self[unchecked: start &+ last]) &<< UInt64(truncatingIfNeeded: last &* 8)
  }
}

extension MutableSpan<UInt8> {
  @inlinable @inline(__always) @_lifetime(self: copy self)
  public mutating func setSixteenBytes(at place: Int, to bytes: SIMD16<UInt8>) {
    var all = unsafe mutableBytes
    all.storeBytes(of: bytes, toByteOffset: place, as: SIMD16<UInt8>.self)
  }

  /// Replaces the bytes from a place on by those of a text.
  @_lifetime(self: copy self)
  public mutating func copy(_ text: Span<UInt8>, to place: Int) {
    precondition(place >= 0 && place <= count && text.count <= count - place)
    unsafe withUnsafeMutableBytes { room in
      unsafe text.withUnsafeBytes { text in
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[place...]).copyMemory(from: text)
      }
    }
  }
}

extension MutableSpan {
  /// A part, to change it. (Swift's own name for this is not final.)
  @inlinable @_lifetime(&self)
  public mutating func part(_ range: Range<Int>) -> MutableSpan<Element> { _mutatingExtracting(range) }
}
