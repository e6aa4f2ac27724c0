// What the targets above still call with pointers; it goes with its last caller.
extension RecordJudge {
  /// Judges a line of `count` bytes, as `judge(_:)` does.
  @unsafe
  public mutating func judge(_ line: UnsafePointer<UInt8>, count: Int) -> RecordClass {
    judge(unsafe UnsafeBufferPointer(start: line, count: count).span)
  }
}
