import Foundation
import Settlement
import TestSupport
import Testing

/// Whole batches, by the surface that other packages have.
struct BatchTests {
  private let folder: TemporaryFolder
  private let night: String

  init() throws {
    folder = try TemporaryFolder()
    night = try folder.write(
      Array(
        """
        {"type":"header","batchId":"night-1"}
        {"payKey":"A","recipient":"a@shop.example","subTotal":"25.00","x":1}
        {"payKey":"B","recipient":"a@shop.example","subTotal":"1.234"}
        {"payKey":"C","paymentCurrency":"JPY","recipient":"a@shop.example","subTotal":"1500","status":"STATUS_CREATED"}
        {"type":"trailer","recordCount":3,"totals":{"USD":"25.00","JPY":"1500"}}

        """.utf8), to: "night.jsonl")
  }

  @Test("A batch is settled into a directory, and its counts and sums are told")
  func settled() throws {
    let batch = Batch([night])
    let result = try batch.settle(into: folder.path("out"))
    #expect(result.batchID == "night-1" && result.controlTotals == .verified && result.exitCode == 1)
    #expect(result.recordsRead == 3 && result.count(of: .settled) == 1 && result.count(of: .pending) == 1)
    #expect(result.errors.map { "\($0.code) \($0.count)" } == ["AMOUNT_PRECISION 1"])
    #expect(result.notices.map { "\($0.code) \($0.count)" } == ["UNKNOWN_FIELD 1"])
    #expect(
      result.currencies.map { "\($0.currency.code) \($0.sent) \($0.fees) \($0.toReceivers) \($0.waiting)" } == [
        "JPY 0 0 0 1500", "USD 25.00 1.03 23.97 0.00",
      ])
    #expect(try folder.names(in: "out").contains("SHA256SUMS"))
    let failure = #expect(throws: SettlementFailure.self) { try batch.settle(into: folder.path("out")) }
    #expect(failure?.exitCode == 73)
    #expect(try batch.settle(into: folder.path("out"), replacing: true).recordsRead == 3)
  }

  @Test("With a ledger, no batch is settled twice")
  func ledger() throws {
    let (batch, ledger) = (Batch([night]), folder.path("ledger"))
    guard case .settled(let result, run: 1) = try batch.settle(into: folder.path("out"), ledger: ledger),
      case .alreadySettled(let same, isPublishedAgain: false) = try batch.settle(
        into: folder.path("out"), ledger: ledger),
      case .settledBefore(let earlier, reportsStand: true) = try batch.settle(into: folder.path("new"), ledger: ledger)
    else {
      Issue.record("the ledger did not know the batch")
      return
    }
    #expect(result.recordsRead == 3 && same.number == 1)
    #expect(earlier.directory.hasSuffix("/out") && earlier.time.hasSuffix("Z"))
  }

  @Test("A batch is checked without settling it: findings in batch order, a batch error thrown")
  func validated() throws {
    var findings: [String] = []
    let result = try Batch([night]).validate {
      findings.append("\($0.line ?? 0) \($0.payKey) \($0.isNotice ? "notice" : "error") \($0.code) \($0.field)")
    }
    #expect(findings == ["2 A notice UNKNOWN_FIELD /x", "3 B error AMOUNT_PRECISION /subTotal"])
    #expect(result.count(of: .rejected) == 1)
    var options = SettlementOptions()
    options.mostRejected = .records(0)
    let failure = #expect(throws: SettlementFailure.self) { try Batch([night], options: options).validate { _ in } }
    #expect(failure?.exitCode == 2 && failure?.message.hasPrefix("TOO_MANY_REJECTED") == true)
    #expect(throws: SettlementFailure.self) { try Batch([folder.path("none")]).validate { _ in } }
  }
}
