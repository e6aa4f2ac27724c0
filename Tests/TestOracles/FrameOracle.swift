import CLZ4

/// liblz4's frame decoder judges whether a file consists of LZ4 frames, and what its text is.
///
/// Unlike the engine, it knows no other formats, does not accept an empty file, and expands a frame that names a
/// dictionary as long as no block refers to it.
public enum FrameOracle {
  /// The text of a file of frames; nil if the decoder finds it corrupt or cut short.
  public static func text(_ bytes: [UInt8]) -> [UInt8]? {
    var context: OpaquePointer?
    LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))
    defer { LZ4F_freeDecompressionContext(context) }
    var text: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var start = 0
    while true {
      var taken = bytes.count - start
      var made = room.count
      let hint = bytes.withUnsafeBytes { source in
        room.withUnsafeMutableBytes {
          LZ4F_decompress(context, $0.baseAddress!, &made, source.baseAddress! + start, &taken, nil)
        }
      }
      if LZ4F_isError(hint) != 0 { return nil }
      text += room.prefix(made)
      start += taken
      if start == bytes.count, hint == 0 { return text }
      if taken == 0, made == 0 { return nil }
    }
  }
}
