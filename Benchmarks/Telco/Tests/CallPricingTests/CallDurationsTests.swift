import CallPricing
import Foundation
import Testing

struct CallDurationsTests {
  private func durations(calls: Int, seed: UInt64) -> [UInt64] {
    let bytes = CallDurations.generate(calls: calls, seed: seed)
    #expect(bytes.count == calls * 8)
    return bytes.withUnsafeBytes { bytes in
      (0..<calls).map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    }
  }

  /// The first calls of a seed, so that benchmarks of different days price the same.
  @Test func firstCalls() {
    #expect(durations(calls: 8, seed: 1) == [102, 175, 158, 73, 82, 372, 189, 288])
    #expect(durations(calls: 8, seed: 2) != durations(calls: 8, seed: 1))
  }

  /// Exponential: a call takes t seconds or more with the chance e^(-t / 180).
  @Test func distribution() {
    let calls = 200_000
    let drawn = durations(calls: calls, seed: 180)
    let mean = Double(drawn.reduce(0, +)) / Double(calls)
    #expect(abs(mean - 180) < 2)
    for limit: UInt64 in [10, 60, 180, 360, 900] {
      let share = Double(drawn.count { $0 >= limit }) / Double(calls)
      #expect(abs(share - exp(-(Double(limit) - 0.5) / 180)) < 0.004, "of \(limit) seconds and more")
    }
    let distanceCalls = Double(drawn.count { $0 % 2 == 1 }) / Double(calls)
    #expect(abs(distanceCalls - 0.5) < 0.005)
  }
}
