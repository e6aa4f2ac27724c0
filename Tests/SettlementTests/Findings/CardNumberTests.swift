import BatchFile
import ExactArithmetic
import TestSupport
import Testing

@testable import Settlement

@Suite("Card numbers within messages")
struct CardNumberTests {
  static let cards: [(text: String, shown: String)] = [
    ("4111111111111111", "411111******1111"),
    ("4111 1111 1111 1111", "4111 11** **** 1111"),
    ("4111-1111-1111-1111", "4111-11**-****-1111"),
    ("378282246310005", "378282*****0005"),
    ("5555555555554444.", "555555******4444."),
    ("pay 6011111111111117 now", "pay 601111******1117 now"),
    ("\"4111111111111111\"", "\"411111******1111\""),
    // Thirteen digits are the fewest, nineteen the most.
    ("4222222222222", "422222***2222"),
    ("6304000000000000000", "630400*********0000"),
    ("411111111117", "411111111117"),
    ("63040000000000000001", "630400*********00001"),
    // One digit off fails the Luhn check.
    ("4222222222223", "4222222222223"),
    ("4111111111111113", "4111111111111113"),
    // Among other digits: whatever part of a run passes is hidden.
    ("00004111111111111111", "0000411*********1111"),
    ("order 12 4111111111111111", "order 12 4111********1111"),
    // Up to three characters between digits, as long as they are spaces, dashes, points or not seen at all.
    ("4111 1111  1111 1111", "4111 11**  **** 1111"),
    ("4111 - 1111 - 1111 - 1111", "4111 - 11** - **** - 1111"),
    ("4111    1111 1111 1111", "4111    1111 1111 1111"),
    ("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "4 1 1 1 1 1 * * * * * * 1 1 1 1"),
    ("4111.1111.1111.1111", "4111.11**.****.1111"),
    ("4111\u{A0}1111\u{2009}1111\u{3000}1111", "4111\u{A0}11**\u{2009}****\u{3000}1111"),
    ("4111\u{2013}1111\u{2011}1111\u{2212}1111", "4111\u{2013}11**\u{2011}****\u{2212}1111"),
    ("4111\u{200B}1111\u{FEFF}1111\u{2060}1111", "4111\u{200B}11**\u{FEFF}****\u{2060}1111"),
    ("4111\u{AD}1111\u{AD}1111\u{AD}1111", "4111\u{AD}11**\u{AD}****\u{AD}1111"),
    ("4111\t1111\n1111\u{85}1111", "4111\\u000911**\\u000a****\\u00851111"),
    ("4111/1111/1111/1111", "4111/1111/1111/1111"),
    ("4111x1111x1111x1111", "4111x1111x1111x1111"),
    // Digits of other scripts.
    ("\u{FF14}\u{FF11}\u{FF11}\u{FF11}111111111111", "\u{FF14}\u{FF11}\u{FF11}\u{FF11}11******1111"),
    ("٤١١١١١١١١١١١١١١١", "٤١١١١١******١١١١"),
    ("४१११-११११-११११-११११", "४१११-११**-****-११११"),
    ("𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏", "𝟒𝟏𝟏𝟏𝟏𝟏******𝟏𝟏𝟏𝟏"),
    ("④①①①①①①①①①①①①①①①", "④①①①①①******①①①①"),
    ("⁴¹¹¹¹¹¹¹¹¹¹¹¹¹¹¹", "⁴¹¹¹¹¹******¹¹¹¹"),
    ("4\u{FE0F}\u{20E3}111111111111111", "4\u{FE0F}\u{20E3}11111******1111"),
    // What the digits of an escape make a number of.
    ("\u{4}111111111111111", "\\u000411*********1111"),
  ]

  @Test("six digits at most stay in front and four behind", arguments: cards)
  func masks(text: String, shown: String) {
    #expect(Self.shown(text) == shown)
  }

  @Test("a number that begins within the limit is masked before the cut")
  func masksAcrossTheCut() {
    let fill = String(repeating: "x", count: 50)
    #expect(Self.shown(fill + "4111111111111111") == fill + "411111*****...")
    let wide = "\u{FF14}" + String(repeating: " - \u{FF11}", count: 15)
    #expect(Self.shown(fill + wide) == fill + "\u{FF14} - \u{FF11} - \u{FF11} -...")
  }

  @Test("an amount's point ends a number, and amounts of fewer digits are whole")
  func figures() throws {
    let cases = [
      ("4111111111111111.00", "411111******1111.00"), ("41111111111111.11", "41111111111111.11"), ("12.34", "12.34"),
      ("-4222222222222", "-422222***2222"), ("1e70", "1E+70"),
    ]
    for (figure, shown) in cases { #expect(MessageText.figure(try #require(ExactDecimal(figure))) == shown) }
  }

  @Test("a batch error masks whatever its reason quotes")
  func batchErrors() {
    #expect(BatchError(.corruptBatch, "expected 4111111111111111").reason == "expected 411111******1111")
  }

  /// Random digits, spaces and dashes: no number that passes is left with more than six digits and four, by an oracle
  /// that knows nothing of how the mask goes about it.
  @Test("no number is left, whatever stands around it")
  func leavesNone() {
    var random = SeededGenerator()
    let pieces = [
      "0", "1", "4", "5", "7", "9", "4111111111111111", "5105105105105100", " ", "-", " - ", "x", "é", "٣", "\t",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 1...45, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      let shown = Self.shown(text)
      #expect(Self.numbers(in: shown).isEmpty, "\(text) -> \(shown): \(random.reproduction)")
      if Self.numbers(in: text).isEmpty, text.unicodeScalars.count <= 64, !text.contains("\t") {
        #expect(shown == text, "\(random.reproduction)")
      }
    }
  }

  /// The card numbers in a text, found by trying every part of every run of digits.
  private static func numbers(in text: String) -> [[Int]] {
    var runs: [[Int]] = [[]]
    var between = 0
    for scalar in text.unicodeScalars {
      if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
        runs[runs.count - 1].append(Int(value))
        between = 0
      } else if " -\t".unicodeScalars.contains(scalar), between < 3 {
        between += 1
      } else {
        runs.append([])
        between = 0
      }
    }
    return runs.flatMap { run in
      run.indices.flatMap { first in
        (13...19).filter { first + $0 <= run.count }.map { Array(run[first..<first + $0]) }.filter(isCard)
      }
    }
  }

  /// The Luhn check as its patent words it.
  private static func isCard(_ digits: [Int]) -> Bool {
    var sum = 0
    for (place, digit) in digits.reversed().enumerated() {
      let weighed = place % 2 == 1 ? digit * 2 : digit
      sum += weighed / 10 + weighed % 10
    }
    return sum % 10 == 0
  }

  private static func shown(_ text: String) -> String {
    var message = TextBuffer()
    MessageText.append(text, to: &message)
    return message.string
  }
}
