import Claims
import FileSystem
import Ledger
import Postings
import Reports
import Rules
import Threads

/// Reads a batch's files chunk by chunk, has workers expand, parse, settle and format the chunks in parallel, and the
/// results committed in order.
final class BatchPipeline: @unchecked Sendable {
  private let input: BatchInput
  private let options: RunOptions
  private let purpose: RunPurpose
  private let accounts = AccountTotals()
  private let hash: KeyedHash
  private let earlier: EarlierSettlements?
  private let reports: StretchReports
  private let commit: OrderedCommit
  private let order: CommitOrder
  private let progress: RunProgress?

  /// Opens the batch's files; throws where one cannot be opened.
  ///
  /// - Parameters:
  ///   - earlier: what earlier runs settled, where a ledger tells.
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
    // A full part waits for its turn: alone that costs nothing, among others it should be rare.
    let textBudget = options.threads == 1 ? 1 << 20 : max(1 << 20, (8 << 20) / options.threads)
    let accounts = accounts
    reports = StretchReports(sink, fileNames: input.escapedNames, scratch: options.scratch, findings: findings)
    reports.keepsRefunds = earlier?.isOfLedger == true
    commit = OrderedCommit(
      to: reports, fileNames: input.escapedNames, purpose: purpose, options: options, hash: hash, accounts: accounts,
      earlier: earlier, textBudget: textBudget)
    commit.trace = trace
    let workCount = options.threads == 1 ? 1 : options.threads + 2
    order = CommitOrder(
      commit: commit,
      works: (0..<workCount).map { _ in
        ChunkWork(plainLength: options.plainChunkLength, textBudget: textBudget, accounts: accounts)
      })
  }

  /// Runs the batch to its end.
  func run() throws(RunFailure) -> RunResult {
    progress?.begin(storedBytes: input.storedSize)
    WorkerThreads.run(options.threads) { number in self.work(number) }
    progress?.end()
    if let failure = order.firstFailure { throw failure }
    if let failure = input.failure { throw failure }
    if let failure = earlier?.failure { throw failure }
    try commit.settleRefunds(of: reports, options: options)
    return try reports.finish(
      commit.totals, accounts: accounts, files: options.reportedFiles ?? input.files, textBytes: commit.textBytes,
      textDigests: commit.textDigests?.finish(input.files) ?? [],
      beginning: commit.beginning, options: options)
  }

  /// The account totals of payments, and of refunds, once the run has ended.
  var accountTotals: SettledAccounts { SettledAccounts(payments: accounts, refunds: reports.refundAccounts) }

  /// The agreements that were changed or used, by their keys, once the run has ended.
  var agreements: [AgreementRegister.Named] { commit.agreements }

  /// What a ledger keeps of the run, once it has ended; it can be had once.
  ///
  /// - Parameter place: beside what a file without a name is made.
  func takeEntries(beside place: OutputPlace) throws(RunFailure) -> NightEntries {
    let details = SettledPaymentSorter(beside: place)
    try reports.refundables.forEach { key, payment throws(RunFailure) in
      let bytes = payment.assumingMemoryBound(to: UInt8.self)
      try asRunFailure(details.append(key, bytes.baseAddress.unsafelyUnwrapped, count: bytes.count))
    }
    return NightEntries(
      keys: SettledKeys(commit.takePayKeys(), threads: options.threads), details: details,
      refunds: reports.refunds, agreements: agreements.map(\.entry))
  }

  private func work(_ number: Int) {
    var desk = RecordSettler(
      purpose: purpose, options: options, hash: hash, earlier: earlier, reader: number + 1,
      widthLimit: RecordLimits.widthLimit(threads: options.threads))
    desk.commitsBeforeEnvelope = options.mostRejected?.most != nil
    while let work = order.takeWork() {
      guard input.readNext(into: work) else { return order.giveBack(work) }
      work.chunk.expand()
      process(work, at: &desk)
      if let failure = earlier?.failure { order.fail(failure) }
      work.part.post()
      progress?.add(records: work.part.recordCount, storedBytes: input.storedBytesRead, textBytes: work.chunk.count)
      order.deliver(work)
    }
  }

  /// Takes the lines that begin and end in the chunk; what stands before and behind them spans chunks.
  private func process(_ work: ChunkWork, at desk: inout RecordSettler) {
    work.part.text = UnsafePointer(work.chunk.text)
    work.findFirstLineEnd()
    work.visitLines { line, length in
      if work.part.isFull { _ = flush(work, asking: .none) }
      if !desk.take(
        line: line, length: length, number: work.lineCount, into: work.part,
        commit: { _, key in flush(work, asking: key) })
      {
        work.part.post()
        order.takeWide(work, line: line, length: length)
      }
    }
  }

  private func flush(_ work: ChunkWork, asking key: Fingerprint) -> Bool {
    work.part.post()
    return order.flush(work, asking: key)
  }
}
