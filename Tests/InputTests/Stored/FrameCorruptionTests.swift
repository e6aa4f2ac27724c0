import Testing

@testable import Input

/// Each way in which a frame can be wrong, and the message to the user.
@Suite struct FrameCorruptionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var stored: [UInt8]
    /// Part of the message to the user.
    var reason: String
    var storedOffset: UInt64?
    /// The text before the fault.
    var text: [UInt8] = []
  }

  static let text = SampleText.lines.bytes(500)
  static let good = SampleFrame(hasBlockChecksums: true, hasContentChecksum: true, texts: [text, [0x41]])

  static let headers: [Case] = [
    Case(
      testDescription: "version", stored: SampleFrame(version: 3).bytes,
      reason: "frame 1 has format version 3, where 1 is", storedOffset: 0),
    Case(
      testDescription: "reserved", stored: SampleFrame(extraFlags: 2).bytes, reason: "reserved bits", storedOffset: 0),
    Case(
      testDescription: "block size", stored: SampleFrame(blockCode: 3).bytes,
      reason: "block size code 3, where 4 to 7", storedOffset: 0),
    Case(
      testDescription: "header checksum", stored: SampleFrame(headerChecksumError: 1).bytes,
      reason: "frame 1 does not match its header checksum (found 0x", storedOffset: 0),
    Case(
      testDescription: "dictionary", stored: SampleFrame(dictionary: 0xAB).bytes, reason: "dictionary 0x000000AB",
      storedOffset: 0),
    Case(
      testDescription: "legacy first", stored: stored(UInt32(0x184C_2102)) + [0, 0, 0, 0], reason: "legacy",
      storedOffset: 0),
    Case(
      testDescription: "legacy second", stored: good.bytes + stored(UInt32(0x184C_2102)), reason: "legacy",
      storedOffset: UInt64(good.bytes.count), text: good.text),
    Case(
      testDescription: "trailing bytes", stored: good.bytes + [1, 2, 3, 4, 5],
      reason: "bytes that start no LZ4 frame (01 02 03 04)", storedOffset: UInt64(good.bytes.count), text: good.text),
    Case(
      testDescription: "one trailing byte", stored: good.bytes + [0], reason: "bytes that start no LZ4 frame (00)",
      storedOffset: UInt64(good.bytes.count), text: good.text),
    Case(
      testDescription: "truncated magic behind a frame", stored: good.bytes + [4, 0x22],
      reason: "ends in the magic number of an LZ4 frame (found 2 bytes, expected 4)",
      storedOffset: UInt64(good.bytes.count + 2), text: good.text),
    Case(
      testDescription: "gzip behind a frame", stored: good.bytes + [0x1F, 0x8B, 8, 0], reason: "start no LZ4 frame",
      text: good.text),
    Case(
      testDescription: "text behind a skippable frame", stored: SampleFrame.skippable([1]) + [0x7B, 0x7D, 10, 10],
      reason: "start no LZ4 frame", storedOffset: 9),
    Case(testDescription: "1 byte of magic", stored: [4], reason: "truncated", storedOffset: 1),
    Case(testDescription: "2 bytes of magic", stored: [4, 0x22], reason: "truncated", storedOffset: 2),
    Case(testDescription: "3 bytes of magic", stored: [4, 0x22, 0x4D], reason: "truncated", storedOffset: 3),
    Case(
      testDescription: "skippable longer than the file", stored: SampleFrame.skippable([1, 2], claiming: .max),
      reason: "skippable frame (found 2 bytes, expected 4294967295)", storedOffset: 10),
    Case(
      testDescription: "skippable without length", stored: stored(UInt32(0x184D_2A5F)) + [1],
      reason: "the length of a skippable frame", storedOffset: 5),
  ]

  static let second = UInt64(good.header.count + good.blocks[0].count)
  static let blocks: [Case] = [
    Case(
      testDescription: "block checksum",
      stored: SampleFrame(hasBlockChecksums: true, blockChecksumError: 1, texts: [text]).bytes,
      reason: "block 1 of frame 1 does not match its checksum (found 0x", storedOffset: 7),
    Case(
      testDescription: "checksum of a block stored as it is",
      stored: SampleFrame(hasBlockChecksums: true, blockChecksumError: 1, texts: [text], compresses: false).bytes,
      reason: "block 1 of frame 1 does not match its checksum", storedOffset: 7),
    Case(
      testDescription: "second block",
      stored: good.header + good.blocks[0] + good.blocks[1].dropLast() + [0, 0, 0, 0, 0],
      reason: "block 2 of frame 1 does not match", storedOffset: second, text: text),
    Case(
      testDescription: "content checksum",
      stored: SampleFrame(hasContentChecksum: true, contentChecksumError: 1 << 31, texts: [text]).bytes,
      reason: "frame 1 does not match its content checksum (found 0x", text: text),
    Case(
      testDescription: "content checksum of the second frame, and worse to come",
      stored: good.bytes + SampleFrame(hasContentChecksum: true, contentChecksumError: 1, texts: [text]).bytes + [9],
      reason: "frame 2 does not match its content checksum", text: good.text + text),
    Case(
      testDescription: "content too short", stored: SampleFrame(contentSize: 501, texts: [text]).bytes,
      reason: "content size (found 500 bytes of text, expected 501)", text: text),
    Case(
      testDescription: "content too long", stored: SampleFrame(contentSize: 499, texts: [text]).bytes,
      reason: "content size (found 500 bytes of text, expected 499)", text: text),
    Case(
      testDescription: "absurd content size", stored: SampleFrame(contentSize: .max, texts: [text]).bytes,
      reason: "expected 18446744073709551615", text: text),
    Case(
      testDescription: "block too large",
      stored: SampleFrame(texts: [text], beforeEnd: stored(UInt32(65537)) + SampleText.random.bytes(65537)).bytes,
      reason: "block 2 of frame 1 is too large (found 65537 stored bytes, expected at most 65536)", text: text),
    Case(
      testDescription: "block stored as it is too large",
      stored: SampleFrame(texts: [SampleText.random.bytes(65537)], compresses: false).bytes,
      reason: "block 1 of frame 1 is too large (found 65537", storedOffset: 7),
    Case(
      testDescription: "absurd block", stored: SampleFrame(texts: [text], beforeEnd: stored(UInt32.max)).bytes,
      reason: "too large (found 2147483647", text: text),
    Case(
      testDescription: "block expands to more than it may",
      stored: SampleFrame(texts: [text, SampleText.repetitive.bytes(65537)]).bytes,
      reason: "block 2 of frame 1 cannot be expanded", text: text),
    Case(
      testDescription: "malformed block",
      stored: SampleFrame(texts: [text], beforeEnd: stored(UInt32(5)) + [0x0F, 0xFF, 0xFF, 0xFF, 0xFF]).bytes,
      reason: "block 2 of frame 1 cannot be expanded", text: text),
    Case(
      testDescription: "a match before the start of an independent block",
      stored: SampleFrame(texts: [text], beforeEnd: stored(UInt32(10)) + [0x10, 65, 9, 0, 0x50, 65, 65, 65, 65, 65])
        .bytes,
      reason: "block 2 of frame 1 cannot be expanded", text: text),
    Case(
      testDescription: "a match before the start of a linked frame",
      stored: good.bytes
        + SampleFrame(isLinked: true, beforeEnd: stored(UInt32(10)) + [0x10, 65, 9, 0, 0x50, 65, 65, 65, 65, 65]).bytes,
      reason: "block 1 of frame 2 cannot be expanded", text: good.text),
  ]

  @Test(arguments: headers + blocks) func isReported(_ sample: Case) throws {
    for length in [1, 600, 4 << 20] {
      let outcome = try readAll(bytes: sample.stored, blocksLength: length)
      let corruption = try #require(outcome.corruption)
      #expect(corruption.reason.contains(sample.reason), "\(corruption)")
      #expect(outcome.text == sample.text)
      #expect(corruption.storedOffset <= UInt64(sample.stored.count))
      if let offset = sample.storedOffset { #expect(corruption.storedOffset == offset) }
    }
  }

  @Test func isToldWithFileAndPlace() throws {
    let scratch = try Scratch()
    let path = try scratch.file([4, 0x22, 0x4D])
    let corruption = try #require(readAll(path).corruption)
    #expect(corruption.file == path)
    #expect(
      corruption.description
        == "\(path): the file is truncated: it ends in the magic number of an LZ4 frame (found 3 bytes, expected 4) "
        + "(at stored byte 3)")
  }

  @Test func nothingIsReadAfterACorruption() throws {
    let scratch = try Scratch()
    let file = try StoredBatchFile(path: scratch.file(SampleFrame(version: 3).bytes), observing: nil)
    let chunk = TextChunk()
    #expect(try file.readNext(into: chunk))
    #expect(chunk.isLastOfFile)
    #expect(chunk.corruption != nil)
    #expect(try !file.readNext(into: chunk))
    #expect(chunk.corruption == nil)
  }

  @Test(arguments: [false, true], [false, true])
  func everyTruncationIsCorrupt(linked: Bool, compresses: Bool) throws {
    let frame = SampleFrame(
      isLinked: linked, hasBlockChecksums: true, hasContentChecksum: true, contentSize: 901,
      texts: [Self.text, Array(Self.text.prefix(400)), [0x41]], compresses: compresses)
    let bytes = SampleFrame.skippable([9, 9, 9]) + frame.bytes
    // Before the frame begins there is a complete file of one skippable frame (11), nothing (0), or plain text.
    for count in 1..<bytes.count where count != 11 && count > 3 {
      let outcome = try readAll(bytes: Array(bytes.prefix(count)), blocksLength: 700)
      #expect(outcome.corruption != nil, "\(count) bytes")
      #expect(frame.text.starts(with: outcome.text), "\(count) bytes")
    }
    let outcome = try readAll(bytes: bytes, blocksLength: 700)
    #expect(outcome.corruption == nil)
    #expect(outcome.text == frame.text)
  }
}
