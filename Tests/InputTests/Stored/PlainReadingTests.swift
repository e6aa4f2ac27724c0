import Foundation
import Testing

@testable import Input

@Suite struct PlainReadingTests {
  static let chunkLength = 70_000

  @Test(arguments: [1, 2, 3, 4, 5, 6, 65535, 65536, 65537, 69999, 70000, 70001, 139_999, 140_000, 140_001, 400_000])
  func deliversTheTextInFullChunks(count: Int) throws {
    let text = SampleText.random.bytes(count)
    let outcome = try readAll(bytes: text, plainLength: Self.chunkLength)
    #expect(outcome.text == text)
    #expect(outcome.corruption == nil)
    #expect(outcome.observed == text)
    #expect(outcome.chunkCounts.dropLast().allSatisfy { $0 == Self.chunkLength })
    #expect(outcome.chunkCounts.count == (count + Self.chunkLength - 1) / Self.chunkLength)
  }

  @Test(arguments: [1, 2, 3, 7, 64]) func chunksMayBeTiny(length: Int) throws {
    let text = SampleText.lines.bytes(500)
    #expect(try readAll(bytes: text, plainLength: length).text == text)
  }

  @Test func anEmptyFileHasNoChunk() throws {
    #expect(try readAll(bytes: []).chunkCounts.isEmpty)
  }

  @Test func aChunkServesFilesOfBothKinds() throws {
    let scratch = try Scratch()
    let text = SampleText.lines.bytes(100_000)
    let plain = try scratch.file(text, "plain")
    let frames = try scratch.file(SampleFrame(texts: [Array(text.prefix(60_000))]).bytes, "frames")
    let chunk = TextChunk(plainLength: 30_000)
    for (path, count) in [(plain, 30_000), (frames, 60_000), (plain, 30_000)] {
      let file = try StoredBatchFile(path: path, observing: nil)
      #expect(file.name == path)
      #expect(try file.readNext(into: chunk))
      chunk.expand()
      let read = [UInt8](chunk.span)
      #expect(read == Array(text.prefix(count)))
    }
  }

  /// Proper prefixes of magic numbers, and similar bytes, are text.
  @Test(
    arguments: [
      [0x04, 0x23], [0x22], [0x04, 0x22, 0x4E], [0x50, 0x2A, 0x4D], [0x02, 0x21, 0x4C], [0x1F], [0x28, 0xB5, 0x2F],
      [0x42, 0x5A], [0xFD, 0x37, 0x7A, 0x58], [0x50, 0x4B, 0x03], [0x04, 0x22, 0x4D, 0x19, 0, 0, 0],
      [0xEF, 0xBB, 0xBF],
      [0x60, 0x2A, 0x4D, 0x18, 0, 0, 0, 0],
    ] as [[UInt8]])
  func whatIsNoMagicIsText(start: [UInt8]) throws {
    let outcome = try readAll(bytes: start)
    #expect(outcome.text == start)
    #expect(outcome.corruption == nil)
  }

  @Test(arguments: ForeignFormat.allCases, [0, 100])
  func aForeignFormatIsNamed(format: ForeignFormat, more: Int) throws {
    let outcome = try readAll(bytes: format.magic + SampleText.random.bytes(more))
    let corruption = try #require(outcome.corruption)
    #expect(outcome.text.isEmpty)
    #expect(corruption.storedOffset == 0)
    #expect(corruption.reason.contains("compressed with \(format.rawValue),"))
    #expect(corruption.reason.contains("decompress it first, or recompress with lz4"))
  }

  /// The magic number of a foreign format later in the file is ordinary text.
  @Test(arguments: ForeignFormat.allCases) func aForeignMagicWithinIsText(format: ForeignFormat) throws {
    let text = [0x20] + format.magic
    let outcome = try readAll(bytes: text, plainLength: 1)
    #expect(outcome.text == text)
    #expect(outcome.corruption == nil)
  }
}
