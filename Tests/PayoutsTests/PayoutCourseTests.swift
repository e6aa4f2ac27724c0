import Failures
import Foundation
import Ledger
import Testing
import TestSupport

@testable import BatchRun
@testable import LedgerRuns
@testable import LedgerRuns
@testable import LedgerRuns
@testable import Payouts

@Suite("Courses of nights and payouts")
struct PayoutCourseTests {
  private struct Key: Hashable, Comparable {
    let account: String
    let currency: String

    /// Payments in one currency go to one bank account, except in USD.
    var bankAccount: Key { Key(account: currency == "USD" ? account : "", currency: currency) }

    static func < (left: Key, right: Key) -> Bool {
      (left.account, left.currency) < (right.account, right.currency)
    }
  }

  /// What happens, in cents or yen.
  private struct Course {
    var generator: SeededGenerator
    var open: [(key: String, to: Key, amount: Int)] = []
    var settled: [Key: Int] = [:]
    var balances: [Key: Int] = [:]
    var paid: [(reference: String, to: Key, amount: Int)] = []
    /// The last payment of each account and currency.
    var last: [Key: String] = [:]
    /// The last return of each bank account that is refused.
    var refused: [Key: String] = [:]
    var payments = 0
    var refunds = 0

    mutating func night() -> [String] {
      var records: [String] = []
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        if !open.isEmpty, Int.random(in: 0..<4, using: &generator) == 0 {
          let payment = open.remove(at: Int.random(in: open.indices, using: &generator))
          refunds += 1
          records.append(PayoutWorkshop.refund("R\(refunds)", of: payment.key))
          add(-payment.amount, to: payment.to)
        } else {
          let account = "shop\(Int.random(in: 1...6, using: &generator))@shop.example"
          let to = Key(account: account, currency: ["EUR", "JPY", "USD"].randomElement(using: &generator)!)
          let amount = Int.random(in: 1...50_000, using: &generator)
          payments += 1
          open.append(("K\(payments)", to, amount))
          records.append(PayoutWorkshop.payment("K\(payments)", to.account, to.currency, amount))
          add(amount, to: to)
        }
      }
      return records
    }

