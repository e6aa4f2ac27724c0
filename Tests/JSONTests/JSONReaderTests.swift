import Testing

import JSON

@Suite("Several JSON values of a text")
struct JSONReaderTests {
  @Test("are read one behind the other, with the offsets of their values")
  func several() throws {
    var reader = JSONReader(Array(#"{"a":[1, null],"b":{"c":"x"}} true"#.utf8))
    #expect(JSONTreeTests.shown(try reader.next()) == "{a=[#1 null] b={c='x'}}")
    #expect(reader.scalarOffsets == [6, 9, 24])
    #expect(JSONTreeTests.shown(try reader.next()) == "true")
    #expect(reader.scalarOffsets == [30])
    #expect(reader.byte == nil)
  }

  @Test(
    "have comments where the reader is to skip them",
    arguments: [
      "[1,// ]\n2]", "[1,# ]\n2]", "[1,/* ] \n*/2]", "/**/[1,2]//", "#\n[/***/1/* // */,2]",
    ])
  func comments(text: String) throws {
    var reader = JSONReader(Array(text.utf8), skipsComments: true)
    #expect(JSONTreeTests.shown(try reader.next()) == "[#1 #2]")
    reader.skipSpace()
    #expect(reader.byte == nil)
    #expect(throws: JSONTree.SyntaxError.self) { try JSONTree(parsing: Array(text.utf8)) }
  }

  @Test("have no comments that are not closed, and no other slashes", arguments: ["/*", "/* *", "/*/ 1", "/ 1"])
  func notClosed(text: String) {
    var reader = JSONReader(Array(text.utf8), skipsComments: true)
    #expect(throws: JSONTree.SyntaxError.self) { try reader.next() }
    #expect(reader.offset == 0)
  }

  @Test("end where the text ends for the reader")
  func end() throws {
    var reader = JSONReader(Array(#"["abc"]"#.utf8))
    reader.end = 4
    do throws(JSONTree.SyntaxError) {
      _ = try reader.next()
      Issue.record("was taken")
    } catch {
      #expect(error.offset == 4)
    }
  }

  @Test("are UTF-8 within strings")
  func encoding() {
    for text: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xC3, 0xA9]] {
      #expect(throws: JSONTree.SyntaxError.self) { try JSONTree(parsing: text) }
    }
  }
}
