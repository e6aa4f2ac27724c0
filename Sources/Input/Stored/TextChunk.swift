import Failures
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
///
/// (Unsafe: it owns the memory of headroom, text and padding. Who has a span of it does not fill the chunk meanwhile.)
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

  /// The text; it moves only when the chunk is filled.
  public var span: Span<UInt8> {
    @_lifetime(borrow self) get {
      let bytes = unsafe Span(_unsafeStart: UnsafePointer(text), count: count)
      return unsafe _overrideLifetime(bytes, borrowing: self)
    }
  }

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
  /// The stored bytes of the blocks, and room for more.
  private(set) var stored: [UInt8] = []
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
  }

  deinit {
    unsafe UnsafeMutableRawPointer(text - Self.headroom).deallocate()
  }

  private static func allocateText(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let (count, hugePage) = (headroom + capacity + padding, 2 << 20)
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: count < hugePage ? 4096 : hugePage)
    // Asks for huge pages: a run takes 2 to 3 % less time. Without them all works the same.
    if count >= hugePage { unsafe madvise(bytes, count & ~4095, MADV_HUGEPAGE) }
    return unsafe (bytes + headroom).assumingMemoryBound(to: UInt8.self)
  }

  /// The headroom, and all room for text; uninitialized bytes have any value.
  var memory: MutableSpan<UInt8> {
    @_lifetime(borrow self) get {
      let memory = unsafe MutableSpan(_unsafeStart: text - Self.headroom, count: Self.headroom + textCapacity)
      return unsafe _overrideLifetime(memory, borrowing: self)
    }
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
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    if range.lowerBound > 0 { unsafe text.update(from: text + range.lowerBound, count: range.count) }
    if range.upperBound < count { corruption = nil }
    count = range.count
    isLastOfFile = isLastOfFile || endsFile
  }

  // MARK: Filling

  /// Takes up to `most` bytes of a plain file.
  func readText(_ most: Int, from input: StoredBytes) throws(Failure) {
    var memory = memory
    var room = memory.part(Self.headroom..<Self.headroom + most)
    count = try input.read(into: &room)
  }

  /// Takes up to `most` stored bytes, after those that are there; returns how many.
  func readStored(_ most: Int, from input: StoredBytes) throws(Failure) -> Int {
    let wanted = storedCount + most
    if stored.count < wanted {
      let capacity = max(wanted, min(2 * stored.count, textCapacity))
      stored += repeatElement(0, count: capacity - stored.count)
    }
    let read = try Self.read(from: input, into: &stored, storedCount..<wanted)
    storedCount += read
    return read
  }

  private static func read(
    from input: StoredBytes, into bytes: inout [UInt8], _ part: Range<Int>
  ) throws(Failure) -> Int {
    var all = bytes.mutableSpan
    var room = all.part(part)
    return try input.read(into: &room)
  }

  /// The end of the text of a linked frame, up to 64 KiB, to which the next block may refer.
  var linkedText: [UInt8] {
    let end = Self.headroom + count
    let memory = memory
    return [UInt8](memory.span.extracting(end - linkedPrefix..<end))
  }

  /// Puts the end of a linked frame's text directly before this chunk's.
  func restore(_ text: [UInt8]) {
    linkedPrefix = text.count
    var memory = memory
    memory.copy(text.span, to: Self.headroom - text.count)
  }
}
