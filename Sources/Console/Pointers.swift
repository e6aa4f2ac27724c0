import Failures

// What the targets above still call with pointers. It is removed with its last caller.
extension Terminal {
  @unsafe package static func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) {
    try unsafe write(UnsafeBufferPointer(start: bytes, count: count).span)
  }
}
