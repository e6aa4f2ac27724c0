import Testing

@testable import BatchFile

@Suite struct LZ4FrameHeaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frame: SampleFrame
    var fault: LZ4FrameHeader.Fault
  }

  static let faults: [Case] = [
    Case(testDescription: "version 0", frame: SampleFrame(version: 0), fault: .version(0)),
    Case(testDescription: "version 2", frame: SampleFrame(version: 2), fault: .version(2)),
    Case(
      testDescription: "reserved flag", frame: SampleFrame(extraFlags: 0x02),
      fault: .reservedBits(flags: 0x62, blockDescriptor: 0x40)),
    Case(
      testDescription: "reserved top bit", frame: SampleFrame(extraDescriptor: 0x80),
      fault: .reservedBits(flags: 0x60, blockDescriptor: 0xC0)),
    Case(
      testDescription: "reserved low bits", frame: SampleFrame(extraDescriptor: 0x08),
      fault: .reservedBits(flags: 0x60, blockDescriptor: 0x48)),
    Case(testDescription: "block size 0", frame: SampleFrame(blockCode: 0), fault: .blockSizeCode(0)),
    Case(testDescription: "block size 3", frame: SampleFrame(blockCode: 3), fault: .blockSizeCode(3)),
    Case(
      testDescription: "dictionary", frame: SampleFrame(contentSize: 9, dictionary: 0xCAFE_F00D),
      fault: .dictionary(0xCAFE_F00D)),
  ]

  @Test(arguments: faults) func refuses(_ sample: Case) {
    let bytes = Array(sample.frame.header.dropFirst(4))
    #expect(throws: sample.fault) { try bytes.withUnsafeBytes { try LZ4FrameHeader($0) } }
    #expect(!sample.fault.reason.isEmpty)
  }

  @Test func refusesAWrongChecksum() {
    let frame = SampleFrame(headerChecksumError: 0x10)
    let found = frame.header[6]
    #expect(throws: LZ4FrameHeader.Fault.checksum(found: found, expected: found ^ 0x10)) {
      try Array(frame.header.dropFirst(4)).withUnsafeBytes { try LZ4FrameHeader($0) }
    }
  }

  @Test(arguments: [UInt8(4), 5, 6, 7], [false, true])
  func readsWhatTheWriterChose(code: UInt8, flag: Bool) throws {
    let frame = SampleFrame(
      blockCode: code, isLinked: flag, hasBlockChecksums: !flag, hasContentChecksum: flag,
      contentSize: flag ? nil : 0x0102_0304_0506_0708)
    let header = try Array(frame.header.dropFirst(4)).withUnsafeBytes { try LZ4FrameHeader($0) }
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
