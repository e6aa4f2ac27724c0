// What the targets above still call with pointers. Each is removed with its last caller.
extension Statement {
  @unsafe package func bind(_ bytes: UnsafeRawBufferPointer, at place: Int32, isText: Bool = false) {
    unsafe bind(bytes.assumingMemoryBound(to: UInt8.self).span, at: place, isText: isText)
  }

  @unsafe package func rawBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    unsafe bytes(column).withUnsafeBytes { unsafe $0 }
  }
}
