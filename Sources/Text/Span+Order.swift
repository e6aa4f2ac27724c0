import Bytes

// The order of texts by their bytes.
extension Span<UInt8> {
  /// Whether it comes before another text.
  @inlinable public func precedes(_ other: Span<UInt8>) -> Bool { compare(other) < 0 }

  /// Eight bytes from a place on, as a number that sorts in the same order; missing bytes at the end are zero.
  @inlinable
  public func word(at place: Int) -> UInt64 {
    let missing = place + 8 - count
    if missing <= 0 { return littleEndian(at: place, as: UInt64.self).byteSwapped }
    if missing >= 8 { return 0 }
    if count >= 8 { return word(at: count - 8) << UInt64(8 * missing) }
    var word: UInt64 = 0
    for index in place..<count { word = word << 8 | UInt64(self[index]) }
    return word << UInt64(8 * missing)
  }

  /// Its first sixteen bytes, likewise: they order most texts.
  @inlinable public var prefix: UInt128 { UInt128(word(at: 0)) << 64 | UInt128(word(at: 8)) }
}
