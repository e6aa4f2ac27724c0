// What the targets above still call with pointers. Each is removed with its last caller.

extension Currency {
  /// The currency with exactly this code, in capital letters, or nil.
  @unsafe public static func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Currency? { unsafe find(bytes.span) }
}

extension Country {
  /// The country with exactly this code, in capital letters, or nil.
  @unsafe public static func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Country? { unsafe find(bytes.span) }
}
