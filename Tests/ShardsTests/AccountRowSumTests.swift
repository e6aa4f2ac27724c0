import FileSystem
import Testing
import TestSupport

@testable import BatchRun
@testable import Shards
@testable import Ledger

@Suite("Adding up rows of accounts")
struct AccountRowSumTests {
  private func sum(_ rows: [String]) -> String? {
    var sum = AccountRowSum()
    for row in rows {
      let isTaken = sum.add(SortedRow(row.utf8Span.span))
      if !isTaken { return nil }
    }
    sum.finish()
    return sum.text.string
  }

  @Test("rows of one account and currency become one; if nothing is left, there is no row")
  func sums() {
    #expect(sum([]) == "")
    #expect(sum(["a@b.c,USD,1,2.00,0.50,0.10,1.40,0,0.00,1.40"]) == "a@b.c,USD,1,2.00,0.50,0.10,1.40,0,0.00,1.40\n")
    #expect(
      sum([
        "a@b.c,USD,1,2.00,0.50,0.10,1.40,0,0.00,1.40", "a@b.c,USD,-1,-2.00,-0.50,-0.10,-1.40,0,0.00,-1.40",
        "a@b.d,JPY,1,99999999999999999999,0,1,99999999999999999998,0,0,99999999999999999998",
        "a@b.d,JPY,0,0,0,0,0,2,-5,-5", "a@b.d,USD,0,0.00,0.00,0.00,0.00,1,-0.01,-0.01",
      ]) == "a@b.d,JPY,1,99999999999999999999,0,1,99999999999999999998,2,-5,99999999999999999993\n"
        + "a@b.d,USD,0,0.00,0.00,0.00,0.00,1,-0.01,-0.01\n")
    #expect(sum(["a@b.c"]) == nil)
    for row in [
      "a@b.c,USD,1,2", "a@b.c,XXX,1,2.00,0.50,0.10,1.40,0,0.00,1.40", "a@b.c,USD,1,2.0,0.5,0.1,1.4,0,0.0,1.4",
    ] {
      #expect(sum([row, row]) == nil)
    }
    #expect(sum(["a@b.c,USD,0,2"]) == nil)
  }

  /// What the ledger books for rows; nil if one is malformed.
  private func booked(_ rows: [String]) throws -> [String]? {
    var sum = AccountRowSum(keepsPayouts: true)
    for row in rows {
      let isTaken = sum.add(SortedRow(row.utf8Span.span))
      if !isTaken { return nil }
    }
    sum.finish()
    let folder = try TemporaryFolder()
    let entries = try AccountEntries(beside: OutputPlace(path: folder.path("out")))
    try sum.payouts.enter(in: entries)
    try entries.finish()
    let stream = AccountStream(entries)
    var booked: [String] = []
    while try stream.next() {
      booked.append("\(String(decoding: stream.account, as: UTF8.self)),\(stream.currency.code),\(stream.amount)")
    }
    return booked
  }

  @Test("the ledger books the column payout, whatever comes after it", arguments: ["", ",7.00", ",7.00,x"])
  func payouts(behind: String) throws {
    let rows = [
      "a@b.c,USD,1,2.00,0.50,0.10,1.40,0,0.00,1.40",
      // Two rows, with refunds, beyond 64 bits.
      "a@b.d,JPY,1,99999999999999999999,0,1,99999999999999999998,0,0,99999999999999999998",
      "a@b.d,JPY,0,0,0,0,0,2,-5,-5",
      // Below zero, zero, and taken out.
      "a@b.d,USD,0,0.00,0.00,0.00,0.00,1,-0.01,-0.01", "a@b.e,USD,1,1.00,0.00,0.00,1.00,1,-1.00,0.00",
      "a@b.f,USD,1,2.00,0.50,0.10,1.40,0,0.00,1.40", "a@b.f,USD,-1,-2.00,-0.50,-0.10,-1.40,0,0.00,-1.40",
      "a@b.g,EUR,1,2.00,0.50,0.10,1.40,1,-0.15,1.25",
    ]
    #expect(
      try booked(rows.map { $0 + behind }) == [
        "a@b.c,USD,1.40", "a@b.d,JPY,99999999999999999993", "a@b.d,USD,-0.01", "a@b.g,EUR,1.25",
      ])
  }

  @Test("a row without a payout, with an unknown currency or other decimals is malformed")
  func malformed() throws {
    for row in [
      "a@b.c,USD,1,2.00,0.50,0.10,1.40,0,0.00", "a@b.c,USD,1,2.00,0.50,0.10,1.40,0,0.00,",
      "a@b.c,XXX,1,2.00,0.50,0.10,1.40,0,0.00,1.40", "a@b.c,USD,1,2.00,0.50,0.10,1.40,0,0.00,1.4",
    ] {
      #expect(try booked([row]) == nil, "\(row)")
    }
  }
}
