import Claims
import Failures
import Postings
import Documents
import Threads

/// Reads a batch's files chunk by chunk. Workers expand, parse, settle and format the chunks in parallel; the results
/// are committed in order.
package final class BatchPipeline: @unchecked Sendable {
  // Workers use only the input and the commit order, which have locks.
  private let input: BatchInput
  private let options: RunOptions
  private let purpose: RunPurpose
  private let accounts = AccountTotals()
  private let hash: KeyedHash
  private let earlier: SettlementLookup?
  private let reports: StretchReports
  private let commit: OrderedCommit
  private let progress: RunProgress?
  private let expanded: ExpandedOrder
  private let errands: Errands

  /// Opens the batch's files; throws if one cannot be opened.
  ///
  /// - Parameters:
  ///   - earlier: what earlier runs settled, if there is a ledger.
  ///   - findings: takes the lines of a validation.
  ///   - trace: records what some claims meet.
  ///   - errands: work that the workers do to write the texts.
  package init(
    _ sources: [InputSource], options: RunOptions, purpose: RunPurpose, sink: ReportSink,
    earlier: SettlementLookup? = nil, findings: FindingsList? = nil, trace: ClaimTrace? = nil,
    errands: Errands? = nil, progress: RunProgress?
  ) throws(Failure) {
    self.earlier = earlier
    hash = earlier?.hash ?? KeyedHash()
    let isForLedger = earlier?.isOfLedger == true
    let isApart = Errands.areUseful(threads: options.threads)
    input = try BatchInput(
      sources, names: options.reportedFiles?.map(\.name) ?? options.fileNames, isApart: isApart,
      along: sink.letDigestsWait())
    self.errands = errands ?? Errands(threads: options.threads)
    expanded = ExpandedOrder(
      files: sources.count, isApart: isApart, takesPlain: isForLedger && earlier?.hasPlainRuns == true)
    self.options = options
    self.purpose = purpose
    self.progress = progress
    reports = StretchReports(
      sink, purpose, fileNames: input.escapedNames, scratch: options.scratch, findings: findings,
      isForLedger: isForLedger, showsNames: options.showsNames, errands: self.errands,
      passesOverTrailers: options.passesOverTrailers)
    commit = OrderedCommit(
      to: reports, fileNames: input.escapedNames, purpose: purpose, options: options, hash: hash, accounts: accounts,
      earlier: earlier, spanning: SpanningLines(checkedBy: expanded))
    commit.merge.judge.trace = trace
  }

  /// Runs the batch to its end.
  package func run() throws(Failure) -> RunResult {
    progress?.begin(storedBytes: input.storedSize)
    try readAll()
    try commit.merge.settleRefunds(of: reports, options: options)
    var result = try reports.finish(
      commit.totals, accounts: accounts, files: options.reportedFiles ?? input.files, textBytes: commit.textBytes,
      textDigests: commit.textDigests?.finish(input.files, plain: expanded.plainDigests) ?? [],
      beginning: commit.beginning, options: options, expectNew: earlier?.expectNew)
    if let digests = commit.textDigests { result.opening = digests.opening.digest.bytes }
    return result
  }

  /// Reads and commits all chunks, and releases their memory: the next steps need as much.
  private func readAll() throws(Failure) {
    let order = CommitOrder(commit: commit, accounts: accounts, options: options)
    ChunkWorkers(
      source: input, options: options, purpose: purpose, hash: hash, earlier: earlier, order: order, progress: progress,
      expanded: expanded, digestsPieces: earlier?.isOfLedger == true, errands: errands
    ).run()
    expanded.finish()
    progress?.end()
    if let failure = order.firstFailure {
      // In reading order, the trailer comes before the damage.
      if case .batch(let error) = failure.kind, error.code == .corruptBatch, let error = reports.trailerError {
        throw .batch(error)
      }
      throw failure
    }
    if let failure = input.failure { throw failure }
    if let failure = earlier?.failure { throw failure }
  }

  /// The account totals of payments and refunds, once the run has ended.
  package var accountTotals: SettledAccounts { SettledAccounts(payments: accounts, refunds: reports.made.accounts) }

  /// The agreements that were changed or used, sorted by key, once the run has ended.
  package var agreements: [AgreementRegister.Named] { commit.merge.judge.agreements.reported }

  /// What a ledger keeps of the run, once it has ended; call it only once.
  func nightEntries() throws(Failure) -> NightEntries {
    NightEntries(
      commit.merge.judge.removePayKeys(), threads: options.threads, details: try reports.refundables.details(),
      refunds: reports.made.entries,
      agreements: agreements.map(\.entry), rules: options.rules)
  }
}
