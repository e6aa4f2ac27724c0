import CLZ4
import CXXHash

/// Writes one LZ4 frame of independent blocks of up to 4 MiB, with a content checksum.
///
/// Compressing is the expensive part. It is a pure function that any thread may call. The writer itself puts the blocks
/// in order and computes the checksum, serially: `init`, `append` for each block, `finish`. One owner at a time.
@safe
public final class LZ4FrameWriter: @unchecked Sendable {  // One owner at a time.
  /// The most text a block takes, in bytes: 4 MiB.
  public static let blockTextMaximum = TextChunk.largestBlock

  private let output: (UnsafeRawBufferPointer) throws -> Void
  private let checksum: OpaquePointer
  private var isFinished = false

  /// Begins the frame: writes its header.
  ///
  /// - Parameter output: takes the frame's bytes, in order, in runs of any length.
  /// - Throws: what `output` throws.
  public init(output: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let state = unsafe XXH32_createState() else { preconditionFailure("out of memory") }
    unsafe XXH32_reset(state, 0)
    unsafe checksum = unsafe state
    unsafe self.output = unsafe output
    // Version 1, independent blocks, content checksum; blocks of 4 MiB.
    let descriptor: [UInt8] = [0x64, 0x70]
    let header =
      unsafe LZ4Magic.frameBytes + descriptor + [descriptor.withUnsafeBytes { unsafe LZ4FrameHeader.checksum($0) }]
    unsafe try header.withUnsafeBytes { unsafe try output($0) }
  }

  deinit { unsafe XXH32_freeState(checksum) }

  /// Cuts a text into the texts of blocks, in order.
  public static func blockTexts(_ text: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
    unsafe stride(from: 0, to: text.count, by: blockTextMaximum).map { start in
      unsafe UnsafeRawBufferPointer(rebasing: text[start..<min(text.count, start + blockTextMaximum)])
    }
  }

  /// Compresses one block, including its header. The same text always gives the same bytes.
  ///
  /// - Parameter text: 1 byte to `blockTextMaximum`.
  /// - Returns: the block as it is stored. Text that does not shrink is stored uncompressed.
  public static func compressBlock(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    precondition((1...blockTextMaximum).contains(text.count), "a block has 1 byte to 4 MiB of text")
    return unsafe [UInt8](unsafeUninitializedCapacity: 4 + text.count) { stored, end in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(stored)[4...])
      let compressed = unsafe LZ4_compress_default(
        text.baseAddress, room.baseAddress, Int32(text.count), Int32(text.count - 1))
      if compressed <= 0 { unsafe room.copyMemory(from: text) }
      let header = compressed > 0 ? UInt32(compressed) : UInt32(text.count) | 0x8000_0000
      unsafe UnsafeMutableRawBufferPointer(stored).storeBytes(of: header.littleEndian, as: UInt32.self)
      end = 4 + Int(header & 0x7FFF_FFFF)
    }
  }

  /// Writes the next block.
  ///
  /// - Parameters:
  ///   - block: the result of `compressBlock` for `text`.
  ///   - text: the text, for the content checksum.
  /// - Throws: what `output` throws; the frame is then broken.
  public func append(_ block: UnsafeRawBufferPointer, of text: UnsafeRawBufferPointer) throws {
    precondition(!isFinished, "the frame is finished")
    unsafe XXH32_update(checksum, text.baseAddress, text.count)
    unsafe try output(block)
  }

  /// Ends the frame: writes the end mark and the content checksum. A frame without blocks is empty and valid.
  ///
  /// - Throws: what `output` throws; the frame is then broken.
  public func finish() throws {
    precondition(!isFinished, "the frame is finished")
    isFinished = true
    let trailer: [UInt32] = unsafe [0, XXH32_digest(checksum).littleEndian]
    unsafe try trailer.withUnsafeBytes { unsafe try output($0) }
  }
}
