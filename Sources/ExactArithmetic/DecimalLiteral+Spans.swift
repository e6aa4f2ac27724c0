// (Unsafe: what these call reads only the bytes of the text.)
extension DecimalLiteral {
  /// Reads a text that must be entirely a literal within the limits.
  ///
  /// The grammar is `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`. An empty text, anything else before, between or
  /// after these parts, and a violated limit give a literal of the form ``Form/malformed``.
  ///
  /// - Parameters:
  ///   - text: The text, ASCII.
  ///   - digitLimit: The maximum number of digits before the exponent mark, including the leading zero of `0.5`.
  ///   - exponentLimit: The largest absolute value of the exponent after the mark. It may be written with any
  ///     number of leading zeros.
  ///
  /// Whatever the limits, a text is malformed if its exponent, or its exponent minus its decimals, does not fit
  /// `Int32`.
  @inlinable @inline(__always)
  public static func scan(_ text: Span<UInt8>, digitLimit: Int, exponentLimit: Int) -> DecimalLiteral {
    unsafe text.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return .malformed }
      return unsafe scan(start, count: bytes.count, digitLimit: digitLimit, exponentLimit: exponentLimit)
    }
  }
}