    private mutating func add(_ amount: Int, to key: Key) {
      settled[key, default: 0] += amount
      balances[key, default: 0] += amount
    }
  }

  private static func cents(_ text: String) -> Int { Int(text.filter { $0 != "." })! }

  private static let debtor = #"""
    {"EUR":{"IBAN":{"name":"Pay GmbH","iban":"DE89370400440532013000","maximum":2}},
     "JPY":{"IBAN":{"name":"Pay GmbH","iban":"DE89370400440532013000","bic":"COBADEFFXXX"}},
     "USD":{"ACH":{"name":"Pay Inc","company":"1123456789","odfi":"021000021","destination":"021000021",
                   "destinationName":"First Bank","origin":"1123456789","maximum":3}}}
    """#

  private static func payees(holding held: Int, retrying: [Key: String] = [:]) -> String {
    let rows = (1...5).flatMap { number in
      let account = "shop\(number)@shop.example"
      func hold(_ currency: String) -> String {
        let retry = retrying[Key(account: account, currency: currency)].map { "retry \($0)" }
        return number == held ? "yes" : retry ?? ""
      }
      return [
        "\(account),EUR,Shop \(number),IBAN,DE89370400440532013000,,,,,,\(hold("EUR"))",
        "\(account),JPY,Shop \(number),IBAN,GB29NWBK60161331926819,NWBKGB2L,,,,,\(hold("JPY"))",
        "\(account),USD,Shop \(number),ACH,,,011000015,12345678\(number),CHECKING,\(number % 2 == 0 ? "PERSON" : "COMPANY"),\(hold("USD"))",
      ]
    }
    return ([PayoutWorkshop.payeesHeader] + rows.shuffled()).joined(separator: "\n")
  }

  @Test("what all runs gave is what was paid and not returned, plus what is left; a lost ledger is made again")
  func conservation() throws {
    let workshop = try PayoutWorkshop()
    try workshop.write(Self.debtor, to: "debtor.json")
    var course = Course(generator: SeededGenerator())
    let comment = Comment(rawValue: course.generator.reproduction)
    var steps: [(night: Int?, payout: Int?)] = []
    var (nights, payouts) = (0, 0)
    for step in 0..<14 {
      if step == 0 || Bool.random(using: &course.generator) {
        nights += 1
        try workshop.settle(course.night(), night: nights)
        steps.append((nights, nil))
        continue
      }
      payouts += 1
      steps.append((nil, payouts))
      var returned = "reference,reason\n"
      course.paid.removeAll { payment in
        guard Int.random(in: 0..<8, using: &course.generator) == 0 else { return false }
        returned += "\(payment.reference),AC04\r\n"
        course.balances[payment.to, default: 0] += payment.amount
        course.refused[payment.to.bankAccount] = payment.reference
        return true
      }
      // Half of the refused payments are to be tried again; some rows name another payment, and do nothing.
      var retrying: [Key: String] = [:]
      for (key, last) in course.last.sorted(by: { $0.key < $1.key })
      where Bool.random(using: &course.generator) {
        let wrong = Int.random(in: 0..<4, using: &course.generator) == 0
        retrying[key] = wrong ? "P1-99" : course.refused[key.bankAccount] ?? last
      }
      let held = Int.random(in: 1...5, using: &course.generator)
      try workshop.write(returned, to: "returned.csv")
      try workshop.write(Self.payees(holding: held, retrying: retrying), to: "payees.csv")
      let result = try workshop.pay(payouts) { options in
        options.date = "2026-11-\(10 + payouts)"
        options.returned = [workshop.path("returned.csv")]
        options.debtor = workshop.path("debtor.json")
        options.since = payouts == 1 ? 1 : nil
      }
      guard case .made(let figures) = result else {
        Issue.record("\(result.description)")
        return
      }
      // Who is paid, according to a simple model.
      var expected: [Key: Int] = [:]
      for (key, balance) in course.balances
      where balance > 0 && !key.account.hasPrefix("shop6") && !key.account.hasPrefix("shop\(held)@") {
        let refused = course.refused[key.bankAccount]
        if refused == nil || refused == retrying[key] { expected[key] = balance }
      }
      let rows = try workshop.rows("payout-\(payouts)/payouts.csv")
      #expect(rows.map { Key(account: $0[1], currency: $0[2]) } == expected.keys.sorted(), comment)
      for row in rows {
        let key = Key(account: row[1], currency: row[2])
        #expect(Self.cents(row[3]) == expected[key], comment)
        course.paid.append((row[0], key, Self.cents(row[3])))
        course.last[key] = row[0]
        course.balances[key] = 0
      }
      for key in expected.keys { course.refused[key.bankAccount] = nil }
      let carried = try workshop.rows("payout-\(payouts)/carried.csv")
      let left = course.balances.filter { $0.value != 0 }
      #expect(carried.map { Key(account: $0[0], currency: $0[1]) } == left.keys.sorted(), comment)
      for row in carried { #expect(Self.cents(row[2]) == left[Key(account: row[0], currency: row[1])], comment) }
      #expect(figures.files.reduce(0) { $0 + $1.instructions } == rows.count)
      try BankFileReader.compare(workshop, "payout-\(payouts)")
      // Again, and into another directory.
      #expect(try again(workshop, payouts) == "already made \(payouts)")
      #expect(try again(workshop, payouts, output: "other") == "made before \(payouts)")
    }
    for (key, amount) in course.settled {
      let paid: Int = course.paid.filter { $0.to == key }.map(\.amount).reduce(0, +)
      let left = course.balances[key] ?? 0
      #expect(amount == paid + left, comment)
    }
    #expect(try LedgerUpkeep.verify(workshop.path("ledger")).findings == [])
    try makeAgain(workshop, steps)
  }

  private func again(
    _ workshop: PayoutWorkshop, _ number: Int, output: String? = nil, republish: Bool = false
  ) throws -> String {
    try workshop.pay(number, output: output) { options in
      options.date = "2026-11-\(10 + number)"
      options.returned = [workshop.path("returned.csv")]
      options.debtor = workshop.path("debtor.json")
      options.since = number == 1 ? 1 : nil
      options.republishes = republish
    }.description
  }

  /// Makes the ledger again from the directories: its payouts are the same, and the next one finds nothing new to pay.
  private func makeAgain(_ workshop: PayoutWorkshop, _ steps: [(night: Int?, payout: Int?)]) throws {
    let before = try LedgerReading(path: workshop.path("ledger")).history.payouts
    for step in steps {
      if let night = step.night {
        let records = try workshop.text("batch-\(night)").split(separator: "\n").map(String.init)
        try workshop.settle(records, night: night, ledger: "again", adopt: true)
      } else if let payout = step.payout {
        let adopted = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
          try PayoutAdoption.adopt(workshop.path("payout-\(payout)"), ledger: workshop.path("again"), note: { _ in })
        }
        #expect(adopted.number == payout && !adopted.wasEntered && adopted.bookedRun == nil)
      }
    }
    let after = try LedgerReading(path: workshop.path("again")).history.payouts
    #expect(after.map(\.number) == before.map(\.number))
    #expect(after.map(\.totals) == before.map(\.totals))
    #expect(after.map(\.exitCode) == before.map(\.exitCode))
    #expect(after.map(\.sums) == before.map(\.sums))
    #expect(try LedgerUpkeep.verify(workshop.path("again")).findings == [])
  }

  @Test("a payout whose directory is lost is made again with the same bytes, even after later nights")
  func republished() throws {
    let workshop = try PayoutWorkshop()
    try workshop.write(Self.payees(holding: 0), to: "payees.csv")
    try workshop.write(Self.debtor, to: "debtor.json")
    try workshop.settle([PayoutWorkshop.payment("A", "shop1@shop.example", "EUR", 500)], night: 1)
    func pay(_ number: Int, output: String? = nil, republish: Bool = false) throws -> String {
      try workshop.pay(number, output: output) { options in
        options.debtor = workshop.path("debtor.json")
        options.untilRun = number
        options.republishes = republish
      }.description
    }
    #expect(try pay(1) == "made 1, exit 0")
    try workshop.settle(
      [PayoutWorkshop.refund("R", of: "A"), PayoutWorkshop.payment("B", "shop2@shop.example", "JPY", 70)], night: 2)
    #expect(try pay(2) == "made 2, exit 0")
    for number in 1...2 {
      let files = try workshop.files("payout-\(number)")
      try FileManager.default.removeItem(atPath: workshop.path("payout-\(number)"))
      #expect(try pay(number) == "made before \(number), files lost")
      #expect(try pay(number, output: "again-\(number)", republish: true) == "already made \(number), published")
      #expect(try workshop.files("again-\(number)") == files)
      #expect(try pay(number, output: "again-\(number)") == "already made \(number)")
      #expect(try pay(number, output: "copy-\(number)", republish: true) == "already made \(number), published")
      #expect(try workshop.files("copy-\(number)") == files)
    }
  }
}
