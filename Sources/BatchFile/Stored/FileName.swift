/// File names as they are: bytes, which need not be UTF-8.
///
/// A name is handled as a string in which a byte that is not UTF-8 stands as the private-use character U+10F700 plus
/// the byte; such characters themselves are taken apart in the same way, so that every name comes back as it was.
public enum FileName {
  private static let base: UInt32 = 0x10F700

  /// The string of a name's bytes.
  public static func string(_ bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    bytes.withUnsafeBufferPointer { name in
      guard let start = name.baseAddress else { return }
      var at = 0
      while at < name.count {
        let length = UTF8Text.sequenceLength(start + at, count: name.count - at)
        let piece = String(decoding: name[at..<at + max(1, length)], as: UTF8.self).unicodeScalars
        if length > 0, let scalar = piece.first, scalar.value & ~0xFF != base {
          scalars.append(scalar)
        } else {
          for byte in name[at..<at + max(1, length)] {
            scalars.append(Unicode.Scalar(base + UInt32(byte)).unsafelyUnwrapped)
          }
        }
        at += max(1, length)
      }
    }
    return String(scalars)
  }

  /// The bytes of a name's string.
  public static func bytes(_ string: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in string.unicodeScalars {
      if scalar.value & ~0xFF == base {
        bytes.append(UInt8(scalar.value & 0xFF))
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      }
    }
    return bytes
  }

  /// Calls `body` with a name as the system takes it.
  public static func withCString<Result>(_ string: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes(string) + [0]).withUnsafeBufferPointer { name in
      name.withMemoryRebound(to: CChar.self) { body($0.baseAddress.unsafelyUnwrapped) }
    }
  }
}
