import Testing

@testable import BatchRun
@testable import RunSupport

@Suite("The limit of 1,048,576 bytes a record")
struct LineLimitTests {
  private func rows(_ text: [UInt8], chunk: Int = 1 << 20) throws -> [String] {
    try Workshop().settle([text, LineTests.good], chunk: chunk).exceptions
  }

  @Test("it applies to the record; neither mark nor line ending counts", arguments: [0, 1], [0, 3])
  func limits(over: Int, mark: Int) throws {
    let long = Line.payment("L", length: Line.limit + over)
    #expect(long.utf8.count == Line.limit + over)
    for (ending, chunk) in [("\n", 1 << 20), ("\r\n", 4096), ("\r\n", 3 << 20), ("\n", 3 << 20)] {
      // In front, after the mark, and in the middle of a chunk.
      let text = Array(LineTests.mark.prefix(mark)) + Array((long + ending + Line.payment("B") + ending + long).utf8)
      let third = mark + 2 * ending.utf8.count + long.utf8.count + Line.payment("B").utf8.count
      let expected =
        over == 0
        ? ["3 \(third) DUPLICATE_PAY_KEY /payKey"] : ["1 \(mark) RECORD_TOO_LONG ", "3 \(third) RECORD_TOO_LONG "]
      #expect(try rows(text, chunk: chunk) == expected, "chunks of \(chunk)")
    }
  }

  @Test("it is the same without a line ending; a CR without an LF after it counts")
  func atTheEnd() throws {
    let long = Array(Line.payment("L", length: Line.limit).utf8)
    #expect(try rows(long) == [])
    #expect(try rows(long + [0x0D]) == ["1 0 RECORD_TOO_LONG "])
    #expect(try rows(long + [0x0D, 0x0D, 0x0A]) == ["1 0 RECORD_TOO_LONG "])
    #expect(try rows(long + [0x0D, 0x0A]) == [])
    #expect(try rows(long + [0x78]) == ["1 0 RECORD_TOO_LONG "])
  }

  @Test("a blank line of any length is skipped", arguments: [5000, 1 << 20, 4 << 20], [[], LineTests.mark])
  func longBlanks(chunk: Int, mark: [UInt8]) throws {
    let blank = mark + Array(repeating: UInt8(ascii: " "), count: 2 << 20)
    #expect(try rows(blank, chunk: chunk) == [])
    #expect(try rows(blank + Array("\nx".utf8), chunk: chunk) == ["2 \(blank.count + 1) MALFORMED_JSON "])
    #expect(try rows(blank + Array("\r\nx".utf8), chunk: chunk) == ["2 \(blank.count + 2) MALFORMED_JSON "])
  }

  @Test("one byte that is not blank makes a long line a record", arguments: [5000, 4 << 20])
  func longAlmostBlanks(chunk: Int) throws {
    let blank = Array(repeating: UInt8(ascii: " "), count: 2 << 20)
    #expect(try rows(blank + [0x78], chunk: chunk) == ["1 0 RECORD_TOO_LONG "])
    #expect(try rows([0x78] + blank + [0x0A], chunk: chunk) == ["1 0 RECORD_TOO_LONG "])
    #expect(try rows([0xEF] + blank, chunk: chunk) == ["1 0 RECORD_TOO_LONG "])
  }
}
