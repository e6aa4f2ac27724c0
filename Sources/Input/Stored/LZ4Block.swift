import CLZ4
import CXXHash

/// The compression of blocks.
///
/// (Unsafe: the library reads only the bytes of the text or block that it is given, and writes only into the room for the
/// result.)
enum LZ4Block {
  /// The block of a text, with its header. Text that does not shrink is stored uncompressed.
  static func compress(_ text: Span<UInt8>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 4 + text.count) { stored, end in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(stored)[4...])
      let compressed = unsafe text.withUnsafeBytes { text in
        let count = unsafe LZ4_compress_default(
          text.baseAddress, room.baseAddress, Int32(text.count), Int32(text.count - 1))
        if count <= 0 { unsafe room.copyMemory(from: text) }
        return count
      }
      let header = compressed > 0 ? UInt32(compressed) : UInt32(text.count) | 0x8000_0000
      unsafe UnsafeMutableRawBufferPointer(stored).storeBytes(of: header.littleEndian, as: UInt32.self)
      end = 4 + Int(header & 0x7FFF_FFFF)
    }
  }

  /// Expands a compressed block.
  ///
  /// - Parameters:
  ///   - text: the text of the frame, and room after it.
  ///   - range: the room for the block's text.
  ///   - prefix: how many bytes before the range the block may refer to.
  /// - Returns: the number of bytes of text; nil if the block is malformed.
  static func expand(
    _ block: Span<UInt8>, into text: inout MutableSpan<UInt8>, at range: Range<Int>, prefix: Int
  ) -> Int? {
    precondition(prefix >= 0 && prefix <= range.lowerBound && range.upperBound <= text.count)
    let expanded = unsafe text.withUnsafeMutableBytes { text in
      unsafe block.withUnsafeBytes { block in
        let room = unsafe text.baseAddress! + range.lowerBound
        return unsafe LZ4_decompress_safe_usingDict(
          block.baseAddress, room, Int32(block.count), Int32(range.count), room - prefix, Int32(prefix))
      }
    }
    return expanded < 0 ? nil : Int(expanded)
  }
}

/// The XXH32 of a text that arrives in pieces.
///
/// (Unsafe: it owns the library's state, and the library reads only the bytes of the pieces.)
@safe
struct ContentChecksum: ~Copyable {
  private let state: OpaquePointer

  /// The checksum of no text.
  init() {
    guard let state = unsafe XXH32_createState() else { preconditionFailure("out of memory") }
    unsafe self.state = unsafe state
    restart()
  }

  deinit { unsafe XXH32_freeState(state) }

  /// Forgets all text.
  mutating func restart() { unsafe XXH32_reset(state, 0) }

  mutating func append(_ text: Span<UInt8>) {
    unsafe text.withUnsafeBytes { _ = unsafe XXH32_update(state, $0.baseAddress, $0.count) }
  }

  /// The checksum of the text so far.
  var value: UInt32 { unsafe XXH32_digest(state) }

  /// The checksum of a whole text.
  static func of(_ text: Span<UInt8>) -> UInt32 {
    unsafe text.withUnsafeBytes { unsafe XXH32($0.baseAddress, $0.count, 0) }
  }
}
