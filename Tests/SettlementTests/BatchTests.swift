import Foundation
import SampleBatch
import Settlement
import TestSupport
import Testing

/// Whole batches, through the interface for other packages.
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

  @Test("A batch is settled into a directory, and its counts and sums are returned")
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

  @Test("A refund window has 0 to 36500 days; another number traps")
  func refundWindow() async {
    var options = SettlementOptions()
    #expect(options.refundWindow == 180)
    for days in [0, 36_500] {
      options.refundWindow = days
      #expect(options.refundWindow == days)
    }
    await #expect(processExitsWith: .failure) {
      var options = SettlementOptions()
      options.refundWindow = -5
    }
    await #expect(processExitsWith: .failure) {
      var options = SettlementOptions()
      options.refundWindow = 36_501
    }
  }

  @Test("What senders get back is what receivers return, and the fees that are returned")
  func refunded() throws {
    let path = try folder.write(
      Array(
        """
        {"payKey":"A","recipient":"a@shop.example","subTotal":"25.00"}
        {"type":"refund","refundKey":"R","payKey":"A","currencyCode":"USD","amount":"10.00"}

        """.utf8), to: "refunded.jsonl")
    let result = try Batch([path]).settle(into: folder.path("out"))
    let dollars = try #require(result.currencies.first)
    #expect(dollars.refunds == 1)
    #expect("\(dollars.refunded) \(dollars.fromReceivers) \(dollars.feesReturned)" == "10.00 10.00 0.00")
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

  @Test("The balances and entries of a ledger's accounts are read from it")
  func accounts() throws {
    let path = folder.path("ledger")
    _ = try Batch([night]).settle(into: folder.path("out"), ledger: path)
    let accounts = try LedgerAccounts(ledger: path)
    var balances: [String] = []
    try accounts.balances { balances.append("\($0.account) \($0.currency.code) \($0.amount) since \($0.since)") }
    #expect(balances == ["a@shop.example USD 23.97 since 1"])
    #expect(
      try accounts.balances(of: "A@Shop.example").map { "\($0.account) \($0.currency.code) \($0.amount) \($0.since)" }
        == ["a@shop.example USD 23.97 1"])
    #expect(try accounts.balances(of: "a@shop.example", until: "2010-01-01").isEmpty)
    for (account, day) in [("a shop", nil), ("b@shop.example", nil), ("a@shop.example", "2026-02-30")] {
      let failure = #expect(throws: SettlementFailure.self) { try accounts.balances(of: account, until: day) }
      #expect(failure?.exitCode == 64, "\(account)")
    }
    var earlier = 0
    try accounts.balances(until: "2010-01-01") { _ in earlier += 1 }
    #expect(earlier == 0)
    let entries = try accounts.entries(of: "A@shop.example")
    #expect(entries.map { "\($0.number) \($0.currency.code) \($0.amount) \($0.balance)" } == ["1 USD 23.97 23.97"])
    #expect(entries.map(\.kind) == [.run])
    #expect(try accounts.entries(of: "a@shop.example", since: entries[0].day, until: entries[0].day).count == 1)
    let invalid = #expect(throws: SettlementFailure.self) { try accounts.entries(of: "a shop") }
    #expect(invalid?.exitCode == 64)
    #expect(try accounts.entries(of: "a@shop.example", since: "2010-01-01", until: "2010-01-31").isEmpty)
    for day in ["2026-02-30", "1999-12-31", "today", "2026-11-2\n"] {
      let failure = #expect(throws: SettlementFailure.self) { try accounts.balances(until: day) { _ in } }
      #expect(failure?.exitCode == 64 && failure?.message.contains("\n") == false)
    }
    let unknown = #expect(throws: SettlementFailure.self) { try accounts.entries(of: "b@shop.example") }
    #expect(unknown?.exitCode == 64)
    let missing = #expect(throws: SettlementFailure.self) { try LedgerAccounts(ledger: folder.path("none")) }
    #expect(missing?.exitCode == 66)
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

  @Test("A single payment becomes what it becomes in a batch: the rows of settlement.csv, the findings of validate")
  func alone() throws {
    let random = SeededGenerator()
    let options = SampleBatchOptions(
      payments: 400, seed: random.seed, defectsPerMillion: 200_000, features: [.splits, .amounts, .cards])
    var bytes: [UInt8] = []
    _ = try SampleBatch.write(options, isLZ4: false) { bytes.append($0) }
    let batch = Batch([try folder.write(bytes, to: "sample.jsonl")])
    // A Swift string is valid UTF-8, and a single payment repeats no key.
    var (told, passedOver): ([(line: Int?, text: String)], Set<Int?>) = ([], [])
    _ = try batch.validate {
      told.append(($0.line, "\($0.payKey) \($0.code) \($0.field) \($0.message)"))
      if ["DUPLICATE_PAY_KEY", "INVALID_UTF8"].contains($0.code) { passedOver.insert($0.line) }
    }
    let expected = told.filter { !passedOver.contains($0.line) }.map(\.text)
    _ = try batch.settle(into: folder.path("sample"))
    var (rows, findings, keys): ([String], [String], Set<String>) = ([], [], [])
    var settler = try PaymentSettler()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let text = String(validating: line, as: UTF8.self), let payment = settler.settle(text) else { continue }
      guard payment.payKey.isEmpty || keys.insert(payment.payKey).inserted else { continue }
      findings += (payment.rejections + payment.notices).map { "\($0.payKey) \($0.code) \($0.field) \($0.message)" }
      for posting in payment.postings {
        rows.append(
          "\(payment.payKey),\(posting.role.name),\(posting.account),\(posting.gross),\(posting.passedOn),\(posting.fee),"
            + "\(posting.net)")
      }
    }
    let published = String(decoding: try folder.bytes(of: "sample/settlement.csv"), as: UTF8.self)
    let columns = published.split(separator: "\n").dropFirst().map { row in
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      return ([fields[0], fields[2], fields[3]] + fields[5...8]).joined(separator: ",")
    }
    #expect(rows == columns && !rows.isEmpty, "\(random.reproduction)")
    let different = zip(findings, expected).first { $0.0 != $0.1 }.map { "\n\($0.0)\ninstead of\n\($0.1)" } ?? ""
    #expect(findings == expected && !findings.isEmpty, "\(random.reproduction)\(different)")
  }
}
