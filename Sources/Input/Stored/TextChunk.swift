import Glibc

/// A run of a batch's text, with everything that is needed to expand it without the file. It is made once and filled
/// many times by ``StoredBatchFile/readNext(into:)``.
///
/// A chunk has one owner at a time, who must synchronize passing it to another thread. It is filled, expanded
/// (`expand()`), verified (``ContentVerifier/verify(_:)``) and read, in this order.
///
/// Memory: headroom and text are one allocation; only pages that are written become resident. It holds at most the
/// larger of the lengths given to `init` and, for LZ4, one block of 4 MiB. The stored blocks need at most the same
/// amount again.
@safe
public final class TextChunk: @unchecked Sendable {  // One thread uses it at a time.
  /// The writable bytes directly before `text`: 64 KiB, the reach of linked blocks. The owner may use them between two
  /// calls of `readNext`.
  static let headroom = 64 * 1024

  /// The least number of writable bytes after `text + count`, for vector reads or a sentinel past the end.
  public static let padding = 64

  /// The most blocks, and the most frames, that are gathered in one chunk.
  static let mostBlocks = 1024

  /// The most text one LZ4 block can hold, in bytes.
  static let largestBlock = 4 << 20

  /// The first byte of the text. It moves only when the chunk is filled.
  public private(set) var text: UnsafeMutablePointer<UInt8>

  /// The number of bytes of text. The blocks were checked one by one; the frame's checksum of its whole content is
  /// checked at the frame's end (``ContentVerifier``). 0 between `readNext` and `expand()` if blocks wait to be
  /// expanded. It may also be 0 afterwards, for example for an empty frame.
  public internal(set) var count = 0

  /// Set if the file is corrupt directly after the chunk's text, which is then the last text. Final after the chunk was
  /// expanded. Faults of a whole frame are not reported here, but by ``ContentVerifier/verify(_:)``.
  public internal(set) var corruption: CorruptBatch?

  /// Whether this is the last chunk, because the file ends or is corrupt: `readNext` will return false. If it is not
  /// set, another chunk follows, unless reading fails or expanding finds corruption.
  public internal(set) var isLastOfFile = false

  /// Whether the text is the file's stored bytes, unchanged.
  public internal(set) var isPlain = false

  /// The file the chunk was filled from, as the user gave it.
  public internal(set) var file = ""

  /// The bytes of plain text wanted in one chunk.
  let plainLength: Int
  /// The bytes of text up to which LZ4 blocks are gathered in one chunk; a single block may be longer.
  let blocksLength: Int

  var segments: [FrameSegment] = []
  /// The blocks that wait to be expanded.
  var blocks: [StoredBlock] = []
  /// The most bytes to which the waiting blocks may expand, together.
  var reservedCount = 0
  /// How many bytes of the frame's text are directly before `text + count`, including the headroom; only for linked
  /// frames.
  var linkedPrefix = 0

  private(set) var textCapacity = 0
  private(set) var stored: UnsafeMutableRawPointer
  private var storedCapacity = 0
  var storedCount = 0

  /// Makes an empty chunk; memory for text is allocated when it is first filled.
  ///
  /// - Parameters:
  ///   - plainLength: the bytes of text in a chunk of a plain file, at least 1 and at most 64 MiB. Only the last chunk
  ///     of a file may have fewer.
  ///   - blocksLength: the bytes of text up to which LZ4 blocks are gathered in one chunk, at least 1 and at most 64
  ///     MiB. The maximum size of each block counts, so there is usually less text. A block with a larger maximum gets
  ///     a chunk of its own.
  public init(plainLength: Int = 1 << 20, blocksLength: Int = 4 << 20) {
    let lengths = 1...(64 << 20)
    precondition(lengths.contains(plainLength) && lengths.contains(blocksLength), "chunk length out of range")
    self.plainLength = plainLength
    self.blocksLength = blocksLength
    unsafe text = unsafe Self.allocateText(0)
    unsafe stored = .allocate(byteCount: 0, alignment: 64)
  }

  deinit {
    unsafe UnsafeMutableRawPointer(text - Self.headroom).deallocate()
    unsafe stored.deallocate()
  }

  private static func allocateText(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let (count, hugePage) = (headroom + capacity + padding, 2 << 20)
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: count < hugePage ? 4096 : hugePage)
    // Asks for huge pages: a run takes 2 to 3 % less time. Without them all works the same.
    if count >= hugePage { unsafe madvise(bytes, count & ~4095, MADV_HUGEPAGE) }
    return unsafe (bytes + headroom).assumingMemoryBound(to: UInt8.self)
  }

  /// Empties the chunk before it is filled from `file`, with room for `capacity` bytes of text.
  func begin(file: String, capacity: Int) {
    self.file = file
    count = 0
    corruption = nil
    isLastOfFile = false
    isPlain = false
    segments.removeAll(keepingCapacity: true)
    blocks.removeAll(keepingCapacity: true)
    reservedCount = 0
    linkedPrefix = 0
    storedCount = 0
    if textCapacity < capacity {
      unsafe UnsafeMutableRawPointer(text - Self.headroom).deallocate()
      unsafe text = unsafe Self.allocateText(capacity)
      textCapacity = capacity
    }
  }

  /// Whether a frame in this chunk states the checksum or size of its whole content.
  public var namesContent: Bool {
    segments.contains { $0.header.hasContentChecksum || $0.header.contentSize != nil }
  }

  /// Where a frame ends in the text, by the file offset of its end mark; nil if it does not end in this chunk.
  public func textEnd(ofFrameEndingAt storedOffset: UInt64) -> Int? {
    segments.first { $0.end?.storedOffset == storedOffset }?.textEnd
  }

  /// Keeps only a part of the expanded text. A `ContentVerifier` can then no longer verify the chunk.
  ///
  /// - Parameter endsFile: whether the text ends here.
  public func keep(_ range: Range<Int>, endsFile: Bool) {
    if range.lowerBound > 0 { unsafe memmove(text, text + range.lowerBound, range.count) }
    if range.upperBound < count { corruption = nil }
    count = range.count
    isLastOfFile = isLastOfFile || endsFile
  }

  /// Makes room for `extra` bytes after the stored bytes, which may move.
  func reserveStored(_ extra: Int) -> UnsafeMutableRawPointer {
    let wanted = storedCount + extra
    if storedCapacity < wanted {
      let capacity = max(wanted, min(2 * storedCapacity, textCapacity))
      let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
      unsafe memcpy(grown, stored, storedCount)
      unsafe stored.deallocate()
      unsafe stored = unsafe grown
      storedCapacity = capacity
    }
    return unsafe stored + storedCount
  }
}
