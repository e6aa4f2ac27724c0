// What the targets above still call with pointers. Each is removed with its last caller.

extension PayKey {
  /// Whether `count` bytes are a pay key.
  @unsafe public static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    unsafe isValid(UnsafeBufferPointer(start: bytes, count: count).span)
  }
}

extension Timestamp {
  /// Whether `count` bytes are an RFC 3339 date-time.
  @unsafe public static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    unsafe isValid(UnsafeBufferPointer(start: bytes, count: count).span)
  }
}

extension Account {
  /// Checks the account of `count` bytes and writes its canonical form.
  @unsafe public static func canonicalize(
    _ bytes: UnsafePointer<UInt8>, count: Int, into canonical: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    var text = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    let isAccount = canonicalize(&text)
    for place in text.indices { unsafe canonical[place] = text[place] }
    return isAccount
  }
}
