/// The kind of frame that four bytes at a frame boundary announce.
enum LZ4Magic: Equatable, Sendable {
  case frame
  case skippable
  case legacy
  case unknown

  /// The number that begins an LZ4 frame. It is stored little endian.
  static let frameNumber: UInt32 = 0x184D_2204
  /// `frameNumber` as stored.
  static let frameBytes: [UInt8] = [0x04, 0x22, 0x4D, 0x18]

  init(_ number: UInt32) {
    switch number {
    case Self.frameNumber: self = .frame
    case 0x184D_2A50...0x184D_2A5F: self = .skippable
    case 0x184C_2102: self = .legacy
    default: self = .unknown
    }
  }
}

/// The descriptor of an LZ4 frame: the options of its writer.
///
/// Source: the LZ4 frame format description, version 1.6.x, "Frame Descriptor".
struct LZ4FrameHeader: Equatable, Sendable {
  /// The most text one block holds, in bytes: 64 KiB, 256 KiB, 1 MiB or 4 MiB.
  let blockMaximum: Int
  /// Whether blocks refer to the 64 KiB of text before them.
  let blocksAreLinked: Bool
  let hasBlockChecksums: Bool
  let hasContentChecksum: Bool
  /// The bytes of text that the frame states; nil if it states none.
  let contentSize: UInt64?

  /// Why a descriptor is refused.
  struct Fault: Error, Equatable, Sendable {
    /// The message for the user; it follows "frame 1".
    let reason: String
  }

  private static let linkedOff: UInt8 = 0x20
  private static let blockChecksum: UInt8 = 0x10
  private static let size: UInt8 = 0x08
  private static let contentChecksum: UInt8 = 0x04
  private static let dictionary: UInt8 = 0x01

  /// The length of a descriptor in bytes, from its flags to its checksum, both included: 3 to 15.
  static func byteCount(flags: UInt8, blockDescriptor: UInt8) throws(Fault) -> Int {
    guard flags >> 6 == 1 else {
      throw Fault(reason: "has format version \(flags >> 6), where 1 is the only one known")
    }
    guard flags & 0x02 == 0, blockDescriptor & 0x8F == 0 else {
      throw Fault(
        reason: "sets reserved bits in its header (flags \(hexadecimal(flags)), block descriptor "
          + "\(hexadecimal(blockDescriptor))), where zeros were expected")
    }
    guard blockDescriptor >> 4 >= 4 else {
      throw Fault(reason: "has block size code \(blockDescriptor >> 4), where 4 to 7 were expected")
    }
    return 3 + (flags & size != 0 ? 8 : 0) + (flags & dictionary != 0 ? 4 : 0)
  }
}

// In an extension, to keep the memberwise initializer.
extension LZ4FrameHeader {
  /// Parses a whole descriptor of `byteCount` bytes.
  init(_ bytes: Span<UInt8>) throws(Fault) {
    let flags = bytes[0]
    let count = try Self.byteCount(flags: flags, blockDescriptor: bytes[1])
    precondition(bytes.count == count, "the descriptor has \(count) bytes, not \(bytes.count)")
    let expected = Self.checksum(bytes.extracting(droppingLast: 1))
    guard bytes[count - 1] == expected else {
      throw Fault(reason: "does not match its header checksum \(found(bytes[count - 1], expected: expected))")
    }
    if flags & Self.dictionary != 0 {
      let number = bytes.littleEndian(at: count - 5, as: UInt32.self)
      throw Fault(
        reason: "needs dictionary \(hexadecimal(number)), and dictionaries are not supported: recompress without one")
    }
    blockMaximum = 1 << (8 + 2 * Int(bytes[1] >> 4))
    blocksAreLinked = flags & Self.linkedOff == 0
    hasBlockChecksums = flags & Self.blockChecksum != 0
    hasContentChecksum = flags & Self.contentChecksum != 0
    contentSize = flags & Self.size == 0 ? nil : bytes.littleEndian(at: 2, as: UInt64.self)
  }

  /// The second byte of the XXH32 of the descriptor without its own checksum byte.
  static func checksum(_ bytes: Span<UInt8>) -> UInt8 { UInt8(truncatingIfNeeded: ContentChecksum.of(bytes) >> 8) }
}

/// `number` as messages show checksums and magic numbers: `0x` and all its digits.
func hexadecimal<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
  let digits = String(number, radix: 16, uppercase: true)
  return "0x" + String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
}

/// Two numbers that should be equal, as messages show them.
func found<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number, expected: Number) -> String {
  "(found \(hexadecimal(number)), expected \(hexadecimal(expected)))"
}
