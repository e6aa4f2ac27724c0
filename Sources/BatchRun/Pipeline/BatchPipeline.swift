import Claims
import FileSystem
import Ledger
import Postings
import Reports
import Rules

/// Reads a batch's files chunk by chunk, has workers expand, parse, settle and format the chunks in parallel, and the
/// results committed in order.
final class BatchPipeline: @unchecked Sendable {
  // Workers reach the input and the commit order alone, which have locks.
  private let input: BatchInput
  private let options: RunOptions
  private let purpose: RunPurpose
  private let accounts = AccountTotals()
  private let hash: KeyedHash
  private let earlier: EarlierSettlements?
  private let reports: StretchReports
  private let commit: OrderedCommit
  private let progress: RunProgress?

  /// Opens the batch's files; throws if one cannot be opened.
  ///
  /// - Parameters:
  ///   - earlier: what earlier runs settled, if a ledger tells.
  ///   - findings: takes the lines of a validation.
  ///   - trace: told what some claims meet.
  init(
    _ sources: [InputSource], options: RunOptions, purpose: RunPurpose, sink: any ReportSink,
    earlier: EarlierSettlements? = nil, findings: FindingsList? = nil, trace: ClaimTrace? = nil,
    progress: RunProgress?
  ) throws(RunFailure) {
    self.earlier = earlier
    hash = earlier?.hash ?? KeyedHash()
    input = try BatchInput(sources, names: options.reportedFiles?.map(\.name) ?? options.fileNames)
    self.options = options
    self.purpose = purpose
    self.progress = progress
    reports = StretchReports(
      sink, purpose, fileNames: input.escapedNames, scratch: options.scratch, findings: findings,
      isForLedger: earlier?.isOfLedger == true)
    commit = OrderedCommit(
      to: reports, fileNames: input.escapedNames, purpose: purpose, options: options, hash: hash, accounts: accounts,
      earlier: earlier)
    commit.merge.judge.trace = trace
  }

  /// Runs the batch to its end.
  func run() throws(RunFailure) -> RunResult {
    progress?.begin(storedBytes: input.storedSize)
    try readAll()
    try commit.merge.settleRefunds(of: reports, options: options)
    return try reports.finish(
      commit.totals, accounts: accounts, files: options.reportedFiles ?? input.files, textBytes: commit.textBytes,
      textDigests: commit.textDigests?.finish(input.files) ?? [],
      beginning: commit.beginning, options: options, expectNew: earlier?.expectNew)
  }

  /// Has all chunks read and committed. Their memory is given back: what comes after takes as much.
  private func readAll() throws(RunFailure) {
    let order = CommitOrder(commit: commit, accounts: accounts, options: options)
    ChunkWorkers(
      source: input, options: options, purpose: purpose, hash: hash, earlier: earlier, order: order, progress: progress,
      offsets: earlier?.isOfLedger == true ? ChunkOffsets() : nil
    ).run()
    progress?.end()
    if let failure = order.firstFailure { throw failure }
    if let failure = input.failure { throw failure }
    if let failure = earlier?.failure { throw failure }
  }

  /// The account totals of payments, and of refunds, once the run has ended.
  var accountTotals: SettledAccounts { SettledAccounts(payments: accounts, refunds: reports.made.accounts) }

  /// The agreements that were changed or used, by their keys, once the run has ended.
  var agreements: [AgreementRegister.Named] { commit.merge.judge.agreements.reported }

  /// What a ledger keeps of the run, once it has ended; it can be had once.
  ///
  /// - Parameter place: beside what a file without a name is made.
  func takeEntries(beside place: OutputPlace) throws(RunFailure) -> NightEntries {
    let details = SettledPaymentSorter(beside: place)
    try reports.refundables.forEach { key, payment throws(RunFailure) in
      let bytes = payment.assumingMemoryBound(to: UInt8.self)
      try asRunFailure(details.append(key, bytes.baseAddress!, count: bytes.count))
    }
    return NightEntries(
      commit.merge.judge.takePayKeys(), threads: options.threads, details: details, refunds: reports.made.entries,
      agreements: agreements.map(\.entry), rules: options.rules)
  }
}
