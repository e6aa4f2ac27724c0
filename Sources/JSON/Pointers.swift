import Text

// What the targets above still call with pointers. Each is removed with its last caller.

extension JSONText {
  /// Appends a string of `count` bytes in quotes.
  @unsafe public static func append(_ bytes: UnsafePointer<UInt8>, count: Int, to text: inout TextBuffer) {
    unsafe append(UnsafeBufferPointer(start: bytes, count: count).span, to: &text)
  }
}
