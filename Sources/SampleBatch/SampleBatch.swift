import Input
import Threads

/// Makes realistic batches of payments, for trials and measurements.
public enum SampleBatch {
  /// Writes a batch: header, payments, and a trailer with correct control totals.
  ///
  /// A payment without a defect breaks no rule, with fees of up to 6 % and twice the published fixed fees.
  ///
  /// - Parameters:
  ///   - options: which batch.
  ///   - isLZ4: whether it is written as an LZ4 frame rather than plain.
  ///   - output: takes the bytes, in order, in runs of any length.
  /// - Returns: what was written.
  /// - Throws: what `output` throws; nothing is written after that.
  public static func write(
    _ options: SampleBatchOptions, isLZ4: Bool, output: (Span<UInt8>) throws -> Void
  ) throws -> SampleBatchSummary {
    try withoutActuallyEscaping(output) { output in
      var bytes: UInt64 = 0
      var storedBytes: UInt64 = 0
      func put(_ run: Span<UInt8>) throws {
        storedBytes += UInt64(run.count)
        try output(run)
      }
      let frame = isLZ4 ? try LZ4FrameWriter(output: put) : nil
      try writeBlocks(of: options, isLZ4: isLZ4) { block in
        bytes += UInt64(block.count)
        if let frame { try block.append(to: frame) } else { try block.withText(put) }
      }
      try frame?.finish()
      return SampleBatchSummary(
        payments: options.payments, defects: DefectPlan(options).count(before: options.payments), bytes: bytes,
        storedBytes: storedBytes)
    }
  }

  /// Makes the blocks, a number at a time on all threads, and writes them in order; the trailer's block is last.
  private static func writeBlocks(
    of options: SampleBatchOptions, isLZ4: Bool, write: (SampleBlock) throws -> Void
  ) throws {
    let blocks = (0..<2 * options.threads).map { _ in SampleBlock(of: options, isLZ4: isLZ4) }
    var control = SampleControl()
    // The first block has the header, so it exists even without payments.
    let count = max(1, (options.payments + SampleBlock.payments - 1) / SampleBlock.payments)
    for first in stride(from: 0, to: count, by: blocks.count) {
      let wave = blocks.prefix(count - first)
      WorkerThreads.perform(wave.count, threads: options.threads) { wave[$0].make(first + $0) }
      for block in wave {
        try write(block)
        control.merge(block.control)
      }
    }
    blocks[0].makeTrailer(control)
    try write(blocks[0])
  }
}
