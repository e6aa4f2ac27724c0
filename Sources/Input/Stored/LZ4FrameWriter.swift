import CLZ4
import CXXHash
import Glibc

/// Writes one LZ4 frame of independent blocks of up to 4 MiB, with a content checksum.
///
/// What costs, compressing, is a pure function any thread may call; the writer itself puts the blocks in order and
/// checks the text, serially: `init`, `append` for each block, `finish`. One owner at a time.
public final class LZ4FrameWriter: @unchecked Sendable {
  /// The most text a block takes, in bytes: 4 MiB.
  public static let blockTextMaximum = TextChunk.largestBlock

  /// The most bytes `compressBlock` writes for a block of `textCount` bytes: it is never stored larger than it is.
  public static func storedBlockMaximum(textCount: Int) -> Int { textCount + 4 }

  private let output: (UnsafeRawBufferPointer) throws -> Void
  private let checksum: OpaquePointer
  private var isFinished = false

  /// Begins the frame: writes its header.
  ///
  /// - Parameter output: takes the frame's bytes, in order, in runs of any length.
  /// - Throws: what `output` throws.
  public init(output: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let state = XXH32_createState() else { preconditionFailure("out of memory") }
    XXH32_reset(state, 0)
    checksum = state
    self.output = output
    // Version 1, independent blocks, content checksum; blocks of 4 MiB.
    let descriptor: [UInt8] = [0x64, 0x70]
    let header =
      LZ4Magic.frameBytes + descriptor + [descriptor.withUnsafeBytes { LZ4FrameHeader.checksum($0) }]
    try header.withUnsafeBytes { try output($0) }
  }

  deinit { XXH32_freeState(checksum) }

  /// Compresses one block, header and all, into `stored`. Pure: the same text makes the same bytes.
  ///
  /// - Parameters:
  ///   - text: 1 byte to `blockTextMaximum`.
  ///   - stored: at least `storedBlockMaximum(textCount:)` bytes.
  /// - Returns: the bytes written. Text that does not shrink is stored as it is.
  public static func compressBlock(_ text: UnsafeRawBufferPointer, into stored: UnsafeMutableRawBufferPointer) -> Int {
    precondition((1...blockTextMaximum).contains(text.count), "a block has 1 byte to 4 MiB of text")
    guard stored.count >= storedBlockMaximum(textCount: text.count), let start = stored.baseAddress,
      let source = text.baseAddress
    else { preconditionFailure("the buffer is too small for the block") }
    let compressed = LZ4_compress_default(source, start + 4, Int32(text.count), Int32(text.count - 1))
    let count = compressed > 0 ? Int(compressed) : text.count
    let header = UInt32(count) | (compressed > 0 ? 0 : 0x8000_0000)
    stored.storeBytes(of: header.littleEndian, as: UInt32.self)
    if compressed <= 0 { memcpy(start + 4, source, text.count) }
    return 4 + count
  }

  /// Compresses one block, header and all. As `compressBlock(_:into:)`, in memory of its own.
  ///
  /// - Parameter text: 1 byte to `blockTextMaximum`.
  /// - Returns: the block as it is stored.
  public static func compressBlock(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: storedBlockMaximum(textCount: text.count)) { stored, count in
      count = compressBlock(text, into: UnsafeMutableRawBufferPointer(stored))
    }
  }

  /// Writes the next block.
  ///
  /// - Parameters:
  ///   - block: what `compressBlock` made of `text`.
  ///   - text: the text, for the content checksum.
  /// - Throws: what `output` throws; the frame is then broken.
  public func append(_ block: UnsafeRawBufferPointer, of text: UnsafeRawBufferPointer) throws {
    precondition(!isFinished, "the frame is finished")
    XXH32_update(checksum, text.baseAddress, text.count)
    try output(block)
  }

  /// Ends the frame: writes the end mark and the content checksum. A frame without blocks is empty and good.
  ///
  /// - Throws: what `output` throws; the frame is then broken.
  public func finish() throws {
    precondition(!isFinished, "the frame is finished")
    isFinished = true
    let trailer: [UInt32] = [0, XXH32_digest(checksum).littleEndian]
    try trailer.withUnsafeBytes { try output($0) }
  }
}
