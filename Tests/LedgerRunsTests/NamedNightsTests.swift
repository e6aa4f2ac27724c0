import Foundation
import Records
import Rules
import Testing
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns
@testable import RunSupport

@Suite("Nights with named fees, and nights without names before and after them")
struct NamedNightsTests {
  let workshop: LedgerWorkshop
  var folder: TemporaryFolder { workshop.folder }

  /// The second night has named fees; the third refunds one of its payments and one of the first night.
  private let nights = [
    (Batch.text("night-1", ["P"]), RunOptions(threads: 1)),
    (Batch.text("night-2", ["A", "B"]), RunOptions(rules: SettlementRules(schedule: .named), threads: 2)),
    (
      [Line.payment("C"), Line.refund, Line.refund.replacing(#""A""#, with: #""P""#).replacing(#""R""#, with: #""S""#)]
        .joined(separator: "\n"), RunOptions(threads: 3)
    ),
    ("", RunOptions(rules: SettlementRules(schedule: .returning), threads: 1)),
  ]

  private static let third = """
    pay_key,account,bearer,name,currency,fee,vat,refund_key
    C,shop@example.com,shop@example.com,fee,USD,0.59,0.00,
    A,shop@example.com,shop@example.com,commission,USD,-0.48,-0.09,R

    """

  init() throws {
    workshop = try LedgerWorkshop()
    for number in nights.indices { #expect(try settle(number).description == "settled \(number + 1)") }
  }

  private func settle(_ number: Int, output: String? = nil, republish: Bool = false, adopt: Bool = false) throws
    -> LedgerWorkshop.Outcome
  {
    try workshop.settle(
      nights[number].0, output: output ?? "out-\(number)", republish: republish, adopt: adopt,
      options: nights[number].1)
  }

  private func fees(_ output: String) throws -> String? {
    try workshop.reports(output)["fees.csv"].map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("names are shown from the first night that has them; refunds have those of the payment's night")
  func shown() throws {
    #expect(try fees("out-0") == nil)
    #expect(
      try fees("out-1") == """
        pay_key,account,bearer,name,currency,fee,vat,refund_key
        A,shop@example.com,shop@example.com,commission,USD,1.20,0.23,
        A,shop@example.com,shop@example.com,processing,USD,0.15,0.00,
        B,shop@example.com,shop@example.com,commission,USD,1.20,0.23,
        B,shop@example.com,shop@example.com,processing,USD,0.15,0.00,

        """)
    #expect(try fees("out-2") == Self.third)
    #expect(try fees("out-3") == "pay_key,account,bearer,name,currency,fee,vat,refund_key\n")
    #expect(try LedgerUpkeep.verify(folder.path("ledger")).findings == [])
  }

  @Test("the last part of a payment returns the last unit of each fee that its night returns, and of its VAT")
  func lastPart() throws {
    let last = Line.refund.replacing("4.00", with: "6.00").replacing(#""R""#, with: #""T""#)
    #expect(try workshop.settle(last, output: "last").description == "settled 5")
    #expect(
      try fees("last")?.split(separator: "\n").dropFirst() == [
        "A,shop@example.com,shop@example.com,commission,USD,-0.72,-0.14,T"
      ])
  }

  @Test("a payment of a night without names is returned as one fee, by the schedule of the refund's night")
  func oldPayment() throws {
    let refund = Line.refund.replacing(#""A""#, with: #""P""#).replacing(#""R""#, with: #""T""#)
    let options = nights[3].1
    #expect(try workshop.settle(refund, output: "last", options: options).description == "settled 5")
    let rows = try workshop.rows("fees.csv", of: "last")
    #expect(rows.map { "\($0[0]) \($0[3]) \($0[6]) \($0[7])" } == ["P fee 0.00 T"])
    #expect(rows.first?[5].hasPrefix("-") == true)
  }

  @Test("settled again, each night has its bytes, with the ledger as it was before it")
  func again() throws {
    for number in nights.indices {
      #expect(try settle(number, output: "again", republish: true).description.hasSuffix("published"))
      #expect(try workshop.reports("again") == workshop.reports("out-\(number)"))
      try FileManager.default.removeItem(atPath: folder.path("again"))
    }
  }

  @Test("what refunds need of a night with names is dropped; later nights still show names")
  func pruned() throws {
    let dated = Batch.text("dated", ["D"])
      .replacing(#""type":"header""#, with: #""type":"header","createdAt":"2026-01-02T08:00:00Z""#)
    #expect(try workshop.settle(dated, output: "dated", options: nights[1].1).description == "settled 5")
    let day = try #require(CalendarDay("2026-01-03"))
    let (runs, payments) = try LedgerUpkeep.prune(folder.path("ledger"), before: day.number)
    #expect(runs == 1 && payments == 1)
    #expect(try LedgerUpkeep.verify(folder.path("ledger")).findings == [])
    let refund = Line.refund.replacing(#""A""#, with: #""D""#).replacing(#""R""#, with: #""T""#)
    #expect(
      try workshop.settle([Line.payment("E"), refund].joined(separator: "\n"), output: "late").description
        == "settled 6")
    #expect(try workshop.rows("exceptions.csv", of: "late").map { $0[5] } == ["REFUND_WINDOW_PASSED"])
    #expect(
      try fees("late")?.split(separator: "\n").dropFirst() == ["E,shop@example.com,shop@example.com,fee,USD,0.59,0.00,"]
    )
  }

  @Test("a lost ledger is made again, and refunds return the same")
  func adopted() throws {
    for name in ["ledger", "ledger-lock"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
    for number in nights.indices { #expect(try settle(number, adopt: true).description == "settled \(number + 1)") }
    #expect(try LedgerUpkeep.verify(folder.path("ledger")).findings == [])
    try lastPart()
  }
}
