import CLZ4
import CXXHash
import Text

/// Writes one LZ4 frame of independent blocks of up to 4 MiB, with a content checksum.
///
/// Compressing is the expensive part. It is a pure function that any thread may call. The writer itself puts the blocks
/// in order and computes the checksum, serially: `init`, `append` for each block, `finish`. One owner at a time.
///
/// (Unsafe: `checksum` belongs to this object, which frees it. LZ4 and XXH32 read only the spans, and keep none of them.)
@safe
public final class LZ4FrameWriter: @unchecked Sendable {  // One owner at a time.
  /// The most text a block takes, in bytes: 4 MiB.
  public static let blockTextMaximum = TextChunk.largestBlock

  private let output: (Span<UInt8>) throws -> Void
  private let checksum: OpaquePointer
  private var isFinished = false

  /// Begins the frame: writes its header.
  ///
  /// - Parameter output: takes the frame's bytes, in order, in runs of any length.
  /// - Throws: what `output` throws.
  public init(output: @escaping (Span<UInt8>) throws -> Void) throws {
    guard let state = unsafe XXH32_createState() else { preconditionFailure("out of memory") }
    unsafe XXH32_reset(state, 0)
    unsafe checksum = unsafe state
    self.output = output
    // Version 1, independent blocks, content checksum; blocks of 4 MiB.
    let descriptor: [UInt8] = [0x64, 0x70]
    let header =
      unsafe LZ4Magic.frameBytes + descriptor + [descriptor.withUnsafeBytes { unsafe LZ4FrameHeader.checksum($0) }]
    try output(header.span)
  }

  deinit { unsafe XXH32_freeState(checksum) }

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
    return unsafe text.withUnsafeBytes { text in
      unsafe [UInt8](unsafeUninitializedCapacity: 4 + text.count) { stored, end in
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(stored)[4...])
        let compressed = unsafe LZ4_compress_default(
          text.baseAddress, room.baseAddress, Int32(text.count), Int32(text.count - 1))
        if compressed <= 0 { unsafe room.copyMemory(from: text) }
        let header = compressed > 0 ? UInt32(compressed) : UInt32(text.count) | 0x8000_0000
        unsafe UnsafeMutableRawBufferPointer(stored).storeBytes(of: header.littleEndian, as: UInt32.self)
        end = 4 + Int(header & 0x7FFF_FFFF)
      }
    }
  }

  /// Writes the next block.
  ///
  /// - Parameters:
  ///   - block: the result of `compressBlock` for `text`.
  ///   - text: the text, for the content checksum.
  /// - Throws: what `output` throws; the frame is then broken.
  public func append(_ block: Span<UInt8>, of text: Span<UInt8>) throws {
    precondition(!isFinished, "the frame is finished")
    _ = unsafe text.withUnsafeBytes { unsafe XXH32_update(checksum, $0.baseAddress, $0.count) }
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
    unsafe trailer.append(littleEndian: XXH32_digest(checksum))
    try output(trailer.span)
  }
}
