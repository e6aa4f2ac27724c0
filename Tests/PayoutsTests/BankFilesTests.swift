import Testing

@testable import Payouts

@Suite("Files for the bank: how much one takes")
struct BankFilesTests {
  @Test("a NACHA file takes its largest sum, to the cent; what is more goes into the next one")
  func largestSum() throws {
    let workshop = try PayoutWorkshop()
    // A hundred of the largest payments leave room for 99 cents.
    let cents = Array(repeating: 9_999_999_999, count: 100) + [99, 1]
    let accounts = cents.indices.map { "shop\(1000 + $0)@x.example" }
    try workshop.write(
      ([PayoutWorkshop.payeesHeader]
        + accounts.map { "\($0),USD,Shop,ACH,,,121000248,123456789012,CHECKING,PERSON," }).joined(separator: "\n"),
      to: "payees.csv")
    try workshop.write(
      #"""
      {"USD":{"ACH":{"name":"Pay Inc","company":"1123456789","odfi":"021000021","destination":"021000021",
              "destinationName":"First Bank","origin":"123456789"}}}
      """#, to: "debtor.json")
    try workshop.settle(
      zip(accounts, cents).map { PayoutWorkshop.payment($0.replacing("@x.example", with: ""), $0, "USD", $1) }, night: 1
    )
    let result = try workshop.pay(1) { $0.debtor = workshop.path("debtor.json") }
    guard case .made(let figures) = result else {
      Issue.record("\(result.description)")
      return
    }
    #expect(figures.files.map { "\($0.instructions) \($0.amount)" } == ["101 9999999999.99", "1 0.01"])
    try BankFileReader.compare(workshop, "payout-1")
  }
}
