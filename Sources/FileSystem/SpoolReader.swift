import Failures

/// Reads the contents of a spool, or a part of them, front to back.
public final class SpoolReader: LineReader {
  private let file: SpoolFile
  private let start: Int
  /// Where to stop; nil at the end of the spool.
  private let end: Int?

  public init(_ file: SpoolFile, _ part: Range<Int>? = nil, pieceLength: Int = 1 << 18) {
    self.file = file
    (start, end) = (part?.lowerBound ?? 0, part?.upperBound)
    super.init(pieceLength: pieceLength)
  }

  public override func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    if byteCount == 0 { try file.flush() }
    let at = start + byteCount
    let count = min(room.count, (end ?? file.count) - at)
    try file.read(room.baseAddress!.assumingMemoryBound(to: UInt8.self), count: count, at: at)
    return count
  }
}
