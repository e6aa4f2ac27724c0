import Glibc

/// The lines of a chunk: one that began earlier, those entirely within it, and one that ends later.
extension ChunkWork {
  /// Finds the end of the first line, which may have begun in an earlier chunk.
  package func findFirstLineEnd() {
    lineCount = 0
    let text = chunk.text
    let end = Self.lineFeed(text, text + chunk.count)
    hasLineEnd = end != nil
    headEnd = end.map { $0 - text + 1 } ?? chunk.count
    tailStart = chunk.count
  }

  /// Visits the lines that are entirely within the chunk and not empty; call `findFirstLineEnd` first.
  ///
  /// - Parameter take: receives a line's offset and its length without its ending; `lineCount` is then its number.
  @inline(__always)
  package func visitLines<Failure: Error>(_ take: (_ line: Int, _ length: Int) throws(Failure) -> Void) throws(Failure)
  {
    guard hasLineEnd else { return }
    let text = chunk.text
    let end = text + chunk.count
    var line = text + headEnd
    while let lineEnd = Self.lineFeed(line, end) {
      var length = lineEnd - line
      if length > 0, lineEnd[-1] == 0x0D { length -= 1 }
      if length > 0, line.pointee == UInt8(ascii: "{") || !CarriedLine.isBlank(line, count: length) {
        try take(line - text, length)
      }
      lineCount += 1
      line = lineEnd + 1
    }
    tailStart = line - text
  }

  @inline(__always)
  private static func lineFeed(
    _ from: UnsafeMutablePointer<UInt8>, _ end: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8>? {
    guard from < end else { return nil }
    return memchr(from, 0x0A, end - from)?.assumingMemoryBound(to: UInt8.self)
  }
}
