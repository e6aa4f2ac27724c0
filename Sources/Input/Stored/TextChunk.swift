import Glibc

/// A run of a batch's text, together with all it takes to expand it apart from the file: made once, filled again and
/// again by ``StoredBatchFile/readNext(into:)``.
///
/// A chunk has one owner at a time; handing it from thread to thread is the owner's to order. In turn it is filled,
/// expanded (`expand()`), verified (``ContentVerifier/verify(_:)``) and read.
///
/// Memory: the headroom and the text are one allocation of which only pages written to are ever resident. It holds at
/// most the larger of the lengths given to `init` and, for LZ4, one block of 4 MiB; the stored blocks take at most as
/// much again.
public final class TextChunk: @unchecked Sendable {  // One thread at a time has it.
  /// The writable bytes directly before `text`: 64 KiB, the reach of linked blocks. The owner may use them from
  /// `readNext` on until the next.
  static let headroom = 64 * 1024

  /// The writable bytes at least after `text + count`: a vector read or a sentinel may run over the end.
  public static let padding = 64

  /// The most blocks, and the most frames, that are gathered in one chunk.
  static let mostBlocks = 1024

  /// The most text one LZ4 block can hold, in bytes.
  static let largestBlock = 4 << 20

  /// The first byte of the text. It moves when the chunk is filled, at no other time.
  public private(set) var text: UnsafeMutablePointer<UInt8>

  /// The bytes of text: good as far as the blocks themselves tell; whether the frame's checksum of its whole content
  /// agrees is known at the frame's end (``ContentVerifier``). 0 from `readNext` to `expand()` if blocks wait to be expanded; it may be 0
  /// afterwards, too, as for an empty frame.
  public internal(set) var count = 0

  /// Set if the file is corrupt directly after the chunk's text: there is no more. Final once the chunk has been
  /// expanded. What is wrong with a frame as a whole is not told here but by ``ContentVerifier/verify(_:)``.
  public internal(set) var corruption: CorruptBatch?

  /// Whether nothing of the file follows, because it ends or is corrupt: `readNext` will return false. Exact: a chunk
  /// that has it not set is followed by another, unless reading fails or expanding finds corruption.
  public internal(set) var isLastOfFile = false

  /// Whether the text is the file's stored bytes as they are.
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
  /// The sum of what the waiting blocks may expand to at most.
  var reservedCount = 0
  /// How much of the frame's text stands directly before `text + count`, headroom counted: linked frames only.
  var linkedPrefix = 0

  private(set) var textCapacity = 0
  private(set) var stored: UnsafeMutableRawPointer
  private var storedCapacity = 0
  var storedCount = 0

  /// Makes an empty chunk; memory for text is taken when it is first filled.
  ///
  /// - Parameters:
  ///   - plainLength: the bytes of text in a chunk of a plain file, at least 1 and at most 64 MiB. The last chunk of a
  ///     file may have fewer, all others have exactly as many.
  ///   - blocksLength: the bytes of text up to which LZ4 blocks are gathered in one chunk, at least 1 and at most
  ///     64 MiB. What counts is what the blocks may hold at most, so there will mostly be less text; a block that
  ///     alone may hold more makes a chunk of its own.
  public init(plainLength: Int = 1 << 20, blocksLength: Int = 4 << 20) {
    let lengths = 1...(64 << 20)
    precondition(lengths.contains(plainLength) && lengths.contains(blocksLength), "chunk length out of range")
    self.plainLength = plainLength
    self.blocksLength = blocksLength
    text = Self.allocateText(0)
    stored = .allocate(byteCount: 0, alignment: 64)
  }

  deinit {
    UnsafeMutableRawPointer(text - Self.headroom).deallocate()
    stored.deallocate()
  }

  private static func allocateText(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: headroom + capacity + padding, alignment: 4096)
    return (bytes + headroom).assumingMemoryBound(to: UInt8.self)
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
      UnsafeMutableRawPointer(text - Self.headroom).deallocate()
      text = Self.allocateText(capacity)
      textCapacity = capacity
    }
  }

  /// Whether the frames that it holds parts of say what their whole content should be.
  public var namesContent: Bool {
    segments.contains { $0.header.hasContentChecksum || $0.header.contentSize != nil }
  }

  /// Where in the text the frame ends whose end mark stands at an offset of the file; nil if it does not end here.
  public func textEnd(ofFrameEndingAt storedOffset: UInt64) -> Int? {
    segments.first { $0.end?.storedOffset == storedOffset }?.textEnd
  }

  /// Keeps a part of the expanded text, which a `ContentVerifier` can no longer verify.
  ///
  /// - Parameter endsFile: whether nothing follows any more.
  public func keep(_ range: Range<Int>, endsFile: Bool) {
    if range.lowerBound > 0 { memmove(text, text + range.lowerBound, range.count) }
    if range.upperBound < count { corruption = nil }
    count = range.count
    isLastOfFile = isLastOfFile || endsFile
  }

  /// Room for `extra` more stored bytes after those there are. It moves them.
  func reserveStored(_ extra: Int) -> UnsafeMutableRawPointer {
    let wanted = storedCount + extra
    if storedCapacity < wanted {
      let capacity = max(wanted, min(2 * storedCapacity, textCapacity))
      let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
      memcpy(grown, stored, storedCount)
      stored.deallocate()
      stored = grown
      storedCapacity = capacity
    }
    return stored + storedCount
  }
}
