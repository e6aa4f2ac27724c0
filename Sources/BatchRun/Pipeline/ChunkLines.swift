/// The lines of a chunk: one that began earlier, those entirely within it, and one that ends later.
extension ChunkWork {
  /// Finds the end of the first line, which may have begun in an earlier chunk.
  package func findFirstLineEnd() {
    let chunk = chunk
    lineCount = 0
    let end = chunk.span.place(of: 0x0A)
    hasLineEnd = end != nil
    headEnd = end.map { $0 + 1 } ?? chunk.count
    tailStart = chunk.count
  }

  /// Visits the lines that are entirely within the chunk and not empty; call `findFirstLineEnd` first.
  ///
  /// - Parameter body: receives a line's offset and its length without its ending; `lineCount` is then its number.
  @inline(__always)
  package func visitLines<Failure: Error>(_ body: (_ line: Int, _ length: Int) throws(Failure) -> Void) throws(Failure)
  {
    guard hasLineEnd else { return }
    let chunk = chunk
    let text = chunk.span
    var line = headEnd
    while let end = text.place(of: 0x0A, from: line) {
      var length = end - line
      if length > 0, text[end - 1] == 0x0D { length -= 1 }
      if length > 0,
        text[line] == UInt8(ascii: "{") || !CarriedLine.isBlank(text.extracting(line..<line + length))
      {
        try body(line, length)
      }
      lineCount += 1
      line = end + 1
    }
    tailStart = line
  }
}
