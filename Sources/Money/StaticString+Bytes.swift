extension StaticString {
  /// A byte of a table that is written as a string. (Unsafe: the place is checked, and the string never moves.)
  @inlinable @inline(__always)
  func byte(at place: Int) -> UInt8 {
    precondition(place >= 0 && place < utf8CodeUnitCount)
    return unsafe utf8Start[place]
  }
}
