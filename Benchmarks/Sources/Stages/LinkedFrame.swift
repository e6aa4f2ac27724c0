import CLZ4
import Input
import Text

/// An LZ4 frame of linked blocks of 64 KiB, with a checksum of its content, as `lz4 -BD -B4` makes it.
enum LinkedFrame {
  /// The frame of a text.
  static func make(_ text: borrowing TextBuffer) -> [UInt8] {
    var preferences = LZ4F_preferences_t()
    preferences.frameInfo.blockMode = LZ4F_blockLinked
    preferences.frameInfo.blockSizeID = LZ4F_max64KB
    preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled
    return text.span.withUnsafeBytes { text in
      [UInt8](unsafeUninitializedCapacity: LZ4F_compressFrameBound(text.count, &preferences)) { frame, count in
        count = LZ4F_compressFrame(frame.baseAddress, frame.count, text.baseAddress, text.count, &preferences)
        precondition(LZ4F_isError(count) == 0, "liblz4 could not make a frame")
      }
    }
  }
}
