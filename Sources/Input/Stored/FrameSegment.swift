/// The part of one LZ4 frame's text that a chunk holds: what a `ContentVerifier` needs.
struct FrameSegment: Sendable {
  /// The frame's number in its file, from 1; skippable frames are not counted.
  let frameNumber: Int
  let header: LZ4FrameHeader
  /// Whether the frame begins here, rather than in an earlier chunk.
  let beginsFrame: Bool
  /// Where in the chunk's text the segment ends; it begins where the one before ends.
  var textEnd: Int
  /// Set where the frame ends in this chunk.
  var end: FrameEnd?
}

/// What a frame says of its content at its end.
struct FrameEnd: Sendable {
  /// Where the end mark stands, in bytes from the start of the stored file.
  let storedOffset: UInt64
  /// The XXH32 stored after the end mark; nil if the frame has none.
  let contentChecksum: UInt32?
}

/// One block as it is stored, in a chunk's own buffer.
struct StoredBlock: Sendable {
  /// The block's number in its frame, from 1.
  let number: Int
  /// Where its header stands, in bytes from the start of the stored file.
  let storedOffset: UInt64
  let isCompressed: Bool
  let hasChecksum: Bool
  /// The bytes of the block alone, without header and checksum.
  let storedCount: Int
  /// Which of the chunk's segments it belongs to.
  let segment: Int
  /// Where in the chunk's stored bytes it begins; a checksum follows it directly.
  let start: Int
}

/// What the four bytes before a block say.
enum BlockHeader: Equatable, Sendable {
  case endMark
  case block(storedCount: Int, isCompressed: Bool)

  init(_ number: UInt32) {
    if number == 0 {
      self = .endMark
    } else {
      self = .block(storedCount: Int(number & 0x7FFF_FFFF), isCompressed: number & 0x8000_0000 == 0)
    }
  }
}
