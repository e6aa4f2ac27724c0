import Digests
import Rules
import Testing
import TestSupport

@testable import BatchRun
@testable import RunSupport

@Suite("A batch that an earlier run settled with other rules")
struct OtherRulesTests {
  let workshop: LedgerWorkshop
  var folder: TemporaryFolder { workshop.folder }

  init() throws { workshop = try LedgerWorkshop() }

  /// Rules that differ from the defaults in one option, and the message for each.
  static func otherRules() throws -> [(SettlementRules, String)] {
    func digest(_ text: [UInt8]) -> String { "SHA-256 " + SHA256.digest(of: text).hexadecimal }
    let published = FeeSchedule.published.text
    let taxes = Array(#"{"rounding":"UP","rates":[]}"#.utf8)
    let splits = Array(#"{"a":{"receiverPaymentDetails":[{"recipient":"a@x.example","split":{"share":"1"}}]}}"#.utf8)
    return [
      (SettlementRules(strictItems: true), "--strict-items no (now yes)"),
      (SettlementRules(strictTexts: true), "--strict-texts no (now yes)"),
      (
        SettlementRules(schedule: try FeeSchedule(json: published + [0x20])),
        "--fees built in (now \(digest(published + [0x20])))"
      ),
      (SettlementRules(unknownFields: .reject), "--unknown-fields suspect (now reject)"),
      (SettlementRules(unknownFields: .note), "--unknown-fields suspect (now note)"),
      (SettlementRules(taxes: try TaxTable(json: taxes)), "--taxes none (now \(digest(taxes)))"),
      (SettlementRules(profiles: try SplitProfiles(json: splits)), "--splits none (now \(digest(splits)))"),
    ]
  }

  @Test("the same batch with other rules is refused; nothing is published", arguments: ["night-1", nil])
  func otherRules(id: String?) throws {
    let text = Batch.text(id, ["A", "B"])
    #expect(try workshop.settle(text).description == "settled 1")
    var window = SettlementRules()
    window.refundWindow = 90
    for (rules, difference) in try Self.otherRules() + [(window, "--refund-window 180 (now 90)")] {
      let refused = try workshop.settle(text, output: "other", options: RunOptions(rules: rules, threads: 1))
      #expect(
        refused.description
          == "2: BATCH_RULES_CHANGED: \(folder.path("batch")):1: run 1 settled this batch by other rules: \(difference)"
      )
    }
    #expect(try folder.names() == ["batch", "ledger", "ledger-lock", "out"])
    #expect(try workshop.history() == (["1 out"], nil))
    // A given schedule that equals the built-in one makes no difference.
    var same = RunOptions(threads: 1)
    same.rules.schedule = try FeeSchedule(json: FeeSchedule.published.text)
    #expect(try workshop.settle(text, options: same).description == "already settled 1")
    // What a trailer or rejected records would cause does not change a result.
    var lenient = RunOptions(threads: 1, enforcesControlTotals: false)
    (lenient.requiresTrailer, lenient.mostRejected) = (true, .records(5))
    #expect(try workshop.settle(text, options: lenient).description == "already settled 1")
  }

  @Test("other rules and a used batch id are found before the figures are compared, and after a missing trailer")
  func order() throws {
    let text = Batch.text("night-1", ["A", "B"])
    #expect(try workshop.settle(text).description == "settled 1")
    let wrong = Batch.text("night-1", ["A", "C"]).replacingOccurrences(of: "20.00", with: "21.00")
    let cut = text.split(separator: "\n").dropLast().joined(separator: "\n")
    for (batch, code) in [(wrong, "BATCH_ID_REUSED"), (cut, "TRAILER_MISSING")] {
      let refused = try workshop.settle(batch, output: "other")
      #expect(refused.description.hasPrefix("2: \(code): "), "\(refused.description)")
    }
    // All of it is rejected, as run 1 has settled it.
    var options = RunOptions(rules: SettlementRules(strictItems: true), threads: 1)
    for (limit, code) in [("10%", "BATCH_RULES_CHANGED"), ("1", "TOO_MANY_REJECTED")] {
      options.mostRejected = RejectionLimit(limit)
      let refused = try workshop.settle(text, output: "other", options: options)
      #expect(refused.description.hasPrefix("2: \(code): "), "\(refused.description)")
    }
    let warned = Batch.text("night-2", ["D"]).replacingOccurrences(of: "10.00\"}}", with: "11.00\"}}")
    let lenient = RunOptions(threads: 1, enforcesControlTotals: false)
    #expect(try workshop.settle(warned, output: "second", options: lenient).description == "settled 2")
    options = RunOptions(rules: SettlementRules(strictItems: true), threads: 1)
    let refused = try workshop.settle(warned, output: "other", options: options)
    #expect(refused.description.hasPrefix("2: BATCH_RULES_CHANGED: "), "\(refused.description)")
  }
}
