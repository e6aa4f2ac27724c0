import ExactArithmetic
import Failures
import FileSystem
import Testing
import TestSupport

@testable import Statements
import Text

/// Compares lines that are sorted outside memory with a stable sort of their texts.
@Suite struct StatementLineTests {
  @Test(
    "lines of an account keep their order, accounts are in the order of their bytes", arguments: 0..<8 as Range<UInt64>)
  func sorts(seed: UInt64) throws {
    print("StatementLineTests seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let tree = try PartialDirectory(newOutput: folder.path("out"), isOwn: { _, _ in false })
    // Many runs of a few lines each, or everything in one run.
    let runLength = seed == 7 ? 1 << 22 : 1 << 14
    let sorter = ExternalSorter(StatementLine.order, runLength: runLength, pieceMemory: 1) { () throws(Failure) in
      try tree.makeSpool()
    }
    let accounts = (0..<Int.random(in: 1...60, using: &random)).map { _ in account(&random) }
    var expected: [(account: String, text: String)] = []
    for number in 0..<3000 {
      let account = accounts.randomElement(using: &random) ?? ""
      let text = "\(number)" + String(repeating: "x", count: Int.random(in: 0...300, using: &random))
      expected.append((account, text))
      var buffer = TextBuffer()
      append(account, text, number, to: &buffer)
      try sorter.append(buffer.span)
    }
    expected.sort { Array($0.account.utf8).lexicographicallyPrecedes(Array($1.account.utf8)) }
    var place = 0
    try sorter.forEach { record throws(Failure) in
      let line = StatementLine(record)
      let (account, text, figures) = (String(decoding: line.account), String(decoding: line.text), line.figures)
      #expect((account, text) == expected[place])
      let number = Int(text.prefix { $0 != "x" }) ?? 0
      #expect(figures.gross == figure(number) && figures.fee == ExactDecimal(number, exponent: -2))
      place += 1
    }
    #expect(place == expected.count)
  }

  /// Accounts that share beginnings, some shorter than a word.
  private func account(_ random: inout SeededGenerator) -> String {
    let letters = "ab@."
    let start = ["", "a", "abcdefgh", String(repeating: "a", count: 200)].randomElement(using: &random) ?? ""
    return start
      + String((0..<Int.random(in: 1...10, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
  }

  /// Some do not fit in 64 bits.
  private func figure(_ number: Int) -> ExactDecimal {
    let small = ExactDecimal(number, exponent: -2)
    return number % 5 == 0 ? small + (ExactDecimal("98765432109876543210987654321.00") ?? .zero) : small
  }

  private func append(_ account: String, _ text: String, _ number: Int, to buffer: inout TextBuffer) {
    var line = StatementLine.Draft(
      Array(account.utf8).span, .usd, gross: figure(number), fee: ExactDecimal(number, exponent: -2), in: &buffer)
    buffer.append(text)
    line.finish(in: &buffer)
  }
}
