import Benchmark
import Stages

/// The metrics of every benchmark in addition to the library's own.
private enum StageMetric {
  /// Payments a second.
  static let payments = BenchmarkMetric.custom("payments/s", polarity: .prefersLarger, useScalingFactor: false)
  /// Bytes of the batch's JSON per second, even if the stage reads only a part of them.
  static let bytes = BenchmarkMetric.custom("JSON bytes/s", polarity: .prefersLarger, useScalingFactor: false)
  /// Eleven bits of the result's hash: the library rounds numbers with more.
  static let result = BenchmarkMetric.custom("result (11 bits of its hash)", useScalingFactor: false)
}

let benchmarks: @Sendable () -> Void = {
  for stage in StageBenchmark.all { register(stage) }
}

private func register(_ stage: StageBenchmark) {
  let metrics: [BenchmarkMetric] = [
    .wallClock, .cpuTotal, .instructions, .peakMemoryResident, StageMetric.payments, StageMetric.bytes,
    StageMetric.result,
  ]
  Benchmark(
    stage.name, configuration: .init(metrics: metrics, warmupIterations: 1, maxDuration: .seconds(3))
  ) { benchmark, prepared in
    do {
      try measure(prepared, benchmark)
    } catch {
      benchmark.error("\(error)")
    }
  } setup: {
    try PreparedBenchmark(stage: stage.prepare(.full))
  }
}

/// A stage with its input, and the hash of its result after it ran.
private final class PreparedBenchmark {
  let stage: any PreparedStage
  var result: UInt64?

  init(stage: any PreparedStage) {
    self.stage = stage
  }
}

private func measure(_ prepared: PreparedBenchmark, _ benchmark: Benchmark) throws {
  let stage = prepared.stage
  try stage.setUp()
  benchmark.startMeasurement()
  let start = ContinuousClock.now
  try stage.run()
  let taken = ContinuousClock.now - start
  benchmark.stopMeasurement()

  let result = try prepared.result ?? stage.resultHash()
  prepared.result = result
  let seconds = taken / .seconds(1)
  benchmark.measurement(StageMetric.payments, Int(Double(stage.payments) / seconds))
  benchmark.measurement(StageMetric.bytes, Int(Double(stage.bytes) / seconds))
  benchmark.measurement(StageMetric.result, Int(truncatingIfNeeded: result & 0x7FF))
}
