import Testing

@testable import BatchRun
@testable import RunSupport

@Suite("Lines: marks, endings, blanks")
struct LineTests {
  static let chunks = [1, 2, 3, 64, 1 << 20]
  static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// A file of one payment: without any JSON object the other files would not be a batch.
  static let good = Array(Line.payment("good").utf8)

  struct Example: Sendable {
    var text: [UInt8]
    /// Line, offset and code of each exception.
    var exceptions: [String]

    init(_ text: [UInt8], _ exceptions: [String]) {
      self.text = text
      self.exceptions = exceptions
    }
    init(_ text: String, _ exceptions: [String]) { self.init(Array(text.utf8), exceptions) }
  }

  static let examples: [Example] = [
    Example("", []), Example("\n", []), Example("\n\r\n \t\r\n\t", []), Example("\r", []), Example(" \r\r\n", []),
    Example(mark, []), Example(mark + [0x0A], []), Example(mark + [0x20, 0x0D, 0x0A], []),
    // Physical lines, from 1; offsets count all bytes.
    Example("x", ["1 0 MALFORMED_JSON"]), Example("x\n", ["1 0 MALFORMED_JSON"]),
    Example("\n\nx", ["3 2 MALFORMED_JSON"]), Example("\r\n \r\nx\r\n", ["3 5 MALFORMED_JSON"]),
    Example("x\r\r\nx\r", ["1 0 MALFORMED_JSON", "2 4 MALFORMED_JSON"]),
    // The mark counts as three bytes and is skipped at the very start only.
    Example(mark + Array("x".utf8), ["1 3 MALFORMED_JSON"]), Example(mark + Array("\nx".utf8), ["2 4 MALFORMED_JSON"]),
    Example(mark + mark, ["1 3 MALFORMED_JSON"]), Example([0x0A] + mark, ["2 1 MALFORMED_JSON"]),
    Example([0x20] + mark + [0x0A], ["1 0 MALFORMED_JSON"]),
    // Parts of a mark are not UTF-8, and not blank either.
    Example([0xEF], ["1 0 INVALID_UTF8"]), Example([0xEF, 0xBB], ["1 0 INVALID_UTF8"]),
    Example([0xEF, 0x20, 0x0A], ["1 0 INVALID_UTF8"]), Example([0xEF, 0xBB, 0x20, 0x0A], ["1 0 INVALID_UTF8"]),
    Example([0xEF, 0x20, 0xBF, 0x0A], ["1 0 INVALID_UTF8"]),
    Example([0xEF, 0x0A, 0x78], ["1 0 INVALID_UTF8", "2 2 MALFORMED_JSON"]),
    // Other characters that look blank are not.
    Example(
      "\u{A0}\n\u{0B}\n\u{0C}\n\u{2028}",
      ["1 0 MALFORMED_JSON", "2 3 MALFORMED_JSON", "3 5 MALFORMED_JSON", "4 7 MALFORMED_JSON"]),
    // A line feed ends the line even inside of what would be a string.
    Example("{\"memo\":\"\n\"}", ["1 0 MALFORMED_JSON", "2 10 MALFORMED_JSON"]),
  ]

  @Test("which lines are records, and their offsets", arguments: examples, chunks)
  func lines(_ example: Example, chunk: Int) throws {
    let settled = try Workshop().settle([example.text, Self.good], chunk: chunk)
    #expect(settled.exceptions.map { $0.dropLast() } == example.exceptions.map { $0[...] })
    #expect(settled.result?.totals.recordsRead == example.exceptions.count + 1)
  }

  @Test("endings of the last line", arguments: ["", "\n", "\r\n", "\r", " ", "\n\n \n"], chunks)
  func lastLine(ending: String, chunk: Int) throws {
    let settled = try Workshop().settle(Line.payment("A") + "\r\n" + Line.payment("B") + ending, chunk: chunk)
    #expect(settled.exceptions == [])
    #expect(settled.rows("settlement.csv").count == 4)
  }

  @Test("a mark at the start of each file", arguments: chunks)
  func marksOfFiles(chunk: Int) throws {
    let payments = ["A", "B"].map { Self.mark + Array(Line.payment($0).utf8) }
    let settled = try Workshop().settle(payments, chunk: chunk)
    #expect(settled.exceptions == [])
    #expect(settled.result?.totals[.settled] == 2)
  }

  @Test("a file that ends in CR and one that begins with a line feed")
  func carriageReturnBetweenFiles() throws {
    let settled = try Workshop().settle([Array("x\r".utf8), Array("\nx".utf8), Self.good], chunk: 1)
    #expect(settled.exceptions == ["1 0 MALFORMED_JSON ", "2 1 MALFORMED_JSON "])
  }
}
