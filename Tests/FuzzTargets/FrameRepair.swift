import CXXHash

/// Corrects the checksums of an LZ4 file, so that a changed file is not refused only because of them.
public enum FrameRepair {
  /// Writes the correct header and block checksums into the frames of `bytes`, as far as it can follow them. It does
  /// not change the content's checksum: that would require expanding.
  public static func repair(_ bytes: inout MutableSpan<UInt8>) {
    var at = 0
    while at + 7 <= bytes.count {
      let magic = number(bytes, at)
      if magic & 0xFFFF_FFF0 == 0x184D_2A50, at + 8 <= bytes.count {
        at += 8 + Int(number(bytes, at + 4))
      } else if magic == 0x184D_2204 {
        guard let end = repairFrame(&bytes, at: at + 4) else { return }
        at = end
      } else {
        return
      }
    }
  }

  /// Repairs the frame whose descriptor is at `start`; returns its end, or nil if it does not end.
  private static func repairFrame(_ bytes: inout MutableSpan<UInt8>, at start: Int) -> Int? {
    let flags = bytes[start]
    let length = 2 + (flags & 0x08 != 0 ? 8 : 0) + (flags & 0x01 != 0 ? 4 : 0)
    guard start + length < bytes.count else { return nil }
    bytes[start + length] = UInt8(truncatingIfNeeded: checksum(bytes, start..<start + length) >> 8)
    var at = start + length + 1
    while at + 4 <= bytes.count {
      let header = number(bytes, at)
      at += 4
      if header == 0 { return at + (flags & 0x04 != 0 ? 4 : 0) }
      let count = Int(header & 0x7FFF_FFFF)
      guard at + count <= bytes.count else { return nil }
      if flags & 0x10 != 0 {
        guard at + count + 4 <= bytes.count else { return nil }
        let checksum = checksum(bytes, at..<at + count)
        for place in 0..<4 { bytes[at + count + place] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(place))) }
        at += 4
      }
      at += count
    }
    return nil
  }

  private static func number(_ bytes: borrowing MutableSpan<UInt8>, _ at: Int) -> UInt32 {
    bytes.span.littleEndian(at: at, as: UInt32.self)
  }

  private static func checksum(_ bytes: borrowing MutableSpan<UInt8>, _ part: Range<Int>) -> UInt32 {
    bytes.span.extracting(part).withUnsafeBytes { XXH32($0.baseAddress, $0.count, 0) }
  }
}
