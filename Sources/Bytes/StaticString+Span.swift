extension StaticString {
  /// Its bytes. (Unsafe: a static string of more than one character is in memory that never changes or moves.)
  @inlinable
  public var bytes: Span<UInt8> {
    @inline(__always) @_lifetime(immortal) get {
      let bytes = unsafe Span(_unsafeStart: utf8Start, count: utf8CodeUnitCount)
      return unsafe _overrideLifetime(bytes, copying: ())
    }
  }
}
