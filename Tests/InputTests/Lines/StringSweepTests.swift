import TestSupport
import Testing

@testable import Input

@Suite("Strings of every length, at every alignment, with special bytes in every place: eight bytes are read at a time")
struct StringSweepTests {
  /// The contents of one place of the string, and the form that the line then has.
  struct Special: Sendable, CustomStringConvertible {
    var description: String
    var bytes: [UInt8]
    var form: RecordForm

    init(_ description: String, _ bytes: [UInt8], _ form: RecordForm) {
      self.description = description
      self.bytes = bytes
      self.form = form
    }
  }

  static let specials = [
    Special("nothing", [], .object), Special("a quote", [0x22], .malformed),
    Special("a lone backslash", [0x5C], .malformed),
    Special("an escaped quote", [0x5C, 0x22], .object), Special("an escape", Array(#"\u00e9"#.utf8), .object),
    Special("the lowest control character", [0x00], .malformed),
    Special("the highest control character", [0x1F], .malformed),
    Special("a space", [0x20], .object), Special("a tab", [0x09], .malformed), Special("a CR", [0x0D], .malformed),
    Special("! before the quote", [0x21], .object), Special("# behind the quote", [0x23], .object),
    Special("[ and ] around the backslash", [0x5B, 0x5D], .object), Special("DEL", [0x7F], .object),
    Special("two bytes", [0xC3, 0xA9], .object),
    Special("three bytes", [0xE2, 0x82, 0xAC], .object), Special("four bytes", [0xF0, 0x9F, 0x98, 0x80], .object),
    // Bytes that look like a quote, a backslash or a control character except for the highest bit.
    Special("A2", [0xC2, 0xA2], .object), Special("DC", [0xDC, 0x9C], .object),
    Special("a lone A2", [0xA2], .invalidUTF8),
    Special("a lone DC", [0xDC], .invalidUTF8), Special("80", [0x80], .invalidUTF8),
    Special("FF", [0xFF], .invalidUTF8),
  ]

  @Test("one special byte or escape in every place", arguments: specials)
  func sweeps(_ special: Special) {
    var scanner = RecordScanner()
    for length in 0...40 {
      for place in 0...length {
        // An escape must not turn what follows it into another one.
        let string =
          Array(repeating: UInt8(ascii: "z"), count: place) + special.bytes
          + Array(repeating: UInt8(ascii: "z"), count: length - place)
        let line = Array(#"{"payKey":""#.utf8) + string + Array("\"}".utf8)
        let memory = LineMemory(line, alignment: (length + place) % 8)
        let form = scanner.scan(memory.line, .inPlace)
        #expect(form == special.form, "\(special), length \(length), place \(place)")
        guard form == .object else { continue }
        let slice = scanner.field(.payKey)
        #expect(slice.kind == .string && slice.start == 11 && slice.length == string.count)
        #expect(slice.isEscaped == special.bytes.contains(0x5C))
      }
    }
  }

  @Test("plain strings of every length at every alignment, ended by LF and CR LF")
  func alignments() {
    for length in 0...40 {
      for alignment in 0..<16 {
        let string = (0..<length).map { UInt8(ascii: "A") + UInt8($0 % 26) }
        let line = Array(#"{"memo":""#.utf8) + string + Array("\"}".utf8)
        for ending: [UInt8] in [[0x0A], [0x0D, 0x0A]] {
          let scanned = ScannedLine(line, alignment: alignment, ending: ending)
          #expect(scanned.form == .object)
          #expect(scanned.values[.memo] == string)
          // Cut anywhere, it is not JSON: the scanner never reads past the line's end.
          let cut = ScannedLine(Array(line.prefix(9 + length)), alignment: alignment, ending: ending)
          #expect(cut.form == .malformed)
        }
      }
    }
  }

  @Test("a line cut at any place is refused, whatever follows it")
  func cuts() {
    let line = Array(#"{"payKey":"P\u00e9\ud83d\ude00","x":[true,false,null,-1.5e+3,{"a":"b"}],"memo":"é"}"#.utf8)
    #expect(ScannedLine(line).form == .object)
    for length in 0..<line.count {
      let isWithinCharacter = length == line.count - 3
      for ending: [UInt8] in [[0x0A], [0x0D, 0x0A]] {
        let form = ScannedLine(Array(line.prefix(length)), alignment: length % 8, ending: ending).form
        #expect(form == (isWithinCharacter ? .invalidUTF8 : .malformed), "\(length) bytes")
      }
    }
  }
}
