// What the targets above still call with pointers. Each is removed with its last caller.
extension SHA256 {
  @unsafe public mutating func update(_ bytes: UnsafePointer<UInt8>, count: Int) {
    unsafe update(UnsafeBufferPointer(start: bytes, count: count).span)
  }

  @unsafe public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe update(bytes.assumingMemoryBound(to: UInt8.self).span)
  }

  @unsafe public static func authenticationCode(of bytes: UnsafePointer<UInt8>, count: Int, key: [UInt8]) -> Digest {
    unsafe authenticationCode(of: UnsafeBufferPointer(start: bytes, count: count).span, key: key)
  }
}
