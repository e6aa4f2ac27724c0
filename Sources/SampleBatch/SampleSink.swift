import Input

/// Takes the blocks of a batch in order, writes them out and adds up their control totals.
///
/// One thread at a time, not always the same one.
final class SampleSink: @unchecked Sendable {
  private(set) var totals = SampleTotals()
  private(set) var bytes: UInt64 = 0
  private(set) var storedBytes: UInt64 = 0
  private let output: (UnsafeRawBufferPointer) throws -> Void
  private var frame: LZ4FrameWriter?
  private var failure: (any Error)?

  init(isLZ4: Bool, output: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
    self.output = output
    if isLZ4 { frame = try LZ4FrameWriter { [unowned self] in try put($0) } }
  }

  /// Writes some blocks; a failure is kept for `rethrow`.
  func takeAll(_ blocks: some Sequence<SampleBlock>) {
    do {
      for block in blocks { try take(block) }
    } catch {
      failure = error
    }
  }

  /// Throws what made `takeAll` fail, if anything did.
  func rethrow() throws {
    if let failure { throw failure }
  }

  /// Writes a block.
  func take(_ block: SampleBlock) throws {
    totals.add(block.totals)
    bytes += UInt64(block.text.count)
    guard let frame else { return try put(UnsafeRawBufferPointer(start: block.text.bytes, count: block.text.count)) }
    for piece in block.pieces {
      try frame.append(
        UnsafeRawBufferPointer(start: block.stored.bytes + piece.stored.lowerBound, count: piece.stored.count),
        of: UnsafeRawBufferPointer(start: block.text.bytes + piece.text.lowerBound, count: piece.text.count))
    }
  }

  /// Writes what a frame needs at its end.
  func finish() throws {
    try frame?.finish()
  }

  private func put(_ run: UnsafeRawBufferPointer) throws {
    storedBytes += UInt64(run.count)
    try output(run)
  }
}
