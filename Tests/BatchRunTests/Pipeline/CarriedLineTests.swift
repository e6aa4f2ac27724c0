import Testing

@testable import BatchRun

@Suite("A line put together from pieces")
struct CarriedLineTests {
  /// The result of the pieces: the line's offset and length, and its bytes if it is within the limit.
  private func finish(
    _ pieces: [[UInt8]], isFileStart: Bool = false, endsFile: Bool = false
  ) -> (offset: Int, length: Int, bytes: [UInt8])? {
    var line = CarriedLine()
    // A line before it with the maximum length: nothing of it may be left.
    line.begin(at: 0, isFileStart: true)
    line.append("an earlier line\r\n".utf8Span.span)
    _ = line.finish(number: 1)
    line.begin(at: 100, isFileStart: isFileStart)
    for piece in pieces { line.append(piece.span) }
    if endsFile { line.endWithoutLineFeed() }
    guard let line = line.finish(number: 7) else { return nil }
    #expect(line.number == 7)
    guard line.length <= 1_048_576 else { return (line.offset, line.length, []) }
    return (line.offset, line.length, [UInt8](line.text.span))
  }

  private static func split(_ text: [UInt8], every length: Int) -> [[UInt8]] {
    stride(from: 0, to: text.count, by: length).map { Array(text[$0..<min(text.count, $0 + length)]) }
  }

  static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  static let lines: [(text: [UInt8], isFileStart: Bool, line: [UInt8]?)] = [
    (Array("abc\n".utf8), false, Array("abc".utf8)), (Array("abc\r\n".utf8), false, Array("abc".utf8)),
    (Array("abc\r\r\n".utf8), false, Array("abc\r".utf8)), (Array("\n".utf8), false, nil),
    (Array("\r\n".utf8), true, nil), (Array(" \t\r\r\n".utf8), true, nil),
    (mark + Array("abc\r\n".utf8), true, Array("abc".utf8)),
    (mark + Array("abc\n".utf8), false, mark + Array("abc".utf8)),
    (mark + [0x0A], true, nil), (mark + [0x0A], false, mark), (mark + Array("  \r\n".utf8), true, nil),
    ([0xEF, 0x0A], true, [0xEF]), ([0xEF, 0xBB, 0x0A], true, [0xEF, 0xBB]),
    ([0xEF, 0x20, 0xBF, 0x0A], true, [0xEF, 0x20, 0xBF]),
    ([0x20, 0x20, 0x20, 0x78, 0x0A], true, [0x20, 0x20, 0x20, 0x78]),
    ([0x78, 0x20, 0x20, 0x20, 0x0A], true, [0x78, 0x20, 0x20, 0x20]),
  ]

  @Test("in pieces of any length", arguments: lines, [1, 2, 3, 100])
  func joins(example: (text: [UInt8], isFileStart: Bool, line: [UInt8]?), length: Int) {
    let line = finish(Self.split(example.text, every: length), isFileStart: example.isFileStart)
    #expect(line?.bytes == example.line)
    let skipped = example.isFileStart && example.text.starts(with: Self.mark) ? 3 : 0
    #expect(line == nil || line?.offset == 100 + skipped)
  }

  @Test("a file may end within it, or within what looks like its ending")
  func endsWithFile() {
    #expect(finish([Array("abc".utf8)], endsFile: true)?.bytes == Array("abc".utf8))
    #expect(finish([Array("abc\r".utf8)], endsFile: true)?.bytes == Array("abc\r".utf8))
    #expect(finish([], isFileStart: true, endsFile: true) == nil)
    #expect(finish([Self.mark], isFileStart: true, endsFile: true) == nil)
    #expect(finish([[0xEF], [0xBB]], isFileStart: true, endsFile: true)?.bytes == [0xEF, 0xBB])
  }

  @Test("a blank line over the limit is blank, even after a mark in pieces", arguments: [0, 1, 2, 3])
  func longBlanks(first: Int) {
    let blank = Array(repeating: UInt8(ascii: " "), count: 1_048_590)
    let mark = Self.split(Array(Self.mark.prefix(first)), every: 1) + [Array(Self.mark.dropFirst(first)) + blank]
    #expect(finish(mark + [[0x0A]], isFileStart: true) == nil)
    #expect(finish([[0xEF], blank, [0x0A]], isFileStart: true)?.length == 1_048_591)
    #expect(finish([blank, Array("x\r\n".utf8)])?.length == 1_048_591)
  }
}
