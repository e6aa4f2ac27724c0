import Failures

/// Reads the contents of a spool from its beginning.
public final class SpoolReader: LineReader {
  private let file: SpoolFile
  private static let pieceLength = 1 << 18

  public init(_ file: SpoolFile) {
    self.file = file
    super.init(pieceLength: Self.pieceLength)
  }

  public override func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    if byteCount == 0 { try file.flush() }
    let count = min(room.count, file.count - byteCount)
    try file.read(room.baseAddress!.assumingMemoryBound(to: UInt8.self), count: count, at: byteCount)
    return count
  }
}
