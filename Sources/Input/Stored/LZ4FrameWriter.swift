import Text

/// Writes one LZ4 frame of independent blocks of up to 4 MiB, with a content checksum.
///
/// Compressing is the expensive part. It is a pure function that any thread may call. The writer itself puts the blocks
/// in order and computes the checksum, serially: `init`, `append` for each block, `finish`. One owner at a time.
public final class LZ4FrameWriter {
  /// The most text a block takes, in bytes: 4 MiB.
  public static let blockTextMaximum = TextChunk.largestBlock

  private let output: (Span<UInt8>) throws -> Void
  private var checksum = ContentChecksum()
  private var isFinished = false

  /// Begins the frame: writes its header.
  ///
  /// - Parameter output: takes the frame's bytes, in order, in runs of any length.
  /// - Throws: what `output` throws.
  public init(output: @escaping (Span<UInt8>) throws -> Void) throws {
    self.output = output
    // Version 1, independent blocks, content checksum; blocks of 4 MiB.
    let descriptor: [UInt8] = [0x64, 0x70]
    let header = LZ4Magic.frameBytes + descriptor + [LZ4FrameHeader.checksum(descriptor.span)]
    try output(header.span)
  }

  /// The parts of a text of `count` bytes that become blocks, in order.
  public static func blocks(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: blockTextMaximum).map { $0..<min(count, $0 + blockTextMaximum) }
  }

  /// Compresses one block, including its header. The same text always gives the same bytes.
  ///
  /// - Parameter text: 1 byte to `blockTextMaximum`.
  /// - Returns: the block as it is stored. Text that does not shrink is stored uncompressed.
  public static func compressBlock(_ text: Span<UInt8>) -> [UInt8] {
    precondition((1...blockTextMaximum).contains(text.count), "a block has 1 byte to 4 MiB of text")
    return LZ4Block.compress(text)
  }

  /// Writes the next block.
  ///
  /// - Parameters:
  ///   - block: the result of `compressBlock` for `text`.
  ///   - text: the text, for the content checksum.
  /// - Throws: what `output` throws; the frame is then broken.
  public func append(_ block: Span<UInt8>, of text: Span<UInt8>) throws {
    precondition(!isFinished, "the frame is finished")
    checksum.append(text)
    try output(block)
  }

  /// Ends the frame: writes the end mark and the content checksum. A frame without blocks is empty and valid.
  ///
  /// - Throws: what `output` throws; the frame is then broken.
  public func finish() throws {
    precondition(!isFinished, "the frame is finished")
    isFinished = true
    var trailer = TextBuffer()
    trailer.append(littleEndian: UInt32(0))
    trailer.append(littleEndian: checksum.value)
    try output(trailer.span)
  }
}
