/// The part of one LZ4 frame's text in a chunk, as a `ContentVerifier` needs it.
struct FrameSegment: Sendable {
  /// The frame's number in its file, from 1; skippable frames are not counted.
  let frameNumber: Int
  let header: LZ4FrameHeader
  /// Whether the frame begins here, rather than in an earlier chunk.
  let beginsFrame: Bool
  /// Where the segment ends in the chunk's text; it begins where the previous one ends.
  var textEnd: Int
  /// Set if the frame ends in this chunk.
  var end: FrameEnd?
}

/// What the end of a frame states about its content.
struct FrameEnd: Sendable {
  /// The offset of the end mark in the stored file, in bytes.
  let storedOffset: UInt64
  /// The XXH32 stored after the end mark; nil if the frame has none.
  let contentChecksum: UInt32?
}

/// One block as it is stored, in a chunk's own buffer.
struct StoredBlock: Sendable {
  /// The block's number in its frame, from 1.
  let number: Int
  /// The offset of its header in the stored file, in bytes.
  let storedOffset: UInt64
  let isCompressed: Bool
  let hasChecksum: Bool
  /// The bytes of the block without header and checksum.
  let storedCount: Int
  /// The index of its segment in the chunk.
  let segment: Int
  /// Where it begins in the chunk's stored bytes; a checksum follows it directly.
  let start: Int
}

/// The four bytes before a block.
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
