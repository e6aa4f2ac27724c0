import Testing

@testable import BatchRun

@Suite("Adding up rows of accounts")
struct AccountRowSumTests {
  private func sum(_ rows: [String]) -> String? {
    var sum = AccountRowSum()
    for row in rows {
      let isTaken = Array(row.utf8).withUnsafeBufferPointer { SortedRow($0).map { sum.take($0) } ?? false }
      if !isTaken { return nil }
    }
    sum.finish()
    return String(decoding: UnsafeBufferPointer(start: sum.text.bytes, count: sum.text.count), as: UTF8.self)
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
    #expect(sum(["a@b.c,USD,1,2", "a@b.c,USD,1,2"]) == nil)
  }
}
