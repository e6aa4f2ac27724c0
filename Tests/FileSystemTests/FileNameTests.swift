import Testing

@testable import FileSystem

/// Converts file names to strings and back.
@Suite struct FileNameTests {
  @Test(
    "every name survives the conversion and back",
    arguments: [
      "night.jsonl", "n\u{e4}cht \u{1F319}", "", "\u{10F7FF}", "a\u{10F741}b",
    ].map { Array($0.utf8) } + [[0xFF], [0x61, 0xE4, 0x62], [0xC3, 0xA4, 0x80], [0xF4, 0x8F, 0x9F, 0xBF, 0xFE]])
  func comesBack(bytes: [UInt8]) {
    #expect(FileName.bytes(FileName.string(bytes)) == bytes)
  }

  @Test func isReadableWhereItIsUTF8() {
    #expect(FileName.string(Array("n\u{e4}cht".utf8)) == "n\u{e4}cht")
    #expect(FileName.string([0x61, 0xE4]) == "a\u{10F7E4}")
  }
}
