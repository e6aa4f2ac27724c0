import ExactArithmetic
import Money
import Testing

@testable import Payouts

@Suite("Why balances are carried, and what is left of them")
struct CarriedReasonTests {
  private let workshop: PayoutWorkshop

  init() throws { workshop = try PayoutWorkshop() }

  private func pay(_ number: Int, change: (inout Payout.Options) -> Void = { _ in }) throws -> PayoutFigures? {
    let result = try workshop.pay(number) { options in
      (options.date, options.executionDate) = ("2026-11-1\(number)", "2026-11-1\(number)")
      change(&options)
    }
    guard case .made(let figures) = result else {
      Issue.record("\(result.description)")
      return nil
    }
    return figures
  }

  @Test("the minimum and the maximum themselves are paid")
  func bounds() throws {
    let names = ["above", "below", "hold", "huge", "least", "most"]
    let rows = names.map { "\($0)@x.example,EUR,Shop,IBAN,DE89370400440532013000,,,,,,\($0 == "hold" ? "yes" : "")" }
    try workshop.write(
      ([PayoutWorkshop.payeesHeader] + rows
        + ["yen@x.example,JPY,Shop,IBAN,DE89370400440532013000,COBADEFFXXX,,,,,"]).joined(separator: "\n"),
      to: "payees.csv")
    try workshop.write(
      #"{"EUR":{"IBAN":{"name":"Pay GmbH","iban":"DE89370400440532013000"}}}"#, to: "debtor.json")
    let cents = [
      ("above", 100_000_000_000), ("below", 999), ("hold", 1000), ("least", 1000), ("most", 99_999_999_999),
      ("stranger", 1000),
    ]
    try workshop.settle(
      cents.map { PayoutWorkshop.payment($0, "\($0)@x.example", "EUR", $1) } + [
        PayoutWorkshop.payment("yen", "yen@x.example", "JPY", 1000),
        PayoutWorkshop.payment("huge", "huge@x.example", "EUR", 10).replacing("0.10", with: "1e40"),
      ], night: 1)
    _ = try pay(1) { options in
      options.minimums = [Currency(code: "EUR")!: ExactDecimal("10.00")!]
      options.debtor = workshop.path("debtor.json")
    }
    #expect(
      try workshop.rows("payout-1/payouts.csv").map { "\($0[1]) \($0[3])" } == [
        "least@x.example 10.00", "most@x.example 999999999.99",
      ])
    #expect(
      try workshop.rows("payout-1/carried.csv").map { "\($0[0]) \($0[3])" } == [
        "above@x.example ABOVE_MAXIMUM", "below@x.example BELOW_MINIMUM", "hold@x.example ON_HOLD",
        "huge@x.example ABOVE_MAXIMUM", "stranger@x.example NO_PAYEE", "yen@x.example NO_DEBTOR",
      ])
  }

  @Test("the oldest debt counts, and a currency stays in the totals when nothing of it is left")
  func debts() throws {
    let accounts = ["anna", "bert"].map { "\($0)@x.example" }
    try workshop.write(
      ([PayoutWorkshop.payeesHeader]
        + accounts.flatMap { account in
          ["EUR", "USD"].map { "\(account),\($0),Shop,IBAN,DE89370400440532013000,COBADEFFXXX,,,,," }
        }).joined(separator: "\n"), to: "payees.csv")
    try workshop.settle(
      [
        PayoutWorkshop.payment("A", accounts[0], "EUR", 100), PayoutWorkshop.payment("B", accounts[1], "EUR", 200),
        PayoutWorkshop.payment("C", accounts[0], "USD", 300),
      ], night: 1)
    #expect(try pay(1)?.oldestDebt == nil)
    for (night, payment) in [(2, "B"), (3, "A")] {
      try workshop.settle([PayoutWorkshop.refund("R\(payment)", of: payment)], night: night)
    }
    let figures = try #require(try pay(2))
    #expect(figures.oldestDebt?.run == 2 && figures.exitCode == 0)
    #expect(
      figures.totals.map { "\($0.currency.code) \($0.settled) \($0.carried) \($0.owing) \($0.accountsOwing)" } == [
        "EUR -3.00 0.00 3.00 2", "USD 0.00 0.00 0.00 0",
      ])
  }
}
