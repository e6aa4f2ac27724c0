import Foundation
import TestOracles
import Testing

@testable import Input

@Suite struct LZ4FrameWriterTests {
  private func write(_ text: [UInt8]) throws -> [UInt8] {
    let written = Collected()
    let writer = try LZ4FrameWriter { written.bytes.append($0) }
    for part in LZ4FrameWriter.blocks(of: text.count) {
      let piece = text.span.extracting(part)
      try writer.append(LZ4FrameWriter.compressBlock(piece).span, of: piece)
    }
    try writer.finish()
    return written.bytes
  }

  @Test(arguments: [0, 1, 12, 13, 100_000, 4 << 20, 4 << 20 + 1, 9_000_000], SampleText.allCases)
  func whatIsWrittenIsRead(count: Int, kind: SampleText) throws {
    let text = kind.bytes(count)
    let stored = try write(text)
    #expect(stored.count <= count + 15 + 4 * (count / (4 << 20) + 1))
    if kind == .repetitive, count > 100 { #expect(stored.count < count / 50) }
    let outcome = try readAll(bytes: stored)
    #expect(outcome.corruption == nil)
    #expect(outcome.text == text)
    #expect(FrameOracle.text(stored) == text)
  }

  @Test(.enabled(if: LZ4Command.path != nil)) func theCommandReadsWhatIsWritten() throws {
    let scratch = try Scratch()
    let text = SampleText.lines.bytes(5_000_000)
    let path = try scratch.file(write(text), "stored")
    try LZ4Command.run(["-q", "-d", "-f", path, scratch.path + "/text"])
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/text"))) == text)
  }

  struct DiskFull: Error {}

  @Test func anErrorOfTheOutputIsPassedOn() throws {
    #expect(throws: DiskFull.self) { try LZ4FrameWriter { _ in throw DiskFull() } }
    let text: [UInt8] = [1, 2, 3]
    var allowed = 1
    let writer = try LZ4FrameWriter { _ in
      allowed -= 1
      if allowed < 0 { throw DiskFull() }
    }
    #expect(throws: DiskFull.self) {
      try writer.append(LZ4FrameWriter.compressBlock(text.span).span, of: text.span)
    }
  }
}
