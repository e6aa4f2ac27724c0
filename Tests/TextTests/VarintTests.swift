import Testing
import Text

@Suite("Numbers of seven bits per byte")
struct VarintTests {
  private static func bytes(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    Varint.write(value) { bytes.append($0) }
    return bytes
  }

  private static func read(_ bytes: [UInt8]) -> UInt64? {
    var rest = bytes[...]
    return Varint.read { rest.popFirst() }
  }

  @Test(
    "each is written as in LEB128, and read back",
    arguments: [
      (0, [0]), (127, [0x7F]), (128, [0x80, 1]), (624_485, [0xE5, 0x8E, 0x26]),
      (.max, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
    ] as [(UInt64, [UInt8])])
  func roundTrip(value: UInt64, bytes: [UInt8]) {
    #expect(Self.bytes(value) == bytes)
    #expect(Self.read(bytes) == value)
  }

  @Test(
    "a truncated number, or one beyond 64 bits, is refused",
    arguments: [[], [0x80], Array(repeating: 0xFF, count: 9) + [2], Array(repeating: 0x80, count: 11)] as [[UInt8]])
  func malformed(bytes: [UInt8]) {
    #expect(Self.read(bytes) == nil)
  }
}
