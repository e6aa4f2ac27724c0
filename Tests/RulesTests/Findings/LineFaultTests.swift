import Testing

@testable import Rules

@Suite("Why a line is not JSON in UTF-8")
struct LineFaultTests {
  private static let record = Array(#"{"payKey":"A","memo":"x"}"#.utf8)

  /// The record with another text as its memo, whose first byte is at offset 22.
  private static func memo(_ bytes: [UInt8]) -> [UInt8] {
    Array(record.dropLast(3)) + bytes + Array(#""}"#.utf8)
  }

  private static func wide(_ width: Int, isLittle: Bool) -> [UInt8] {
    record.flatMap { byte in
      let zeros = [UInt8](repeating: 0, count: width - 1)
      return isLittle ? [byte] + zeros : zeros + [byte]
    }
  }

  static let faults: [(line: [UInt8], says: String?)] = [
    (record, nil), (memo(Array("grün 😀".utf8)), nil),
    // Encodings with one byte per character.
    (memo([0xFC]), notUTF8("FC", #"it looks like Windows-1252 or Latin-1, where it is "ü""#)),
    (memo([0xE4, 0x20]), notUTF8("E4", #"it looks like Windows-1252 or Latin-1, where it is "ä""#)),
    (memo([0xA0]), notUTF8("A0", #"it looks like Windows-1252 or Latin-1, where it is "\u00a0""#)),
    (memo([0x80]), notUTF8("80", #"it looks like Windows-1252, where it is "€""#)),
    (memo([0x93]), notUTF8("93", #"it looks like Windows-1252, where it is "“""#)),
    (memo([0x9F]), notUTF8("9F", #"it looks like Windows-1252, where it is "Ÿ""#)),
    (memo([0x81]), notUTF8("81", "it is not Windows-1252 either")),
    // Incomplete UTF-8 characters, or bytes that are not characters.
    (memo([0xE2, 0x82]), notUTF8("E2", "it begins a character that is cut off")),
    (memo([0xF0, 0x9F, 0x98]), notUTF8("F0", "it begins a character that is cut off")),
    (
      memo([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]), notUTF8("ED", "it looks like CESU-8, which has halves of characters")
    ),
    // Encodings with several bytes per character; in later lines, the remaining byte of a line feed begins the line.
    // line.
    ([0xFF, 0xFE] + wide(2, isLittle: true), notJSON("FF", 0, "UTF-16LE")),
    ([0xFE, 0xFF] + wide(2, isLittle: false), notJSON("FE", 0, "UTF-16BE")),
    (wide(2, isLittle: true), notJSON("00", 1, "UTF-16LE")), (wide(2, isLittle: false), notJSON("00", 0, "UTF-16")),
    ([0x00] + wide(2, isLittle: true), notJSON("00", 0, "UTF-16")),
    (wide(2, isLittle: true) + [0xFC, 0x00], notJSON("00", 1, "UTF-16LE")),
    ([0xFF, 0xFE, 0x00, 0x00] + wide(4, isLittle: true), notJSON("FF", 0, "UTF-32LE")),
    ([0x00, 0x00, 0xFE, 0xFF] + wide(4, isLittle: false), notJSON("00", 0, "UTF-32BE")),
    (wide(4, isLittle: true), notJSON("00", 1, "UTF-32LE")), (wide(4, isLittle: false), notJSON("00", 0, "UTF-32")),
    // What may be left at a file's end.
    (record + [0x00, 0x00], "byte 0x00 at offset 25 of the line; expected the end of the line; \(nul)"),
    ([0x00, 0x00, 0x00, 0x00, 0x00], "byte 0x00 at offset 0 of the line; expected a value; \(nul)"),
    ([0x00], "byte 0x00 at offset 0 of the line; expected a value; \(nul)"),
    (record + [0x1A], "byte 0x1A at offset 25 of the line; expected the end of the line; \(ctrlZ)"),
    ([0x1A], "byte 0x1A at offset 0 of the line; expected a value; \(ctrlZ)"),
    // Line endings of only CR.
    (record + [0x0D], nil),
    (record + [0x0D] + record, #""{" at offset 26 of the line; expected the end of the line; \#(cr)"#),
    (
      record + [0x20, 0x0D, 0x0D, 0x20] + record + [0x0D],
      #""{" at offset 29 of the line; expected the end of the line; \#(cr)"#
    ),
    (record + record, #""{" at offset 25 of the line; expected the end of the line"#),
    (Array("{\r'a':1}".utf8), #""'" at offset 2 of the line; expected a name in quotes; JSON uses double quotes"#),
  ]
  private static let nul = "NUL is not text: was the file written to its end?"
  private static let ctrlZ = "this is Ctrl-Z, which marks the end of a file in DOS; leave it out"
  private static let cr = #"lines end in CR alone; expected LF or CR LF (tr '\r' '\n' converts them)"#

  private static func notUTF8(_ byte: String, _ reason: String) -> String {
    "byte 0x\(byte) at offset 22 of the line is not UTF-8; \(reason)"
  }

  private static func notJSON(_ byte: String, _ offset: Int, _ encoding: String) -> String {
    "byte 0x\(byte) at offset \(offset) of the line is not JSON; it looks like \(encoding); expected UTF-8"
  }

  @Test("the probable encoding, the byte and its offset", arguments: faults)
  func says(line: [UInt8], says: String?) {
    #expect(LineFault(of: line)?.words == says)
  }

  @Test("a line that is cut off has no fault that its rest may repair", arguments: [1, 2, 3])
  func isCut(length: Int) {
    let start = Array(Self.record.dropLast(2))
    #expect(LineFault(of: start, isCut: true) == nil)
    #expect(LineFault(of: start + [0xF0, 0x9F, 0x98].prefix(length), isCut: true) == nil)
    #expect(LineFault(of: start + [0xFC, 0x20, 0x20, 0x20], isCut: true)?.encoding?.iconvName == "WINDOWS-1252")
  }
}
