import Testing
import Text

@Suite("Texts that grow")
struct TextBufferTests {
  @Test("numbers are appended and written over others, the lowest byte first")
  func numbers() {
    var text = TextBuffer(capacity: 1)
    text.append("ab")
    text.append(littleEndian: UInt32(0x0403_0201))
    text.append(littleEndian: Int64(-2))
    #expect([UInt8](text.span) == Array("ab".utf8) + [1, 2, 3, 4, 0xFE] + [UInt8](repeating: 0xFF, count: 7))
    text.set(littleEndian: UInt16(0x0605), at: 0)
    text.set(littleEndian: UInt64(7), at: text.count - 8)
    #expect([UInt8](text.span) == [5, 6, 1, 2, 3, 4, 7] + [UInt8](repeating: 0, count: 7))
  }
}
