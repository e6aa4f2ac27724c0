import Testing
import TestSupport

@testable import BatchRun
@testable import RunSupport

@Suite("Courses of nights, compared with a second reading of the specification")
struct CourseTests {
  /// Seeds that together reach every code, and edges that few courses reach.
  private static let seeds: [UInt64] = [2151, 2507, 2923, 803]

  @Test("every night of a ledger has the expected results", arguments: rounds(8))
  func nights(part: Int) throws {
    for number in part * 4..<part * 4 + 4 {
      _ = try settleCourse(generator(number), nights: 2 + number % 3, threads: number % 2 == 0 ? 1 : 3)
    }
  }

  @Test("fixed courses reach every error of refunds and agreements")
  func fixed() throws {
    var left = Set(CourseOracle.codes)
    for seed in Self.seeds { left.subtract(try settleCourse(SeededGenerator(seed: seed), nights: 3, threads: 3)) }
    #expect(left.isEmpty)
  }

  /// Settles a course of nights, each of which must have the oracle's results.
  ///
  /// - Returns: the codes of the exceptions.
  private func settleCourse(_ random: SeededGenerator, nights: Int, threads: Int) throws -> Set<String> {
    var course = DrawnCourse(random)
    var oracle = CourseOracle()
    let workshop = try LedgerWorkshop()
    var codes: Set<String> = []
    for run in 1...nights {
      let night = course.drawNight(after: oracle)
      let expected = oracle.settle(night)
      let text = CourseNight.text([night], oracle.control)
      let output = "out-\(run)"
      let outcome = try workshop.settle(text, output: output, options: try CourseNight.options(night, threads: threads))
      let comment: Comment = "night \(run), \(random.reproduction)"
      try #require(outcome.description == "settled \(run)", comment)
      let found = try Self.reports(of: output, in: workshop)
      try #require(found == expected, "\(Self.difference(found, expected)), \(comment)\n\(text)")
      codes.formUnion(found.exceptions.map { String($0.split(separator: ",", omittingEmptySubsequences: false)[3]) })
    }
    return codes
  }

  @Test("the same nights in one batch give the same refunds and agreements", arguments: rounds(8))
  func oneBatch(part: Int) throws {
    for number in 0..<3 {
      let random = generator(1000 + part * 10 + number)
      var course = DrawnCourse(random, isPlain: true)
      var oracle = CourseOracle()
      var refunds: [[Substring]] = []
      var nights: [CourseNight] = []
      var control: (payments: [String: Int], refunds: [String: Int]) = ([:], [:])
      for _ in 1...3 {
        let night = course.drawNight(after: oracle)
        refunds += oracle.settle(night).refunds.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        control.payments.merge(oracle.control.payments, uniquingKeysWith: +)
        control.refunds.merge(oracle.control.refunds, uniquingKeysWith: +)
        nights.append(night)
      }
      let workshop = try LedgerWorkshop()
      let outcome = try workshop.settle(
        CourseNight.text(nights, control), options: try CourseNight.options(nights[0], threads: 3))
      let comment: Comment = "course \(number), \(random.reproduction)"
      #expect(outcome.description == "settled 1", comment)
      for row in refunds.indices { refunds[row][2] = "" }
      #expect(try workshop.rows("refunds.csv") == refunds, comment)
      let agreements = try workshop.rows("preapprovals.csv").map { "\($0[0]) \($0[1]) \($0[4]) \($0[5])" }
      let expected = oracle.agreements.sorted { $0.key < $1.key }.map { key, agreement in
        let amount = CourseRecord.amount(agreement.amount, agreement.terms.currency)
        return "\(key) \(agreement.status) \(agreement.payments) \(amount)"
      }
      #expect(agreements == expected, comment)
    }
  }

  @Test("a payment refunded in random parts ends at zero, and so do its fees")
  func randomParts() throws {
    var random = SeededGenerator()
    for _ in 0..<5 {
      var night = CourseNight()
      night.returnsFees = true
      night.rate = Int.random(in: 0...500, using: &random)
      var left = 0
      for key in 0..<10 {
        var payment = CourseRecord.Payment(key: "P\(key)", currency: ["USD", "JPY"][key % 2])
        payment.feePayer = key % 3 == 0 ? "SENDER" : nil
        for place in 0...Int.random(in: 0...5, using: &random) {
          let amount = Int.random(in: 1...([9, 9000][place % 2]), using: &random)
          payment.receivers.append(("r\(place)@a.example", amount, false, nil))
        }
        night.records.append(.payment(payment))
        left = payment.receivers.reduce(0) { $0 + $1.amount }
        var part = 0
        while left > 0 {
          part += 1
          let amount = Int.random(in: 1...left, using: &random)
          left -= amount
          night.records.append(
            .refund(.init(key: "R\(key)-\(part)", payKey: "P\(key)", currency: payment.currency, amount: amount)))
        }
      }
      var oracle = CourseOracle()
      _ = oracle.settle(night)
      let workshop = try LedgerWorkshop()
      let outcome = try workshop.settle(
        CourseNight.text([night], oracle.control), options: try CourseNight.options(night, threads: 3))
      #expect(outcome.description == "settled 1", "\(random.reproduction)")
      #expect(try workshop.rows("exceptions.csv").isEmpty, "\(random.reproduction)")
      for row in try workshop.rows("totals.csv") {
        #expect(row[4] == row[9] && row[5] == row[10], "\(row.joined(separator: ",")), \(random.reproduction)")
      }
      for row in try workshop.rows("receivers.csv") {
        #expect(Double(row[9]) == 0, "\(row.joined(separator: ",")), \(random.reproduction)")
      }
    }
  }

  // MARK: Writing and reading

  private func generator(_ number: Int) -> SeededGenerator {
    SeededGenerator(seed: SeededGenerator().seed &+ UInt64(number) &* 0x1000_0001)
  }

  private static func reports(of output: String, in workshop: LedgerWorkshop) throws -> CourseOracle.Reports {
    func lines(_ name: String) throws -> [String] {
      String(decoding: try workshop.folder.bytes(of: "\(output)/\(name).csv"), as: UTF8.self).split(separator: "\n")
        .dropFirst().map(String.init)
    }
    return CourseOracle.Reports(
      settlement: try lines("settlement"), refunds: try lines("refunds"), preapprovals: try lines("preapprovals"),
      totals: try lines("totals"), receivers: try lines("receivers"),
      exceptions: try lines("exceptions").map { line in
        // A message may contain commas; the cells before and after it do not.
        let cells = line.split(separator: ",", omittingEmptySubsequences: false)
        return ([cells[1]] + cells[3...8] + cells.suffix(2)).joined(separator: ",")
      })
  }

  private static func difference(_ found: CourseOracle.Reports, _ expected: CourseOracle.Reports) -> String {
    func first(_ name: String, _ rows: KeyPath<CourseOracle.Reports, [String]>) -> String? {
      let (found, expected) = (found[keyPath: rows], expected[keyPath: rows])
      let same = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, expected.count)
      guard found != expected else { return nil }
      func row(_ rows: [String]) -> String { rows.dropFirst(same).first ?? "no row" }
      return "\(name): \(row(found)) instead of \(row(expected))"
    }
    return [
      first("exceptions", \.exceptions), first("settlement", \.settlement), first("refunds", \.refunds),
      first("preapprovals", \.preapprovals), first("totals", \.totals), first("receivers", \.receivers),
    ].compactMap { $0 }.joined(separator: "; ")
  }
}
