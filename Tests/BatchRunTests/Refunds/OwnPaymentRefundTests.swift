import Failures
import Records
import Testing
import TestSupport
import Text
import Threads

@testable import BatchRun
@testable import LedgerRuns
@testable import RunSupport

/// Refunds of payments of the same batch, without a ledger.
@Suite struct OwnPaymentRefundTests {
  @Test("a drawn batch gives the same reports without a ledger", arguments: 0..<12)
  func sameReports(number: Int) throws {
    let random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(number))
    var course = DrawnCourse(random, isPlain: true)
    var oracle = CourseOracle()
    let night = course.drawNight(after: oracle)
    _ = oracle.settle(night)
    var options = try CourseNight.options(night, threads: 1)
    let workshop = try LedgerWorkshop()
    let outcome = try workshop.settle(CourseNight.text([night], oracle.control), options: options)
    try #require(outcome.description == "settled 1", "\(random.reproduction)")
    for (chunk, threads) in [(64, 1), (64, 3), (700, 2), (1 << 20, 2)] {
      options.threads = threads
      options.plainChunkLength = chunk
      _ = try BatchRun.settle(
        [workshop.folder.path("batch")], output: workshop.folder.path("again"), replace: true, options: options)
      #expect(try workshop.reports("again") == workshop.reports(), "chunks of \(chunk), \(random.reproduction)")
    }
  }

  private static let refund = #"{"type":"refund","refundKey":"R","payKey":"A","currencyCode":"USD","amount":"4.00"}"#
  private static let item = #"{"name":"n","itemPrice":"1","itemCount":"1","totalPrice":"1"}"#

  @Test(
    "a payment is found wherever it is",
    arguments: [
      (true, [Line.payment("A"), refund]),
      (true, [refund, Line.payment("A")]),
      (true, [Line.payment("Z", length: 300), "", Line.payment("\\u0041"), "{", Line.payment("B"), refund]),
      // The first payment of a key counts.
      (true, [Line.payment("A"), Line.payment("A", "3.00"), refund]),
      (false, [Line.payment("A", "0"), Line.payment("A"), refund]),
      // Too many receivers for a worker.
      (
        true,
        [
          Line.payment("Z"),
          Line.payment(
            "A", "4200",
            more: #","invoiceData":{"totalTax":0,"totalShipping":0,"invoiceItems":["#
              + Array(repeating: item, count: 4200).joined(separator: ",") + "]}"),
          refund,
        ]
      ),
    ])
  func anywhere(isFound: Bool, lines: [String]) throws {
    let workshop = try Workshop()
    for chunk in [50, 1 << 20] {
      let settled = try workshop.settle(lines.joined(separator: "\n"), threads: 16, chunk: chunk)
      #expect(settled.failure == nil)
      #expect(settled.rows("refunds.csv").count == (isFound ? 1 : 0), "chunks of \(chunk)")
    }
  }

  @Test("a refund takes the first of two payments with one key")
  func repeated() throws {
    let first = Line.payment("A", length: 700)
    // The commit takes the first line of each chunk, a worker the others: neither sees the pay key twice.
    let settled = try Workshop().settle(
      [first, Line.payment("Z"), Self.refund, Line.payment("A", "3.00"), ""].joined(separator: "\n"), threads: 1,
      chunk: first.utf8.count + 10)
    #expect(settled.failure == nil)
    #expect(settled.rows("refunds.csv").count == 1)
  }

  private final class Settled: EntryDestination {
    func begin(createdAt: UTCTime?) {}
    func write(_ text: Span<UInt8>) {}
  }

  @Test("if no temporary file can be made, a batch fails only if it has refunds")
  func noTemporaryFile() throws {
    let folder = try TemporaryFolder()
    var options = RunOptions(threads: 1)
    options.scratch = folder.path("missing/settle")
    let writer = EntryWriter(sums: []) { _, _, _, text in text.append("x") }
    func settle(_ lines: [String]) throws -> RunResult {
      let path = try folder.write(Array(lines.joined(separator: "\n").utf8), to: "batch")
      return try BatchRun.entries([path], options: options, writer: writer, to: Settled()).result
    }
    #expect(try settle([Line.payment("A"), Line.payment("B")]).totals[.settled] == 2)
    let failure = #expect(throws: Failure.self) { try settle([Line.payment("A"), Self.refund]) }
    #expect(failure?.exitCode == 73)
  }

  @Test("what was not kept of payments is an error for those who ask for it", arguments: [false, true], [1, 2])
  func lostEntries(isForLedger: Bool, threads: Int) throws {
    let folder = try TemporaryFolder()
    let payments = RefundablePayments(
      scratch: folder.path("missing/settle"), errands: Errands(most: threads > 1 ? threads : 0),
      isForLedger: isForLedger)
    var entries = TextBuffer()
    entries.append(0)
    payments.write(&entries)
    #expect(throws: Failure.self) { try payments.forEach { _, _ in } }
  }
}
