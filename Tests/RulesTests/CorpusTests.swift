import Rules
import Testing

@Suite("The corpus: records that reproduce each reason and notice")
struct CorpusTests {
  @Test("a record gives exactly what its case says, also when judged again", arguments: CorpusCase.all, [false, true])
  func reproduces(_ example: CorpusCase, again: Bool) {
    let assessed = Assessed(
      example.line,
      rules: SettlementRules(
        schedule: example.fees ?? .published, taxes: example.taxes, strictItems: example.strictItems,
        strictTexts: example.strictTexts,
        unknownFields: example.unknownFields),
      repeatsKey: example.repeatsKey, earlierRun: example.earlierRun, again: again,
      before: EarlierRecords(example.before, overWindow: example.overWindow))
    #expect(assessed.findings.map { [$0.code, $0.field, $0.message] } == example.errors)
    #expect(
      assessed.notices.map { [$0.code, $0.field, $0.message] }.sorted { $0.lexicographicallyPrecedes($1) }
        == example.notices)
    #expect(assessed.control == example.control)
    #expect((assessed.outcome == .rejected) == !example.errors.isEmpty)
  }

  @Test("a case shows the code of its folder", arguments: CorpusCase.all)
  func standsInItsFolder(_ example: CorpusCase) {
    #expect((example.errors + example.notices).contains { $0.first == example.code })
  }

  @Test("every reason has a case", arguments: RejectionReason.allCases)
  func coversReason(_ reason: RejectionReason) {
    #expect(CorpusCase.all.contains { $0.code == reason.code.description })
  }

  @Test("every notice has a case", arguments: Notice.allCases)
  func coversNotice(_ notice: Notice) {
    #expect(CorpusCase.all.contains { $0.code == notice.code.description })
  }

  @Test("every folder is a reason or a notice")
  func knowsFolders() throws {
    let codes = RejectionReason.allCases.map(\.code.description) + Notice.allCases.map(\.code.description)
    #expect(try CorpusCase.codes().filter { !codes.contains($0) } == [])
  }
}
