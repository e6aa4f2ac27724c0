import Testing
import TestSupport

@testable import BatchRun
@testable import RunSupport

@Suite("Ten nights with overlapping keys, compared with a simple oracle")
struct TenNightsTests {
  /// The expected outcome of a record of a night: line, pay key, and settled or its codes.
  private struct Expected: Equatable {
    var settled: [String] = []
    var exceptions: [String] = []
  }

  @Test("what is settled, rejected, pending and held, night by night", arguments: [1, 2, 3])
  func tenNights(threads: Int) throws {
    let workshop = try LedgerWorkshop()
    var random = SeededGenerator()
    for _ in 0..<threads { _ = random.next() }
    var settledEver: [String: Int] = [:]
    for night in 1...10 {
      var expected = Expected()
      var seen: Set<String> = []
      var lines: [String] = []
      for line in 1...400 {
        let key = "K-\(random.next() % 1500)"
        let kind = random.next() % 10
        var codes: [String] = []
        var status = "SETTLED"
        switch kind {
        case 0:
          lines.append(Line.payment(key, "-1"))
          codes.append("NEGATIVE_AMOUNT")
        case 1:
          lines.append(Line.payment(key, more: #","status":"STATUS_CREATED""#))
          status = "STATUS_CREATED"
        case 2:
          lines.append(Line.payment(key, more: #","status":"STATUS_OTHER""#))
          status = "STATUS_OTHER"
        case 3:
          // Broken, so it has no key.
          lines.append(Line.payment(key) + "}")
          expected.exceptions.append("\(line) MALFORMED_JSON")
          continue
        default: lines.append(Line.payment(key))
        }
        if !seen.insert(key).inserted { codes.append("DUPLICATE_PAY_KEY") }
        if settledEver[key] ?? .max < night { codes.append("ALREADY_SETTLED") }
        if !codes.isEmpty {
          expected.exceptions += codes.map { "\(line) \($0)" }
        } else if status == "SETTLED" {
          expected.settled.append(key)
        } else {
          expected.exceptions.append("\(line) \(status)")
        }
      }
      for key in expected.settled { settledEver[key] = night }
      let output = "night-\(night)"
      let options = RunOptions(threads: threads, plainChunkLength: 1000)
      let outcome = try workshop.settle(lines.joined(separator: "\n"), output: output, options: options)
      #expect(outcome.description == "settled \(night)", "\(random.reproduction)")
      var got = Expected()
      got.settled = try workshop.rows("settlement.csv", of: output).filter { $0[2] == "RECEIVER" }.map { String($0[0]) }
      got.exceptions = try workshop.rows("exceptions.csv", of: output).map { "\($0[1]) \($0[5])" }
      #expect(got == expected, "night \(night), \(random.reproduction)")
    }
    #expect(try workshop.history().runs.count == 10)
  }
}
