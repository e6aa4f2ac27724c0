import BatchRun
import Foundation
@testable import RunSupport
import Testing
import TestSupport

@testable import LedgerRuns
@testable import Rules

@Suite("Nights of versions before --strict-texts")
struct EarlierNightTests {
  let workshop: LedgerWorkshop
  var folder: TemporaryFolder { workshop.folder }

  /// Then, a type at the top level and a field on the wrong level were ignored, types had to be equal, and addresses
  /// were checked.
  private static let text = """
    {"payKey":"A","paymentType":"TYPE_PERSONAL","receiverPaymentDetails":[{"recipient":"a@b.example","subtotal":"10"},{"recipient":"c@b.example","subtotal":"10","feePayer":"x"}]}
    {"payKey":"B","receiverPaymentDetails":[{"recipient":"a@b.example","subtotal":"10","paymentType":"TYPE_GOODS"},{"recipient":"c@b.example","subtotal":"10"}]}
    {"payKey":"C","recipient":"a@b.example","subTotal":"10","ipnUrl":"x"}
    """
  private static let earlier = RunOptions(rules: SettlementRules(strictTexts: nil), threads: 1)

  init() throws {
    workshop = try LedgerWorkshop()
    #expect(try workshop.settle(Self.text, options: Self.earlier).description == "settled 1")
  }

  @Test("their identity is that of a run without the option, and they are published again with the same bytes")
  func publishedAgain() throws {
    let reports = try workshop.reports()
    let summary = String(decoding: try #require(reports["summary.json"]), as: UTF8.self)
    #expect(summary.contains(#""settled":1,"rejected":2"#) && !summary.contains("strictTexts"))
    #expect(try workshop.settle(Self.text).description == "already settled 1")
    #expect(try workshop.settle(Self.text, output: "again", republish: true).exitCode == 1)
    #expect(try workshop.reports("again") == reports)
    for name in ["out", "again"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
    #expect(try workshop.settle(Self.text, output: "again", republish: true).exitCode == 1)
    #expect(try workshop.reports("again") == reports, "settled again by the rules of then")
    let strict = RunOptions(rules: SettlementRules(strictTexts: true), threads: 1)
    let refused = try workshop.settle(Self.text, output: "strict", options: strict)
    #expect(refused.description.contains("--strict-texts as before 1.0.0-rc.4 (now yes)"), "\(refused.description)")
  }

  @Test("a lost ledger is made again from their directories")
  func adopted() throws {
    let adopted = try workshop.settle(Self.text, ledger: "other", adopt: true)
    #expect(adopted.description == "settled 1")
    let read = try BatchLedger(
      folder.path("other"), batch: [folder.path("batch")], options: RunOptions(threads: 1))
    #expect(read.options.rules.strictTexts == nil)
  }
}
