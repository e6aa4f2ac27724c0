import TestSupport
import Testing

@testable import Input
import Text

@Suite("UTF-8 and escapes")
struct UTF8TextTests {
  static let escapes: [(written: String, text: [UInt8])] = [
    ("", []), ("plain", Array("plain".utf8)), (#"\""#, [0x22]), (#"\\"#, [0x5C]), (#"\/"#, [0x2F]), (#"\b"#, [0x08]),
    (#"\f"#, [0x0C]), (#"\n"#, [0x0A]), (#"\r"#, [0x0D]), (#"\t"#, [0x09]), (#"\u0000"#, [0x00]), (#"\u007f"#, [0x7F]),
    (#"\u0080"#, [0xC2, 0x80]), (#"\u07FF"#, [0xDF, 0xBF]), (#"\u0800"#, [0xE0, 0xA0, 0x80]),
    (#"\uD7FF"#, [0xED, 0x9F, 0xBF]),
    (#"\ue000"#, [0xEE, 0x80, 0x80]), (#"\uffff"#, [0xEF, 0xBF, 0xBF]), (#"\ud800\udc00"#, [0xF0, 0x90, 0x80, 0x80]),
    (#"\uDBFF\uDFFF"#, [0xF4, 0x8F, 0xBF, 0xBF]), (#"\ud83d\ude00"#, Array("😀".utf8)),
    (#"é\u00e9é"#, Array("ééé".utf8)),
    (#"\\u0041"#, Array(#"\u0041"#.utf8)), (#"\\\u0041"#, Array(#"\A"#.utf8)), (#"a\nb\tc"#, Array("a\nb\tc".utf8)),
  ]

  @Test("a string's characters", arguments: escapes)
  func unescapes(written: String, text: [UInt8]) {
    #expect(ScannedLine.unescaped(Array(written.utf8)) == text)
    // As the scanner returns it, in a line.
    let line = ScannedLine(#"{"memo":"\#(written)"}"#)
    #expect(line.values[.memo] == text)
  }

  @Test("every scalar value in an escape is encoded as by the standard library")
  func encodes() {
    let borders: [UInt32] = [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
    for value in Array(stride(from: UInt32(0), through: 0x10FFFF, by: 7)) + borders {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let escape = UTF16.encode(scalar)!.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      if ScannedLine.unescaped(Array(escape.joined().utf8)) != Array(UTF8.encode(scalar)!) {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }

  @Test("every sequence of two bytes, and those of three and four at the borders")
  func validates() {
    let borders: [UInt8] = [
      0x00, 0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
    ]
    let leads = borders + [0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF]
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max { compare([first, second]) }
    }
    for first in leads {
      for second in borders {
        for third in borders {
          compare([first, second, third])
          if first >= 0xE0 { for fourth in borders { compare([first, second, third, fourth]) } }
        }
      }
    }
  }

  @Test("long texts with a bad byte anywhere", arguments: [UInt8(0x80), 0xC3, 0xFF])
  func validatesLongTexts(bad: UInt8) {
    for length in 0...24 {
      let text = Array(repeating: UInt8(ascii: "a"), count: length)
      #expect(Self.isValid(text))
      for place in 0..<length {
        var broken = text
        broken[place] = bad
        #expect(!Self.isValid(broken), "\(place) of \(length)")
      }
    }
  }

  @Test("scalar values are counted, not bytes or grapheme clusters")
  func counts() {
    for (text, count) in [("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 2), ("😀", 1), ("👨‍👩‍👧", 5), ("\u{0}", 1)] {
      #expect(UTF8Text.scalarCount(Array(text.utf8).span) == count)
    }
  }

  private static func isValid(_ bytes: [UInt8]) -> Bool { UTF8Text.isValid(bytes.span) }

  private func compare(_ bytes: [UInt8]) {
    let expected = String(validating: bytes, as: UTF8.self) != nil
    if UTF8Text.isValid(bytes.span) != expected { Issue.record("\(bytes)") }
    let length = UTF8Text.sequenceLength(bytes.span)
    let isOne = (1...4).first { $0 <= bytes.count && String(validating: bytes.prefix($0), as: UTF8.self) != nil } ?? 0
    if length != isOne { Issue.record("\(bytes) begin with a sequence of \(isOne), not \(length)") }
  }
}
