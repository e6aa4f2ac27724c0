import ExactArithmetic
import Testing
import Text

@Suite("Rows written into room that was made for them")
struct RowWriterTests {
  @Test("as many bytes as there is room for")
  func fits() {
    var text = TextBuffer(capacity: 1)
    text.appendRow(atMost: 8) { row in
      row.append("a".utf8Span.span, UInt8(ascii: ","))
      row.append((0x45, 0x55, 0x52), UInt8(ascii: ","))
      row.append("b".utf8Span.span)
      row.append(UInt8(ascii: "\n"))
    }
    text.append(ExactDecimal("-1.50")!, .zero, ExactDecimal("1e30")!, ExactDecimal("0.00")!, UInt8(ascii: ";"))
    #expect([UInt8](text.span) == Array("a,EUR,b\n-1.50;0;1000000000000000000000000000000;0.00;".utf8))
  }

  @Test("each append traps before it writes past the room")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      var text = TextBuffer(capacity: 64)
      text.appendRow(atMost: 1) { row in
        row.append(1)
        row.append(2)
      }
    }
    await #expect(processExitsWith: .failure) {
      var text = TextBuffer(capacity: 64)
      text.appendRow(atMost: 2) { $0.append("abc".utf8Span.span) }
    }
    await #expect(processExitsWith: .failure) {
      var text = TextBuffer(capacity: 64)
      text.appendRow(atMost: 3) { $0.append("abc".utf8Span.span, UInt8(ascii: ",")) }
    }
    await #expect(processExitsWith: .failure) {
      var text = TextBuffer(capacity: 64)
      text.appendRow(atMost: 3) { $0.append((0x45, 0x55, 0x52), UInt8(ascii: ",")) }
    }
  }
}
