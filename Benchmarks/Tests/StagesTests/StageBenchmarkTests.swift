import Stages
import Testing

/// Runs every benchmark at its tiny size, so that none breaks unnoticed or measures wrong results.
@Suite struct StageBenchmarkTests {
  @Test("the result is the recorded one, each time", arguments: StageBenchmark.all)
  func resultIsAsRecorded(_ benchmark: StageBenchmark) throws {
    let stage = try benchmark.prepare(.tiny)
    try stage.setUp()
    try stage.run()
    let result = RecordedResults.Result(payments: stage.payments, bytes: stage.bytes, hash: try stage.resultHash())
    try stage.setUp()
    try stage.run()
    #expect(try stage.resultHash() == result.hash, "a second run had another result")
    if RecordedResults.isRecording { try RecordedResults.record(result, of: benchmark.name) }
    #expect(RecordedResults.all[benchmark.name] == result, "record it with \(RecordedResults.switchName)=1")
    #expect(!RecordedResults.isRecording, "recorded, not checked; run again without \(RecordedResults.switchName)")
  }

  @Test("the record lists all benchmarks in their order")
  func recordIsComplete() throws {
    #expect(try RecordedResults.names() == StageBenchmark.all.map(\.name))
  }

  @Test("names are distinct")
  func namesDiffer() {
    #expect(Set(StageBenchmark.all.map(\.name)).count == StageBenchmark.all.count)
  }

  @Test(
    "different ways to do the same have the same result",
    arguments: [
      ["expand independent blocks", "expand independent blocks, content verified", "expand linked blocks"],
      ["settle, 20000 payments, 1 thread", "settle, 20000 payments, 2 threads"],
      ["settle, 200000 payments, 1 thread", "settle, 200000 payments, 2 threads"],
      ["validate, 200000 payments, 1 thread", "validate, 200000 payments, 2 threads"],
    ])
  func sameResult(_ names: [String]) throws {
    let results = try names.map { try #require(RecordedResults.all[$0]) }
    #expect(Set(results.map(\.hash)).count == 1)
  }
}
