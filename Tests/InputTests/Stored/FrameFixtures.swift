import CLZ4
import CXXHash

@testable import Input

/// An LZ4 frame built by hand, so that every part of it can be wrong.
struct SampleFrame: Sendable {
  var magic: UInt32 = 0x184D_2204
  var version: UInt8 = 1
  var blockCode: UInt8 = 4
  var isLinked = false
  var hasBlockChecksums = false
  var hasContentChecksum = false
  var contentSize: UInt64?
  var dictionary: UInt32?
  var extraFlags: UInt8 = 0
  var extraDescriptor: UInt8 = 0
  var headerChecksumError: UInt8 = 0
  var blockChecksumError: UInt32 = 0
  var contentChecksumError: UInt32 = 0
  /// The texts of the blocks.
  var texts: [[UInt8]] = []
  /// Whether blocks are compressed, or stored unchanged.
  var compresses = true
  /// Inserted between the last block and the end mark.
  var beforeEnd: [UInt8] = []
  var hasEnd = true

  var text: [UInt8] { texts.flatMap { $0 } }

  var header: [UInt8] {
    var flags = version << 6 | extraFlags
    if !isLinked { flags |= 0x20 }
    if hasBlockChecksums { flags |= 0x10 }
    if contentSize != nil { flags |= 0x08 }
    if hasContentChecksum { flags |= 0x04 }
    if dictionary != nil { flags |= 0x01 }
    var descriptor = [flags, blockCode << 4 | extraDescriptor]
    if let contentSize { descriptor += stored(contentSize) }
    if let dictionary { descriptor += stored(dictionary) }
    let checksum = UInt8(truncatingIfNeeded: xxh32(descriptor) >> 8) ^ headerChecksumError
    return stored(magic) + descriptor + [checksum]
  }

  /// Each block in stored form, with its header and checksum.
  var blocks: [[UInt8]] {
    let stream = LZ4_createStream()
    defer { LZ4_freeStream(stream) }
    let whole = text
    var start = 0
    return texts.map { text in
      defer { start += text.count }
      var body = text
      if compresses {
        body = [UInt8](repeating: 0, count: Int(LZ4_compressBound(Int32(text.count))))
        let count = whole.withUnsafeBytes { source in
          body.withUnsafeMutableBytes { stored in
            if !isLinked { LZ4_resetStream_fast(stream) }
            let from = source.baseAddress.map { $0 + start } ?? UnsafeRawPointer(stored.baseAddress!)
            return LZ4_compress_fast_continue(
              stream, from, stored.baseAddress!, Int32(text.count), Int32(stored.count), 1)
          }
        }
        body.removeLast(body.count - Int(count))
      }
      let checksum = hasBlockChecksums ? stored(xxh32(body) ^ blockChecksumError) : []
      return stored(UInt32(body.count) | (compresses ? 0 : 0x8000_0000)) + body + checksum
    }
  }

  var bytes: [UInt8] {
    var frame = header + blocks.flatMap { $0 } + beforeEnd
    if hasEnd { frame += stored(UInt32(0)) }
    if hasEnd, hasContentChecksum { frame += stored(xxh32(text) ^ contentChecksumError) }
    return frame
  }

  static func skippable(_ content: [UInt8], kind: UInt32 = 0, claiming count: UInt32? = nil) -> [UInt8] {
    stored(0x184D_2A50 + kind) + stored(count ?? UInt32(content.count)) + content
  }
}

/// `number` in little-endian order.
func stored<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

func xxh32(_ bytes: [UInt8]) -> UInt32 {
  bytes.withUnsafeBytes { XXH32($0.baseAddress, $0.count, 0) }
}
