import Testing

@testable import Input

@Suite struct LZ4FrameHeaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frame: SampleFrame
    var reason: String
  }

  static let faults: [Case] = [
    Case(
      testDescription: "version 0", frame: SampleFrame(version: 0),
      reason: "has format version 0, where 1 is the only one known"),
    Case(
      testDescription: "version 2", frame: SampleFrame(version: 2),
      reason: "has format version 2, where 1 is the only one known"),
    Case(
      testDescription: "reserved flag", frame: SampleFrame(extraFlags: 0x02),
      reason:
        "sets reserved bits in its header (flags 0x62, block descriptor 0x40), where zeros were expected"),
    Case(
      testDescription: "reserved top bit", frame: SampleFrame(extraDescriptor: 0x80),
      reason:
        "sets reserved bits in its header (flags 0x60, block descriptor 0xC0), where zeros were expected"),
    Case(
      testDescription: "reserved low bits", frame: SampleFrame(extraDescriptor: 0x08),
      reason:
        "sets reserved bits in its header (flags 0x60, block descriptor 0x48), where zeros were expected"),
    Case(
      testDescription: "block size 0", frame: SampleFrame(blockCode: 0),
      reason: "has block size code 0, where 4 to 7 were expected"),
    Case(
      testDescription: "block size 3", frame: SampleFrame(blockCode: 3),
      reason: "has block size code 3, where 4 to 7 were expected"),
    Case(
      testDescription: "dictionary", frame: SampleFrame(contentSize: 9, dictionary: 0xCAFE_F00D),
      reason: "needs dictionary 0xCAFEF00D, and dictionaries are not supported: recompress without one"),
  ]

  @Test(arguments: faults) func refuses(_ sample: Case) {
    let bytes = Array(sample.frame.header.dropFirst(4))
    #expect(throws: LZ4FrameHeader.Fault(reason: sample.reason)) {
      try LZ4FrameHeader(bytes.span)
    }
  }

  @Test func refusesAWrongChecksum() {
    let frame = SampleFrame(headerChecksumError: 0x10)
    let (found, expected) = (hexadecimal(frame.header[6]), hexadecimal(frame.header[6] ^ 0x10))
    let bytes = Array(frame.header.dropFirst(4))
    let reason = "does not match its header checksum (found \(found), expected \(expected))"
    #expect(throws: LZ4FrameHeader.Fault(reason: reason)) {
      try LZ4FrameHeader(bytes.span)
    }
  }

  @Test(arguments: [UInt8(4), 5, 6, 7], [false, true])
  func readsWhatTheWriterChose(code: UInt8, flag: Bool) throws {
    let frame = SampleFrame(
      blockCode: code, isLinked: flag, hasBlockChecksums: !flag, hasContentChecksum: flag,
      contentSize: flag ? nil : 0x0102_0304_0506_0708)
    let bytes = Array(frame.header.dropFirst(4))
    let header = try LZ4FrameHeader(bytes.span)
    #expect(header.blockMaximum == [4: 65536, 5: 262_144, 6: 1 << 20, 7: 4 << 20][code])
    #expect(header.blocksAreLinked == flag)
    #expect(header.hasBlockChecksums == !flag)
    #expect(header.hasContentChecksum == flag)
    #expect(header.contentSize == (flag ? nil : 0x0102_0304_0506_0708))
  }

  @Test func writesNumbersInFull() {
    #expect(hexadecimal(UInt32(0xA0B)) == "0x00000A0B")
    #expect(hexadecimal(UInt8(0)) == "0x00")
    #expect(hexadecimal(UInt32.max) == "0xFFFFFFFF")
  }
}
