import Rules
import Testing

@Suite("At most 1,000 errors of one record are reported and counted")
struct MostFindingsTests {
  @Test("the first in the order of exceptions.csv")
  func first() {
    let items = Array(repeating: "{}", count: 700).joined(separator: ",")
    let assessed = Assessed(
      Array(
        #"{"currency":1,"payKey":"P-1","recipient":"a","subTotal":"1","invoiceData":{"invoiceItems":[\#(items)]}}"#
          .utf8))
    // 2,800 fields of items are missing, and other values are wrong.
    #expect(assessed.findings.count == 1000)
    #expect(assessed.findings.allSatisfy { $0.code == "MISSING_FIELD" })
    let fields = assessed.findings.map(\.field)
    #expect(fields == fields.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test("none is left out up to the limit, and equal ones are not counted", arguments: [999, 1000, 1001])
  func edge(count: Int) {
    let names = (0..<count).map { "\"x\($0)\":1,\"x\($0)\":2" }.joined(separator: ",")
    let assessed = Assessed(
      Array(#"{"payKey":"P-1","recipient":"a@b.example","subTotal":"1",\#(names)}"#.utf8),
      rules: SettlementRules(unknownFields: .reject))
    #expect(assessed.findings.count == min(1000, count))
    #expect(Set(assessed.findings.map(\.field)).count == min(1000, count))
  }
}
