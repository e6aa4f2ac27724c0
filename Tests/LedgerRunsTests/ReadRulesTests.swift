import Claims
import Digests
import Failures
import Ledger
import Rules
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import RunSupport

@Suite("A batch that is settled again with a ledger uses the rules of its run")
struct ReadRulesTests {
  let workshop: LedgerWorkshop
  var folder: TemporaryFolder { workshop.folder }
  private let text = Batch.text("night", [])

  init() throws {
    workshop = try LedgerWorkshop()
    try folder.write(Array(text.utf8), to: "batch")
  }

  private func read(_ options: RunOptions) throws(Failure) -> BatchLedger {
    try BatchLedger(folder.path("ledger"), batch: [folder.path("batch")], options: options)
  }

  /// Enters a run of the batch as an earlier version did, without its rules.
  private func enter(_ options: RunOptions) throws {
    var options = options
    options.rules.strictTexts = nil
    let ledger = try workshop.runLedger()
    let sources = [InputSource(path: folder.path("batch"))]
    let digests = try #require(try BatchContent.digests(sources, plain: true))
    let entry = RunEntry(
      time: "2026-11-21T22:00:00Z", engine: "1.0.0-rc.1", identity: BatchContent.identities(digests, options)[1],
      opening: try BatchContent.opening(sources), batchKey: nil, batchID: "night", files: [],
      records: RecordCounts(read: 0, settled: 0, rejected: 0, pending: 0, held: 0), controlTotals: "verified",
      totals: [], directory: Array("/settled".utf8), sums: "")
    try ledger.ledger.begin(directory: entry.directory, replaces: false)
    _ = try ledger.ledger.enter(entry, keys: ClaimedKeys())
    try ledger.end(newKeys: 0)
  }

  @Test("every rule is taken from the run; a given rule that differs is refused")
  func kept() throws {
    for (place, (rules, _)) in try OtherRulesTests.otherRules().enumerated() {
      let ledger = "ledger \(place)"
      let run = workshop.settle(
        files: ["batch"], output: "out \(place)", ledger: ledger, options: RunOptions(rules: rules, threads: 1))
      #expect(run.description == "settled 1")
      func read(_ options: RunOptions) throws(Failure) -> BatchLedger {
        try BatchLedger(folder.path(ledger), batch: [folder.path("batch")], options: options)
      }
      let taken = try read(RunOptions(threads: 1)).options.rules
      #expect(RuleValues(taken) == RuleValues(rules))
      #expect(taken.schedule.isBuiltIn == rules.schedule.isBuiltIn)
      #expect(RuleValues(try read(RunOptions(rules: rules, threads: 1)).options.rules) == RuleValues(rules))
      var given = RunOptions(threads: 1)
      given.givenRules = Set(RuleOption.allCases)
      #expect(throws: Failure.self) { try read(given) }
      do throws(Failure) { _ = try read(given) } catch { #expect(error.exitCode == 78) }
    }
  }

  @Test("for a run before rules were kept, files must be given; its options are known, and unknown fields were notices")
  func notKept() throws {
    var options = RunOptions(
      rules: SettlementRules(strictItems: true, strictTexts: nil, unknownFields: .note), threads: 1)
    options.rules.refundWindow = 90
    try enter(options)
    let taken = try read(RunOptions(threads: 1)).options.rules
    #expect(RuleValues(taken) == RuleValues(options.rules) && taken.unknownFields == .note)
    let schedule = FeeSchedule.published.text + [0x20]
    options.rules.schedule = try FeeSchedule(json: schedule)
    try enter(options)
    var failure: Failure?
    do throws(Failure) { _ = try read(RunOptions(threads: 1)) } catch { failure = error }
    #expect(
      failure?.message
        == "run 2 was entered before the ledger kept rules: give its --fees, SHA-256 \(RuleValue.digest(schedule))")
    #expect(failure?.exitCode == 78)
    var given = RunOptions(threads: 1)
    given.rules.schedule = options.rules.schedule
    #expect(RuleValues(try read(given).options.rules) == RuleValues(options.rules))
    #expect(
      try LedgerReading(path: folder.path("ledger")).ruleFiles(of: LedgerHistory(ledger: folder.path("ledger")).runs[1])
        .isEmpty)
  }

  @Test("of several runs with a batch, the last one that has the given rules counts")
  func several() throws {
    func options(window: Int) -> RunOptions {
      var options = RunOptions(rules: SettlementRules(unknownFields: .note), threads: 1)
      options.rules.refundWindow = window
      return options
    }
    for window in [100, 200, 300] { try enter(options(window: window)) }
    #expect(try read(RunOptions(threads: 1)).options.rules.refundWindow == 300)
    #expect(try read(options(window: 200)).options.rules.refundWindow == 200)
    var failure: Failure?
    do throws(Failure) { _ = try read(options(window: 400)) } catch { failure = error }
    #expect(
      failure?.message
        == "\(folder.path("ledger")): run 3 settled this batch by other rules: --refund-window 300 (given: 400)")
    let refused = workshop.settle(files: ["batch"], output: "out", options: options(window: 400))
    #expect(refused.description.contains("run 3 settled this batch by other rules: --refund-window 300 (now 400)"))
  }

  @Test(
    "identities are written as by earlier versions, and say --strict-texts",
    arguments: [
      ("strictItems=0", SettlementRules(strictTexts: nil, unknownFields: .note)),
      (
        "strictItems=1 unknownFields=reject",
        SettlementRules(strictItems: true, strictTexts: nil, unknownFields: .reject)
      ),
      ("strictItems=0 unknownFields=suspect", SettlementRules(strictTexts: nil)),
      ("strictItems=0 strictTexts=0 unknownFields=suspect", SettlementRules()),
    ] as [(String, SettlementRules)])
  func identityTexts(text: String, rules: SettlementRules) {
    #expect(RuleValues(rules).identityText == text)
    let identity = RunIdentity(content: [], schedule: SHA256.digest(of: rules.schedule.text).bytes, options: text)
    #expect(RuleValues(identity) == RuleValues(rules))
  }

  @Test("a batch that the ledger does not have is settled by the given rules")
  func unknown() throws {
    #expect(try workshop.settle(Batch.text("other", ["A"])).description == "settled 1")
    try folder.write(Array(text.utf8), to: "batch")
    let strict = RunOptions(rules: SettlementRules(strictItems: true), threads: 1)
    #expect(RuleValues(try read(strict).options.rules) == RuleValues(strict.rules))
  }
}
