import Glibc
import TestSupport
import Testing

@testable import ExactArithmetic

/// Compares the short cuts for short texts with the byte-by-byte scan and with the grammar as a regular expression.
struct LiteralScanTests {
  /// Texts that are literals, nearly literals, or noise.
  private static func text(_ random: inout SeededGenerator) -> String {
    func digits(_ range: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: range, using: &random)).map { _ in "0123456789".randomElement(using: &random)! })
    }
    var text = Bool.random(using: &random) ? "-" : ""
    text += Int.random(in: 0..<5, using: &random) == 0 ? "0" : digits(0...12)
    if Bool.random(using: &random) { text += "." + digits(0...12) }
    if Int.random(in: 0..<6, using: &random) == 0 { text += "e" + digits(0...4) }
    if Int.random(in: 0..<3, using: &random) == 0, !text.isEmpty {
      var bytes = Array(text)
      bytes[Int.random(in: bytes.indices, using: &random)] = "-+.eE09/:a \u{7F}".randomElement(using: &random)!
      text = String(bytes)
    }
    return text
  }

  @Test func agreesWithGrammar() throws {
    // Made here, because a Regex is not Sendable.
    let grammar = try Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")
    var random = SeededGenerator()
    var accepted = 0
    for _ in 0..<20_000 {
      let text = Self.text(&random)
      let literal = DecimalLiteral.scan(text, digitLimit: 12, exponentLimit: 400)
      let mark = text.firstIndex { $0 == "e" || $0 == "E" } ?? text.endIndex
      let power = Int(text[mark...].dropFirst()) ?? 0
      let number = text[..<mark]
      let expected =
        try grammar.wholeMatch(in: text) != nil && number.filter(\.isNumber).count <= 12 && abs(power) <= 400
      let bytes = Array(text.utf8)
      let slow = DecimalLiteral.scanAny(bytes.span, digitLimit: 12, exponentLimit: 400)
      let magnitude = UInt64(number.filter(\.isNumber)) ?? 0
      let decimals = number.firstIndex(of: ".").map { number[$0...].dropFirst().count } ?? 0
      let isRight =
        literal == slow
        && (expected
          ? literal.form == .inline && literal.magnitude == magnitude
            && Int(literal.exponent) == power - decimals && literal.isNegative == text.hasPrefix("-")
          : literal.form == .malformed)
      if expected { accepted += 1 }
      if !isRight { Issue.record("\(text): \(literal), byte by byte \(slow); \(random.reproduction)") }
    }
    #expect(accepted > 2_000, "\(random.reproduction)")
  }

  @Test func hundredthsAgreeWithScan() {
    var random = SeededGenerator()
    var accepted = 0
    for round in 0..<40_000 {
      var text = Array(Self.text(&random).utf8)
      if round % 2 == 0 {
        // An amount, or nearly one.
        text = Array("\(Int.random(in: 0...9_999_999, using: &random) >> Int.random(in: 0...23, using: &random))".utf8)
        text.insert(UInt8(ascii: "."), at: max(0, text.count - Int.random(in: 1...3, using: &random)))
        if round % 3 == 0 { text[Int.random(in: text.indices, using: &random)] = .random(in: 0...255, using: &random) }
      }
      let before = (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let part = before.count..<before.count + text.count
      let found = DecimalLiteral.hundredths(of: part, in: (before + text).span)
      let literal = DecimalLiteral.scan(text.span, digitLimit: 40, exponentLimit: 400)
      let isAmount =
        literal.form == .inline && literal.exponent == -2 && text.dropLast(2).last == UInt8(ascii: ".")
        && !literal.isNegative && text.count <= 8 && part.upperBound >= 8
      if isAmount { accepted += 1 }
      if found != (isAmount ? literal.magnitude : nil) {
        Issue.record("\(text) after \(before.count): \(String(describing: found)); \(random.reproduction)")
      }
    }
    #expect(accepted > 2_000, "\(random.reproduction)")
  }

  /// Texts of every length exactly at the start and at the end of a page between unreadable pages.
  @Test func readsNothingButTheText() throws {
    let page = 4096
    let memory = try #require(
      mmap(nil, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), "no memory")
    defer { munmap(memory, 3 * page) }
    mprotect(memory + page, page, PROT_READ | PROT_WRITE)
    let readable = (memory + page).bindMemory(to: UInt8.self, capacity: page)
    for count in 0...40 {
      for prefix in ["", "-", "12.", "-1.2", "x"] where prefix.utf8.count <= count {
        let text = prefix + String(repeating: "5", count: count - prefix.utf8.count)
        let expected = DecimalLiteral.scan(text, digitLimit: 50, exponentLimit: 9)
        for start in [readable, readable + page - count] {
          start.update(from: Array(text.utf8), count: count)
          let bytes = UnsafeBufferPointer(start: start, count: count)
          let literal = DecimalLiteral.scan(bytes.span, digitLimit: 50, exponentLimit: 9)
          #expect(literal == expected, "\(text)")
        }
      }
    }
  }
}

extension DecimalLiteral {
  fileprivate static func == (a: DecimalLiteral, b: DecimalLiteral) -> Bool {
    a.form == b.form && a.magnitude == b.magnitude && a.exponent == b.exponent && a.isNegative == b.isNegative
  }
}
