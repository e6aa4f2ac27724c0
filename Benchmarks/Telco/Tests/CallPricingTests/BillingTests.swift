import CallPricing
import ExactArithmetic
import Foundation
import Testing

/// What Python's decimal makes of the same calls (`telco_peer.py`); never what these sources once made of them.
struct BillingTests {
  static let tariffs = [Tariff.published, .publishedThroughGMP]

  /// Prices calls and gives totals and lines.
  private func bill(_ durations: [UInt8], at tariff: Tariff) -> (totals: CallTotals, lines: String) {
    let room = durations.count / 8 * Tariff.longestLine
    var totals = CallTotals()
    let lines = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      (totals, count) = durations.withUnsafeBytes { tariff.bill($0, writing: buffer) }
    }
    return (totals, String(decoding: lines, as: UTF8.self))
  }

  private func sums(_ totals: CallTotals) -> [String] {
    [totals.prices.description, totals.basicTax.description, totals.distanceTax.description]
  }

  /// Even seconds are local calls, odd ones distance calls.
  static let calls: [(seconds: UInt64, cost: String, basicTax: String, distanceTax: String)] = [
    (0, "0.00", "0.00", "0.00"),
    (1, "0.01", "0.00", "0.00"),
    (2, "0.00", "0.00", "0.00"),
    (38, "0.05", "0.00", "0.00"),
    (39, "0.38", "0.02", "0.01"),
    // Ties: 0.065, 0.195 and 0.325 before tax, to 0.06, 0.20 and 0.32.
    (50, "0.06", "0.00", "0.00"),
    (150, "0.21", "0.01", "0.00"),
    (250, "0.34", "0.02", "0.00"),
    // 3.19 with 0.215325 and 0.108779, both cut.
    (357, "3.50", "0.21", "0.10"),
    (2641, "26.00", "1.59", "0.80"),
    (.max - 1, "25599469088290430.25", "1618701792468013.15", "0.00"),
    (.max, "181669143448090072.00", "11131687711280028.92", "5623563717846651.64"),
  ]

  @Test(arguments: calls, tariffs)
  func oneCall(call: (seconds: UInt64, cost: String, basicTax: String, distanceTax: String), tariff: Tariff) {
    let (totals, lines) = bill(withUnsafeBytes(of: call.seconds.bigEndian) { Array($0) }, at: tariff)
    #expect(lines == call.cost + "\n")
    #expect(sums(totals) == [call.cost, call.basicTax, call.distanceTax])
  }

  @Test(arguments: tariffs)
  func noCall(tariff: Tariff) {
    let (totals, lines) = bill([], at: tariff)
    #expect(lines.isEmpty)
    #expect(sums(totals) == ["0.00", "0.00", "0.00"])
  }

  @Test(
    arguments: [
      (calls: 1000, seed: UInt64(7), sums: ["980.51", "56.19", "24.34"]),
      (20_000, 1, ["19807.70", "1135.22", "491.33"]),
      (20_000, 180, ["19901.40", "1141.53", "493.61"]),
    ], tariffs)
  func generatedCalls(batch: (calls: Int, seed: UInt64, sums: [String]), tariff: Tariff) {
    let (totals, lines) = bill(CallDurations.generate(calls: batch.calls, seed: batch.seed), at: tariff)
    #expect(sums(totals) == batch.sums)
    let costs = lines.split(separator: "\n")
    #expect(costs.count == batch.calls)
    #expect(costs.reduce(ExactDecimal.zero) { $0 + (ExactDecimal(String($1)) ?? .zero) } == totals.prices)
  }

  private static let publishedFile = ProcessInfo.processInfo.environment["TELCO_PUBLISHED"]

  /// The million calls of expon180.1e6b, against the sums that Cowlishaw published.
  @Test(.enabled(if: publishedFile != nil, "TELCO_PUBLISHED does not name expon180.1e6b"), arguments: tariffs)
  func publishedCalls(tariff: Tariff) throws {
    let durations = try Data(contentsOf: URL(filePath: try #require(Self.publishedFile)))
    #expect(durations.count == 8_000_000)
    let (totals, _) = bill(Array(durations), at: tariff)
    #expect(sums(totals) == ["1004737.58", "57628.30", "25042.17"])
  }
}
