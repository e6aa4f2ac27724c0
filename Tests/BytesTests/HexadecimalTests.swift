import Bytes
import Testing

@Suite("Bytes as hexadecimal digits")
struct HexadecimalTests {
  @Test("are two lower-case digits each, and read back", arguments: [[], [0], [0x0A, 0xFF], [0x10, 0x9C, 0x00]])
  func bytes(_ bytes: [UInt8]) {
    let text = Hexadecimal.text(bytes)
    #expect(text.utf8.count == 2 * bytes.count)
    #expect(Hexadecimal.bytes(text.utf8) == bytes)
  }

  @Test("are sixteen for a word, the highest first")
  func word() {
    #expect(Hexadecimal.text(0x0123_4567_89AB_CDEF as UInt64) == "0123456789abcdef")
    #expect(Hexadecimal.text(1 as UInt64) == "0000000000000001")
  }

  @Test("are nothing else", arguments: ["0", "0g", "AB", " 1", "0x"])
  func others(_ text: String) {
    #expect(Hexadecimal.bytes(text.utf8) == nil)
  }
}
