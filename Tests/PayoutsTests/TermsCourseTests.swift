import Foundation
import Records
import TestSupport
import Testing

@testable import Ledger
@testable import Payouts

/// Nights and payouts by drawn terms, compared with what a few lines compute from all nights: days in a row, the amounts
/// of EUR in cents, and of JPY in yen.
@Suite("Courses of payouts by terms")
struct TermsCourseTests {
  private struct Holder: Hashable, Comparable {
    let account: String
    let currency: String

    static func < (left: Holder, right: Holder) -> Bool {
      (left.account, left.currency) < (right.account, right.currency)
    }
  }

  private struct Row {
    let from, delay, percent, reserve, minimum: Int
  }

  private static let holders = ["anna", "bert", "chie"].flatMap { name in
    ["EUR", "JPY"].map { Holder(account: "\(name)@x.example", currency: $0) }
  }
  private static let firstDay = CalendarDay("2026-03-01")!.number

  private struct Course {
    var generator: SeededGenerator
    var day = TermsCourseTests.firstDay
    var terms: [Holder: [Row]] = [:]
    var open: [(key: String, to: Holder, amount: Int)] = []
    /// What each night gave, with its day.
    var nights: [(day: Int, given: [Holder: Int])] = []
    var balances: [Holder: Int] = [:]

    mutating func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// Draws other terms: of single accounts, and of all.
    mutating func drawTerms() {
      terms = [:]
      for holder in TermsCourseTests.holders + ["EUR", "JPY"].map({ Holder(account: "*", currency: $0) }) {
        // The last account has none of its own.
        let count = holder.account.hasPrefix("chie") ? 0 : draw(0...3)
        let days = Set((0..<count).map { _ in draw(-30...12) }).map { TermsCourseTests.firstDay + $0 }
        terms[holder] = days.map { day in
          let percent = [0, 333, 1000, 5050, 10_000].randomElement(using: &generator)!
          let (delay, reserve) = (draw(0...4), percent == 0 ? 0 : draw(0...8))
          return Row(
            from: day, delay: delay, percent: percent, reserve: reserve, minimum: draw(0...2) * 50)
        }
      }
    }

    func inForce(_ holder: Holder, on day: Int) -> Row? {
      for holder in [holder, Holder(account: "*", currency: holder.currency)] {
        let rows = (terms[holder] ?? []).filter { $0.from <= day }
        if let row = rows.max(by: { $0.from < $1.from }) { return row }
      }
      return nil
    }

    /// What is free, delayed, reserved and kept of a balance on the current day.
    func held(_ holder: Holder) -> [Int] {
      var (delayed, reserved, left) = (0, 0, max(balances[holder] ?? 0, 0))
      for night in nights {
        guard let earned = night.given[holder], earned > 0, let row = inForce(holder, on: night.day) else { continue }
        let part = row.reserve > 0 ? earned * row.percent / 10_000 : 0
        if row.reserve > 0, day < night.day + max(row.reserve, row.delay) { reserved += part }
        if day < night.day + row.delay { delayed += earned - part }
      }
      let parts = [reserved, delayed, inForce(holder, on: day)?.minimum ?? 0].map { most in
        let part = min(most, left)
        left -= part
        return part
      }
      return [left, parts[1], parts[0], parts[2]]
    }

    mutating func night(_ number: Int) -> [String] {
      var records = [
        #"{"type":"header","batchId":"night-\#(number)","createdAt":"\#(TermsCourseTests.text(day))T20:00:00Z"}"#
      ]
      var (given, totals) = ([Holder: Int](), ["EUR": 0, "JPY": 0])
      for place in 1...draw(1...8) {
        if !open.isEmpty, draw(0...2) == 0 {
          let payment = open.remove(at: draw(0...open.count - 1))
          records.append(PayoutWorkshop.refund("R-\(payment.key)", of: payment.key))
          given[payment.to, default: 0] -= payment.amount
        } else {
          let (to, amount) = (TermsCourseTests.holders.randomElement(using: &generator)!, draw(1...2000))
          records.append(PayoutWorkshop.payment("\(number)-\(place)", to.account, to.currency, amount))
          open.append(("\(number)-\(place)", to, amount))
          given[to, default: 0] += amount
          totals[to.currency]! += amount
        }
      }
      nights.append((day, given))
      balances.merge(given, uniquingKeysWith: +)
      let (euros, yen) = (PayoutWorkshop.decimal(totals["EUR"]!), "\(totals["JPY"]!)")
      return records + [
        #"{"type":"trailer","recordCount":\#(records.count - 1),"totals":{"EUR":"\#(euros)","JPY":"\#(yen)"}}"#
      ]
    }
  }

