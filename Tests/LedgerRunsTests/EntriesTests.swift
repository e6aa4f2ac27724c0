import BatchRun
import Failures
import Postings
import Records
import Testing
import TestSupport

@testable import RunSupport

/// Entries of settled payments, by a caller's writer.
@Suite struct EntriesTests {
  private final class Gathered: EntryDestination {
    var text: [UInt8] = []
    var headers: [UTCTime?] = []

    func begin(createdAt: UTCTime?) {
      #expect(text.isEmpty)
      headers.append(createdAt)
    }

    func write(_ text: Span<UInt8>) throws(Failure) {
      self.text.append(text)
      // Each entry is complete.
      #expect(self.text.last == UInt8(ascii: "\n"))
    }
  }

  /// Pay key, and what each receiver's texts are.
  private static let writer = EntryWriter(sums: [.receiver]) { entry, texts, _, text in
    text.append(entry.payKey)
    for place in 0..<entry.receiverCount {
      text.append(" ")
      if texts.append(.customId, of: place, to: &text) == .nothing { text.append("-") }
      text.append("/")
      if texts.append(.description, of: place, to: &text) == .nothing { text.append("-") }
    }
    text.append(texts.createdAt.map { " \($0.year)-\($0.month)-\($0.day)\n" } ?? " -\n")
  }

  private func entries(_ batch: [UInt8], options: RunOptions) throws -> (Gathered, RunResult, AccountTotals) {
    let folder = try TemporaryFolder()
    let gathered = Gathered()
    let (result, accounts) = try BatchRun.entries(
      [try folder.write(batch, to: "batch")], options: options, writer: Self.writer, to: gathered)
    return (gathered, result, accounts)
  }

  @Test func texts() throws {
    let batch = #"""
      {"type":"header","createdAt":"2026-11-20T23:30:00-01:00"}
      {"payKey":"B","recipient":"a@x.example","subTotal":1,"customId":"c\u0031\n","description":"d","createdAt":"2026-11-20T00:00:00\u005a"}
      {"payKey":"B","recipient":"a@x.example","subTotal":2,"customId":"again"}
      {"payKey":"A","receiverPaymentDetails":[{"recipient":"b@x.example","subtotal":3},{"recipient":"c@x.example","subtotal":4,"customId":""}]}
      {"payKey":"C","recipient":"a@x.example","subTotal":0}
      {"payKey":"D","status":"STATUS_OTHER","recipient":"a@x.example","subTotal":1}
      {"type":"trailer","recordCount":5,"totals":{"USD":11}}
      """#
    let (gathered, result, accounts) = try entries(Array(batch.utf8), options: RunOptions(threads: 2))
    #expect(String(decoding: gathered.text, as: UTF8.self) == "B c1\n/d 2026-11-20\nA -/- /- -\n")
    #expect(gathered.headers.map { $0?.day } == [21] && result.createdAt?.day == 21 && result.exitCode == 1)
    var balances: [String] = []
    accounts.visit(threads: 1) { balance in
      let account = String(decoding: balance.account)
      balances.append(
        "\(account) \(balance.currency.code) \(balance.sums.payments) \(balance.sums.gross) \(balance.sums.net)")
    }
    #expect(
      balances == ["a@x.example USD 1 1.00 0.67", "b@x.example USD 1 3.00 2.61", "c@x.example USD 1 4.00 3.58"])
  }

  @Test(
    "in batch order for any number of threads, with the settled payments and balances of a run", arguments: [1, 2, 7])
  func agreesWithRun(threads: Int) throws {
    let batch = MixedBatch.bytes(records: 700, seed: 3)
    let settled = try Workshop().settle([batch])
    let keys = settled.rows("settlement.csv").map { $0.prefix { $0 != "," } }.reduce(into: [Substring]()) {
      if $0.last != $1 { $0.append($1) }
    }
    let (gathered, _, accounts) = try entries(batch, options: RunOptions(threads: threads, plainChunkLength: 2000))
    let entries = String(decoding: gathered.text, as: UTF8.self).split(separator: "\n")
    #expect(
      entries.map { $0.prefix { $0 != " " } } == keys && gathered.headers.count == 1 && gathered.headers[0] == nil)
    var balances: [String] = []
    accounts.visit(threads: threads) { balance in
      balances.append(
        "\(String(decoding: balance.account)),\(balance.currency.code),\(balance.sums.payments),"
          + "\(balance.sums.gross),\(balance.sums.passedOn),\(balance.sums.fee),\(balance.sums.net)")
    }
    // Refunds would come after these, but the batch has no refunds.
    let rows = settled.rows("receivers.csv").map { $0.split(separator: ",").prefix(7).joined(separator: ",") }
    #expect(balances == rows)
  }
}
