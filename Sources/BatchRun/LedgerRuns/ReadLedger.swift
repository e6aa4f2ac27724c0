import Claims
import FileSystem
import Ledger

/// A ledger that is asked and never written, by those who settle a batch again (`ledger.md`, "Others read it"): a batch
/// that the ledger holds is settled as the ledger stood before that run, any other as it stands now.
///
/// Nothing in it changes once it is made, so that several threads may have it.
public final class ReadLedger: @unchecked Sendable {
  /// The batch's files; those that can be read only once are copied.
  let sources: [InputSource]
  private let ledger: AskedLedger
  private let options: RunOptions
  /// The run that settled the batch, if there is one.
  private let run: NumberedRun?
  /// Only runs before this one count.
  private let end: Int

  /// The batch's files as the run that settled the batch found them; nil if there is no such run.
  public var storedFiles: [StoredFile]? { run?.entry.files }

  /// Opens a ledger and looks for the batch in it, by its texts, its fee schedule and the options that change results.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  public init(_ path: String, batch paths: [String], options: RunOptions) throws(RunFailure) {
    self.options = options
    ledger = try AskedLedger(path)
    sources = try InputCopy.sources(paths, beside: asRunFailure(OutputPlace(path: options.scratch)))
    run = try Self.run(of: sources, options, among: ledger.history.runs)
    end = run?.number ?? ledger.lastRun + 1
  }

  /// The run of a batch. The whole batch is read to know, but only if it begins as the batch of a run.
  private static func run(
    of sources: [InputSource], _ options: RunOptions, among runs: [NumberedRun]
  ) throws(RunFailure) -> NumberedRun? {
    let opening = try BatchContent.opening(sources)
    guard runs.contains(where: { $0.entry.opening == opening }), let digests = try BatchContent.digests(sources)
    else { return nil }
    let identity = BatchContent.identity(digests, options)
    return runs.first { $0.entry.identity == identity }
  }

  /// What earlier runs settled; whoever asks calls `finish` in the end.
  func earlier(threads: Int) throws(RunFailure) -> EarlierSettlements {
    try ledger.earlier(threads: threads, before: end)
  }

  /// Throws if the batch was not what it was when it was looked for, if the ledger has changed meanwhile, and where
  /// a run would refuse the batch because its id is that of other content.
  func finish(_ result: RunResult) throws(RunFailure) {
    let identity = BatchContent.identity(result.textDigests, options)
    if let run, identity != run.entry.identity {
      throw sources.changed
    }
    try ledger.expectUnchanged()
    guard run == nil, let id = result.batchID else { return }
    let others = ledger.history.runs.filter { $0.entry.identity.content != identity.content }
    if let other = others.first(where: { $0.entry.batchID == id }) { throw result.batchIDReused(by: other.number, id) }
  }

  /// The earlier run that settled a pay key, or made the refund of a refund key; 0 if none did.
  public func run(of key: [UInt8], isRefund: Bool = false) throws(RunFailure) -> Int {
    let earlier = try earlier(threads: 1)
    defer { earlier.close() }
    let number =
      isRefund
      ? key.withUnsafeBufferPointer { earlier.refundRun(of: $0) }
      : earlier.run(of: earlier.hash.fingerprint(key, count: key.count).ofPayKey, reader: 0)
    try ledger.expectUnchanged()
    if let failure = earlier.failure { throw failure }
    return number
  }
}
