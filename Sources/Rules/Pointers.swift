import Input

// What the targets above still call with pointers. It is removed with its last caller.
extension RecordJudge {
  /// Judges a line of `count` bytes in place.
  @unsafe
  public mutating func judge(_ line: UnsafePointer<UInt8>, count: Int) -> RecordClass {
    unsafe judge(UnsafeBufferPointer(start: line, count: count).span, .inPlace)
  }
}
