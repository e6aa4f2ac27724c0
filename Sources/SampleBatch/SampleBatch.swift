import Threads

/// Makes realistic batches of payments, for trials and measurements.
public enum SampleBatch {
  /// Writes a batch: header, payments, trailer with control totals that are right.
  ///
  /// A payment without a defect breaks no rule, under fees of up to 6 % and twice the published fixed fees.
  ///
  /// - Parameters:
  ///   - options: which batch.
  ///   - isLZ4: whether it is written as an LZ4 frame rather than plain.
  ///   - output: takes the bytes, in order, in runs of any length; called on one thread at a time, not always the same.
  /// - Returns: what was written.
  /// - Throws: what `output` throws; nothing is written after that.
  public static func write(
    _ options: SampleBatchOptions, isLZ4: Bool, output: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> SampleBatchSummary {
    try withoutActuallyEscaping(output) { output in
      let plan = SamplePlan(options)
      let sink = try SampleSink(isLZ4: isLZ4, output: output)
      try writeBlocks(of: plan, isLZ4: isLZ4, to: sink)
      let trailer = SampleBlock()
      trailer.hold(plan.trailer(totals: sink.totals), isLZ4: isLZ4)
      try sink.take(trailer)
      try sink.finish()
      return SampleBatchSummary(
        payments: options.payments, defects: plan.defects.count(before: options.payments), bytes: sink.bytes,
        storedBytes: sink.storedBytes)
    }
  }

  /// Makes the blocks in waves: while one wave is made, the one before is written.
  private static func writeBlocks(of plan: SamplePlan, isLZ4: Bool, to sink: SampleSink) throws {
    let threads = plan.options.threads
    let waveLength = threads + min(threads, 4)
    var making = (0..<waveLength).map { _ in SampleBlock() }
    var ready = (0..<waveLength).map { _ in SampleBlock() }
    var readyCount = 0
    var next = 0
    while next < plan.blocks || readyCount > 0 {
      let makingCount = min(waveLength, plan.blocks - next)
      let wave = making
      let written = ready.prefix(readyCount)
      let first = next
      WorkerThreads.perform(1 + makingCount, threads: threads) { task in
        if task == 0 { return sink.takeAll(written) }
        wave[task - 1].make(first + task - 1, of: plan, isLZ4: isLZ4)
      }
      try sink.rethrow()
      next += makingCount
      readyCount = makingCount
      swap(&making, &ready)
    }
  }
}
