import BatchRun
import Failures
import FileSystem
import Ledger
import Rules

/// A batch with a ledger that is only read, to settle it again (`ledger.md`, "Others read it"). A batch of the ledger is
/// settled with the ledger as it was before the batch's run; any other batch with the ledger as it is now.
///
/// It never changes after it is created, so several threads may use it.
public final class BatchLedger: @unchecked Sendable {
  /// The batch's files; those that can be read only once are copied.
  package let sources: [InputSource]
  private let ledger: LedgerReading
  /// The options for settling the batch again: rules that were not given are those of its run.
  public let options: RunOptions
  /// The run that settled the batch, if there is one.
  private let run: RunEntry?
  /// Only runs before this one count.
  private let end: Int

  /// The ledger's runs.
  public var history: LedgerHistory { ledger.history }

  /// The batch's files as its run found them; nil if no run settled the batch.
  public var storedFiles: [StoredFile]? { run?.files }

  /// Opens a ledger and finds the batch's run by its texts. Throws if given rules differ from the run's, or if the
  /// ledger lacks rules that were not given (78).
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  public init(_ path: String, batch paths: [String], options: RunOptions) throws(Failure) {
    let ledger = try LedgerReading(path: path)
    self.ledger = ledger
    sources = try InputCopy.sources(paths, beside: OutputPlace(path: options.scratch))
    run = try Self.run(of: sources, options, in: ledger)
    end = run?.number ?? ledger.lastRun + 1
    var options = options
    if let run {
      options.rules = try SettlementRules(of: run, own: options.rules) { digest throws(Failure) in
        try ledger.ruleText(digest)
      }
    }
    options.earlierShowsNames = ledger.showsNames(before: end)
    self.options = options
  }

  /// The run of a batch; if there are several, the last one whose rules match those given. Reads the whole batch, but
  /// only if it begins like the batch of a run.
  private static func run(
    of sources: [InputSource], _ options: RunOptions, in ledger: LedgerReading
  ) throws(Failure) -> RunEntry? {
    let opening = try BatchContent.opening(sources)
    guard ledger.history.runs.contains(where: { $0.opening == opening }),
      let digests = try BatchContent.digests(sources, plain: ledger.history.hasPlainRuns)
    else { return nil }
    let contents = BatchContent.identities(digests, options).map(\.content)
    let (asked, defaults) = (RuleValues(options.rules), RuleValues(SettlementRules()))
    let given = RuleOption.allCases.filter {
      options.givenRules.contains($0) || asked[$0] != defaults[$0]
    }
    let runs = ledger.history.runs.reversed().filter { contents.contains($0.identity.content) }
    let differences = runs.map { RuleValues($0.identity).difference(from: asked, "given:", in: given) }
    if let place = differences.firstIndex(of: nil) { return runs[place] }
    guard let last = runs.first, let difference = differences[0] else { return nil }
    throw .configuration("\(ledger.shown): run \(last.number) settled this batch by other rules: \(difference)")
  }

  /// What earlier runs settled; the caller must call `finish` in the end.
  package func earlier(threads: Int) throws(Failure) -> SettlementLookup {
    try ledger.earlier(threads: threads, before: end) { [self] envelope, digests throws(Failure) in
      guard run == nil else { return }
      try ledger.history.runs.expectNew(BatchContent.identities(digests, options), envelope, ledger.hash)
    }
  }

  /// Throws if the batch or the ledger has changed since it was looked up.
  package func finish(_ result: RunResult) throws(Failure) {
    if let run, !BatchContent.identities(result.textDigests, options).contains(run.identity) {
      throw sources.changed
    }
    try ledger.expectUnchanged()
  }

  /// The earlier run that settled a pay key, or made the refund with a refund key; 0 if none did.
  public func run(of key: [UInt8], isRefund: Bool = false) throws(Failure) -> Int {
    let earlier = try earlier(threads: 1)
    defer { earlier.close() }
    let number =
      isRefund
      ? earlier.refundRun(of: key.span)
      : earlier.run(of: earlier.hash.fingerprint(key.span).ofPayKey, reader: 0)
    try ledger.expectUnchanged()
    if let failure = earlier.failure { throw failure }
    return number
  }
}
