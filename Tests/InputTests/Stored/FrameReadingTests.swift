import Foundation
import Testing

@testable import Input

/// Files written by the lz4 command.
@Suite(.enabled(if: LZ4Command.path != nil)) struct CommandRoundTripTests {
  static let options: [[String]] = [
    [], ["-B4"], ["-B5"], ["-B6"], ["-B7"], ["-B4", "-BD"], ["-B5", "-BD"], ["-B7", "-BD"], ["-BX"],
    ["-B4", "-BD", "-BX"],
    ["--no-frame-crc"], ["-B4", "--no-frame-crc"], ["--content-size"], ["-B4", "-BD", "-BX", "--content-size"],
    ["-9", "-B6"],
  ]

  @Test(arguments: options, SampleText.allCases)
  func readsWhatTheCommandWrites(options: [String], kind: SampleText) throws {
    let text = kind.bytes(4_800_000)
    let stored = try LZ4Command.compress(text, options)
    let outcome = try readAll(bytes: stored)
    #expect(outcome.corruption == nil)
    #expect(outcome.text == text)
    #expect(outcome.observed == stored)
    if options.contains("-B4") { #expect(outcome.chunkCounts.count <= 2, "blocks are combined") }
  }

  /// The command itself (1.9.4) fails on 65,535 bytes with -B4.
  @Test(arguments: [0, 1, 65_000, 65536, 65537, 131_072, 300_000], [["-B4"], ["-B4", "-BD", "-BX"]])
  func sizesAroundABlock(count: Int, options: [String]) throws {
    let text = SampleText.lines.bytes(count)
    let outcome = try readAll(bytes: LZ4Command.compress(text, options), blocksLength: 65536)
    #expect(outcome.corruption == nil)
    #expect(outcome.text == text)
  }

  @Test func oneAfterTheOther() throws {
    let text = SampleText.lines.bytes(200_000)
    var stored = SampleFrame.skippable([], kind: 15)
    for options in [["-B4"], ["-B4", "-BD"], ["-B4", "-BD"], ["-BX"], [], ["--content-size"]] {
      stored += try LZ4Command.compress(text, options) + SampleFrame.skippable(Array(text.prefix(70_000)), kind: 3)
    }
    for length in [1, 65536, 100_000, 4 << 20] {
      let outcome = try readAll(bytes: stored, blocksLength: length)
      #expect(outcome.corruption == nil)
      #expect(outcome.text == (0..<6).flatMap { _ in text })
    }
  }

  @Test func theLegacyFormatIsRefused() throws {
    let stored = try LZ4Command.compress(SampleText.lines.bytes(1000), ["-l"])
    let outcome = try readAll(bytes: stored)
    #expect(outcome.corruption?.reason.contains("legacy") == true)
  }
}

/// Frames built by hand.
@Suite struct FrameReadingTests {
  @Test(arguments: [
    [], SampleFrame.skippable([]), SampleFrame.skippable([4, 5], kind: 7) + SampleFrame.skippable([1]),
  ])
  func nothingButSkippableFramesIsAnEmptyBatch(stored: [UInt8]) throws {
    let outcome = try readAll(bytes: stored)
    #expect(outcome.chunkCounts.isEmpty)
    #expect(outcome.corruption == nil)
    #expect(outcome.observed == stored)
  }

  @Test(arguments: [false, true]) func anEmptyFrameIsAnEmptyBatch(checked: Bool) throws {
    let outcome = try readAll(bytes: SampleFrame(hasContentChecksum: checked).bytes)
    #expect(outcome.text.isEmpty)
    #expect(outcome.corruption == nil)
  }

  @Test func anEmptyBlockStoredAsItIsHoldsNothing() throws {
    let frame = SampleFrame(hasBlockChecksums: true, texts: [[], [0x41], []], compresses: false)
    #expect(try readAll(bytes: frame.bytes).text == [0x41])
  }

  @Test(arguments: [false, true], [false, true])
  func fullBlocksOfEverySize(linked: Bool, compresses: Bool) throws {
    for code in UInt8(4)...7 {
      let text = SampleText.random.bytes(1 << (8 + 2 * Int(code)))
      // The second block repeats the first, as far as links reach.
      let frame = SampleFrame(
        blockCode: code, isLinked: linked, hasContentChecksum: true, contentSize: UInt64(2 * text.count),
        texts: [text, text.suffix(60_000) + text.dropLast(60_000)], compresses: compresses)
      // Incompressible text grows when it is compressed anyway, beyond the maximum of a block.
      guard frame.blocks.allSatisfy({ $0.count <= text.count + 4 }) else { continue }
      let outcome = try readAll(bytes: frame.bytes)
      #expect(outcome.corruption == nil)
      #expect(outcome.text == frame.text)
    }
  }

  @Test(arguments: [1, 1000, 65_536, 65_537, 70_000, 200_000])
  func linksReachAcrossChunks(length: Int) throws {
    let unit = SampleText.random.bytes(20_000)
    let frame = SampleFrame(
      isLinked: true, hasBlockChecksums: true, hasContentChecksum: true,
      texts: (0..<15).map { Array(unit.dropFirst($0 * 11)) + unit.prefix($0 * 11) })
    #expect(frame.bytes.count < 100_000, "the blocks refer to each other")
    let outcome = try readAll(bytes: frame.bytes + frame.bytes, blocksLength: length)
    #expect(outcome.corruption == nil)
    #expect(outcome.text == frame.text + frame.text)
  }

  @Test(arguments: [1, 100, 1 << 20], [false, true])
  func manySmallFrames(length: Int, linked: Bool) throws {
    let frame = SampleFrame(isLinked: linked, hasContentChecksum: true, texts: [[0x41, 0x42], [0x43]])
    let bytes = frame.bytes + SampleFrame(hasContentChecksum: true).bytes
    let outcome = try readAll(bytes: (0..<1500).flatMap { _ in bytes }, blocksLength: length)
    #expect(outcome.corruption == nil)
    #expect(outcome.text == (0..<1500).flatMap { _ in frame.text })
    if length > 1 << 10, !linked { #expect(outcome.chunkCounts.count < 3000) }
  }

  /// 255 bytes of text per stored byte: the chunk takes no more than announced.
  @Test(arguments: [UInt8(4), 7]) func whatSwellsStaysWithinTheChunk(code: UInt8) throws {
    let maximum = 1 << (8 + 2 * Int(code))
    let text = [UInt8](repeating: 0, count: maximum)
    let frame = SampleFrame(blockCode: code, texts: Array(repeating: text, count: (12 << 20) / maximum))
    let outcome = try readAll(bytes: frame.bytes)
    #expect(outcome.text.count == 12 << 20)
    #expect(outcome.chunkCounts.allSatisfy { $0 <= 4 << 20 })
  }

  /// As in the reference implementation, a size of 0 means that the size is unknown.
  @Test func aContentSizeOfZeroSaysNothing() throws {
    let outcome = try readAll(bytes: SampleFrame(contentSize: 0, texts: [[0x41]]).bytes)
    #expect(outcome.text == [0x41])
    #expect(outcome.corruption == nil)
  }

  @Test func theNameDecidesNothing() throws {
    let scratch = try Scratch()
    let frame = SampleFrame(texts: [[0x41]])
    #expect(try readAll(scratch.file(frame.bytes, "batch.txt")).text == [0x41])
    #expect(try readAll(scratch.file([0x42], "batch.lz4")).text == [0x42])
  }
}
