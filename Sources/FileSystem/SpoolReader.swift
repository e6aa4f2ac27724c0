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

  public override func read(into room: inout OutputSpan<UInt8>) throws(Failure) {
    if byteCount == 0 { try file.flush() }
    let at = start + byteCount
    try file.read(at..<min(at + room.freeCapacity, end ?? file.count), into: &room)
  }
}
