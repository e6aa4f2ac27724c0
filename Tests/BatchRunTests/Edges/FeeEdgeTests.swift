import ExactArithmetic
import Rules
import Testing
import TestSupport

@testable import BatchRun
@testable import RunSupport

@Suite("Fees beyond 64 bits are rounded like small ones, in every mode")
struct FeeEdgeTests {
  /// 5 % of 0.50, 0.70, 0.52, 0.48 and 0.40: 0.025 and 0.035 are ties, 0.026 and 0.024 are not, 0.02 is exact.
  static let modes: [(mode: RoundingMode, fees: [String])] = [
    (.halfUp, ["0.03", "0.04", "0.03", "0.02", "0.02"]), (.halfDown, ["0.02", "0.03", "0.03", "0.02", "0.02"]),
    (.halfEven, ["0.02", "0.04", "0.03", "0.02", "0.02"]), (.up, ["0.03", "0.04", "0.03", "0.03", "0.02"]),
    (.down, ["0.02", "0.03", "0.02", "0.02", "0.02"]), (.ceiling, ["0.03", "0.04", "0.03", "0.03", "0.02"]),
    (.floor, ["0.02", "0.03", "0.02", "0.02", "0.02"]),
  ]

  /// The rate, and the zeros of a fee of 1000...0.03: first all is within 64 bits, then the product is beyond, the
  /// amount, the rate, all.
  static let magnitudes: [(rate: String, zeros: Int)] = [
    ("0.05", 14), ("0.050000", 14), ("0.05", 18), ("0.0500000000000000000000", 14), ("0.0500000000000000000000", 40),
  ]

  @Test(arguments: modes, magnitudes)
  func rounds(_ wanted: (mode: RoundingMode, fees: [String]), _ magnitude: (rate: String, zeros: Int)) throws {
    let schedule = String(decoding: FeeSchedule.published.text, as: UTF8.self)
      .replacing(#""rounding": "HALF_UP""#, with: #""rounding": "\#(wanted.mode.rawValue)""#)
      .replacing(/"rate": "0.029",\s+"fixed": "standard"/, with: #""rate": "\#(magnitude.rate)""#)
    var options = RunOptions(threads: 1)
    options.rules.schedule = try FeeSchedule(json: Array(schedule.utf8))
    let zeros = String(repeating: "0", count: magnitude.zeros)
    let lines = ["0.50", "0.70", "0.52", "0.48", "0.40"].enumerated().map { number, amount in
      Line.payment("P\(number)", "20\(zeros)\(amount.dropFirst())")
    }
    let settled = try Workshop().settle([Array(lines.joined(separator: "\n").utf8)], options: options)
    let receivers = settled.rows("settlement.csv").filter { $0.contains(",RECEIVER,") }
    #expect(receivers.map { $0.split(separator: ",")[7] } == wanted.fees.map { "1\(zeros)\($0.dropFirst())"[...] })
  }

  @Test(
    "a fee is rounded once, after the fixed part is added, and limited to what is kept",
    arguments: [
      // 2.9 % and 0.30.
      ("0.30", "0.30"), ("0.31", "0.31"), ("0.32", "0.31"), ("10.00", "0.59"), ("17.41", "0.80"), ("17.42", "0.81"),
      ("600000000000000000000.00", "17400000000000000000.30"),
    ])
  func roundsOnce(amount: String, fee: String) throws {
    let row = try #require(try Workshop().settle(Line.payment("P", amount)).rows("settlement.csv").last)
    #expect(row.split(separator: ",")[7] == fee)
  }
}
