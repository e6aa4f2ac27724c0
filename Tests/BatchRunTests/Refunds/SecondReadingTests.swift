import FileSystem
import Foundation
import Records
import Rules
import TestSupport
import Testing

@testable import BatchRun

/// Refunds of a batch's own payments without a ledger: what they need of payments before them is read a second time.
@Suite struct SecondReadingTests {
  @Test("a drawn batch gives the same reports without a ledger", arguments: 0..<12)
  func sameReports(number: Int) throws {
    let random = SeededGenerator(seed: SeededGenerator().seed &+ UInt64(number))
    var course = DrawnCourse(random, isPlain: true)
    var oracle = CourseOracle()
    let night = course.drawNight(after: oracle)
    _ = oracle.settle(night)
    var options = try CourseTests.options(night, threads: 1)
    let workshop = try LedgerWorkshop()
    let outcome = try workshop.settle(CourseTests.text([night], oracle.control), options: options)
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
    "a payment is found again wherever it stands",
    arguments: [
      (true, [Line.payment("A"), refund]),
      (true, [refund, Line.payment("A")]),
      (true, [Line.payment("Z", length: 300), "", Line.payment("\\u0041"), "{", Line.payment("B"), refund]),
      // The first payment of a key counts.
      (true, [Line.payment("A"), Line.payment("A", "3.00"), refund]),
      (false, [Line.payment("A", "0"), Line.payment("A"), refund]),
      // Too wide for a worker.
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

  @Test("what is kept of a repeated payment from the first refund on is not taken for that of the first one")
  func repeated() throws {
    let first = Line.payment("A", length: 700)
    // The commit takes the first line of each chunk, a worker the others: neither meets the pay key twice.
    let settled = try Workshop().settle(
      [first, Line.payment("Z"), Self.refund, Line.payment("A", "3.00"), ""].joined(separator: "\n"), threads: 1,
      chunk: first.utf8.count + 10)
    #expect(settled.failure == nil)
    #expect(settled.rows("refunds.csv").count == 1)
  }

  /// Does something once the batch's first record is taken.
  private final class Acting: ReportSink {
    let act: () throws -> Void

    init(_ act: @escaping () throws -> Void) { self.act = act }

    func begin(createdAt: UTCTime?) { #expect(throws: Never.self) { try act() } }

    func takeSettlement(_ text: UnsafePointer<UInt8>, count: Int) {}
  }

  private static func batch(_ amount: String) -> [UInt8] {
    // The commit takes a chunk's first line, after the worker has met the refund.
    Array("\(Line.payment("B"))\n\(Line.payment("A", amount))\n\(refund)\n".utf8)
  }

  private func settle(_ folder: TemporaryFolder, _ act: @escaping () throws -> Void) throws -> RunResult {
    let path = try folder.write(Self.batch("10.00"), to: "batch")
    let writer = EntryWriter(sums: []) { _, _, text in text.append("x") }
    return try BatchRun.entries([path], options: RunOptions(threads: 1), writer: writer, to: Acting(act)).result
  }

  @Test("a batch that is changed between the readings fails, whatever stands in it then")
  func changed() throws {
    let folder = try TemporaryFolder()
    for change in [Self.batch("20.00"), Array("{}".utf8), []] {
      let failure = #expect(throws: RunFailure.self) {
        try settle(folder) { _ = try folder.write(change, to: "batch") }
      }
      #expect(failure?.exitCode == 74)
      #expect(failure?.message.contains("changed while it was read") == true, "\(failure?.message ?? "")")
    }
  }

  @Test("a batch that is removed or replaced while it is settled is settled as it was opened")
  func replaced() throws {
    let folder = try TemporaryFolder()
    func remove() throws { try FileManager.default.removeItem(atPath: folder.path("batch")) }
    #expect(try settle(folder, remove).totals[.refunded] == 1)
    let result = try settle(folder) {
      try remove()
      _ = try folder.write(Self.batch("1.00"), to: "batch")
    }
    #expect(result.totals[.refunded] == 1)
  }
}
