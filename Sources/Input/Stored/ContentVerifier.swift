/// Verifies the XXH32 checksum and the size that LZ4 frames state for their whole content, chunk after chunk.
///
/// One verifier serves any number of files one after the other. One owner at a time; it need not be the thread that
/// reads or expands.
public final class ContentVerifier {
  private var checksum = ContentChecksum()
  private var size: UInt64 = 0

  /// Makes a verifier that waits for the first chunk of a file.
  public init() {}

  /// Verifies the next chunk of the file. Chunks come in the order in which they were read, each expanded, and none
  /// after a corrupt one. Plain chunks cost nothing.
  ///
  /// - Parameter chunk: the next chunk; its text is not kept.
  /// - Returns: the first fault in the order of the file: a frame that ends in this chunk and does not match its
  ///   content checksum or size, otherwise the chunk's own `corruption`.
  public func verify(_ chunk: TextChunk) -> CorruptBatch? {
    precondition(chunk.blocks.isEmpty, "the chunk must be expanded before it is verified")
    var start = 0
    for segment in chunk.segments {
      if segment.beginsFrame {
        checksum.restart()
        size = 0
      }
      if segment.header.hasContentChecksum { checksum.append(chunk.span.extracting(start..<segment.textEnd)) }
      size += UInt64(segment.textEnd - start)
      start = segment.textEnd
      if let end = segment.end, let reason = fault(at: end, of: segment.header) {
        return CorruptBatch(
          file: chunk.file, storedOffset: end.storedOffset, reason: "frame \(segment.frameNumber) \(reason)")
      }
    }
    return chunk.corruption
  }

  private func fault(at end: FrameEnd, of header: LZ4FrameHeader) -> String? {
    // A size of 0 means "not known" to the reference implementation.
    if let expected = header.contentSize, expected != 0, expected != size {
      return "does not match its content size (found \(size) bytes of text, expected \(expected))"
    }
    guard let expected = end.contentChecksum, checksum.value != expected else { return nil }
    return "does not match its content checksum \(found(checksum.value, expected: expected))"
  }
}
