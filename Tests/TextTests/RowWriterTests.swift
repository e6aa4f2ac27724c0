import ExactArithmetic
import Testing
import Text

@Suite("Rows written into room that was made for them")
struct RowWriterTests {
  @Test("as many bytes as there is room for")
  func fits() {
    var text = TextBuffer(capacity: 1)
    text.appendRow(atMost: 4) { row in
      row.append("a".utf8Span.span, UInt8(ascii: ","))
      row.append("b".utf8Span.span)
      row.append(UInt8(ascii: "\n"))
    }
    text.appendRow(
      "key".utf8Span.span, "".utf8Span.span, "role".utf8Span.span, "c@d.example".utf8Span.span, (0x45, 0x55, 0x52),
      (
        ExactDecimal("-1.50")!.inlineValue, ExactDecimal.zero.inlineValue, ExactDecimal("1e30")!.inlineValue,
        ExactDecimal("0.00")!.inlineValue
      ), "last".utf8Span.span)
    #expect(
      [UInt8](text.span)
        == Array("a,b\nkey,,role,c@d.example,EUR,-1.50,0,1000000000000000000000000000000,0.00,last\n".utf8))
  }

  @Test("a text after its length, and a number of variable length")
  func compact() {
    var text = TextBuffer(capacity: 1)
    text.appendRow(atMost: 14) { row in
      row.append(counted: "abc".utf8Span.span)
      row.append(varint: 300)
    }
    #expect([UInt8](text.span) == [3, 0x61, 0x62, 0x63, 0xAC, 0x02])
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
      text.appendRow(atMost: 3) { $0.append(counted: "abc".utf8Span.span) }
    }
    await #expect(processExitsWith: .failure) {
      var text = TextBuffer(capacity: 64)
      text.appendRow(atMost: 9) { $0.append(varint: 1) }
    }
  }
}
