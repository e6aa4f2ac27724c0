import CXXHash

/// Verifies what LZ4 frames say of their whole content, its XXH32 checksum and its size, chunk after chunk.
///
/// One verifier serves any number of files one after the other. One owner at a time; it need not be the thread that
/// reads or expands.
public final class ContentVerifier: @unchecked Sendable {  // One owner at a time.
  private let checksum: OpaquePointer
  private var size: UInt64 = 0

  /// Makes a verifier that waits for the first chunk of a file.
  public init() {
    guard let state = XXH32_createState() else { preconditionFailure("out of memory") }
    checksum = state
  }

  deinit { XXH32_freeState(checksum) }

  /// Takes the next chunk of the file into account. Chunks come in the order they were read, each expanded, and none
  /// after one that is corrupt. Plain chunks cost nothing.
  ///
  /// - Parameter chunk: the next chunk; its text is not kept.
  /// - Returns: what is wrong first, in the order of the file: a frame that ends in this chunk and does not match its
  ///   content checksum or size, or else the chunk's own `corruption`.
  public func verify(_ chunk: TextChunk) -> CorruptBatch? {
    precondition(chunk.blocks.isEmpty, "the chunk must be expanded before it is verified")
    var start = 0
    for segment in chunk.segments {
      if segment.beginsFrame {
        XXH32_reset(checksum, 0)
        size = 0
      }
      let count = segment.textEnd - start
      if segment.header.hasContentChecksum, count > 0 { XXH32_update(checksum, chunk.text + start, count) }
      size += UInt64(count)
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
    guard let expected = end.contentChecksum, XXH32_digest(checksum) != expected else { return nil }
    return "does not match its content checksum \(found(XXH32_digest(checksum), expected: expected))"
  }
}