  private static func text(_ day: Int) -> String {
    let (year, month, day) = CalendarDay(number: day).date
    return String(format: "%04d-%02d-%02d", year, month, day)
  }

  private static func amount(_ amount: Int, _ holder: Holder) -> String {
    holder.currency == "JPY" ? "\(amount)" : PayoutWorkshop.decimal(amount)
  }

  /// The terms file, its lines in any order.
  private static func file(_ course: inout Course) -> String {
    let lines = course.terms.flatMap { holder, rows in
      rows.map { row in
        let percent = PayoutWorkshop.decimal(row.percent)
        return "\(holder.account),\(holder.currency),\(text(row.from)),\(row.delay),\(percent),\(row.reserve),"
          + amount(row.minimum, holder)
      }
    }
    return ([TermsFile.columns.joined(separator: ",")] + lines.sorted().shuffled(using: &course.generator))
      .joined(separator: "\n")
  }

  @Test("what is paid and held is that of the days of all nights", arguments: rounds(32))
  func drawn(round: Int) throws {
    let workshop = try PayoutWorkshop()
    let payees = Self.holders.map { holder in
      "\(holder.account),\(holder.currency),Shop,IBAN,DE89370400440532013000,COBADEFFXXX,,,,,"
    }
    try workshop.write(([PayoutWorkshop.payeesHeader] + payees).joined(separator: "\n"), to: "payees.csv")
    var course = Course(generator: SeededGenerator(seed: SeededGenerator().seed &+ UInt64(round)))
    let comment = Comment(rawValue: "round \(round), \(SeededGenerator().reproduction)")
    var (nights, payouts) = (0, 0)
    for step in 0..<24 {
      // Often on the same day, so that less is released than is held.
      course.day += max(0, course.draw(-3...2))
      if step == 0 || course.draw(0...1) == 0 {
        nights += 1
        try workshop.settle(course.night(nights), night: nights)
        continue
      }
      payouts += 1
      // The next payout with the same file begins with what the last one held.
      if payouts == 1 || course.draw(0...4) == 0 {
        course.drawTerms()
        try workshop.write(Self.file(&course), to: "terms.csv")
      }
      let result = try workshop.pay(payouts) { options in
        (options.date, options.executionDate) = (Self.text(course.day), Self.text(course.day))
        options.terms = workshop.path("terms.csv")
        options.since = payouts == 1 ? 1 : nil
      }
      // Without a run since and nothing free now, it may be the last one again.
      guard case .made = result else {
        payouts -= 1
        continue
      }
      var (paid, carried) = ([[String]](), [[String]]())
      for holder in course.balances.keys.sorted() where course.balances[holder] != 0 {
        let held = course.held(holder)
        if held[0] > 0 { paid.append([holder.account, holder.currency, Self.amount(held[0], holder)]) }
        course.balances[holder]! -= held[0]
        let left = course.balances[holder]!
        if left != 0 {
          carried.append(
            [holder.account, holder.currency] + ([left] + held[1...]).map { Self.amount($0, holder) })
        }
      }
      #expect(try workshop.rows("payout-\(payouts)/payouts.csv").map { Array($0[1...3]) } == paid, comment)
      #expect(
        try workshop.rows("payout-\(payouts)/carried.csv").map { Array($0[0...2] + $0[5...]) } == carried, comment)
    }
    #expect(try LedgerCheck(ledger: workshop.path("ledger")).findings == [])
  }
}
