import Failures
import Ledger
import Documents
import Version

/// Runs over whole batches.
public enum BatchRun {
  /// The engine's version, as `summary.json` names it.
  public static let version = SettleVersion.number

  /// Settles a batch and gives its reports to a destination. `entries` makes what a ledger keeps.
  ///
  /// - Parameter balances: takes what the batch gives each account; nil if no ledger keeps it.
  package static func settle(
    _ sources: [InputSource], to destination: some ReportDestination, options: RunOptions,
    earlier: SettlementLookup? = nil, balances: AccountEntries? = nil, progress: RunProgress?
  ) throws(Failure) -> (
    result: RunResult, entries: () throws(Failure) -> NightEntries
  ) {
    let kinds: [ReportKind] = [.settlement, .exceptions, .refunds] + (options.showsNames ? [.fees] : [])
    let files = try kinds.map { kind throws(Failure) in
      let file = try destination.makeFile(kind.fileName)
      try file.write(kind.header)
      return file
    }
    var sink = ReportSink(settlement: files[0], exceptions: files[1], refunds: files[2])
    if options.showsNames { sink.fees = files[3] }
    let pipeline = try BatchPipeline(
      sources, options: options, purpose: .settlement, sink: sink, earlier: earlier,
      errands: destination.errands, progress: progress)
    let result = try pipeline.run()
    progress?.done(.settled(result))
    for (kind, file) in zip(kinds, files) { try destination.finish(file, name: kind.fileName) }
    try writeSums(
      result, pipeline.accountTotals, pipeline.agreements, balances, threads: options.threads, to: destination)
    return (result, { () throws(Failure) in try pipeline.nightEntries() })
  }

  /// Writes the reports that contain sums, once the whole batch is settled.
  private static func writeSums(
    _ result: RunResult, _ accounts: SettledAccounts, _ agreements: [AgreementRegister.Named],
    _ balances: AccountEntries?, threads: Int, to destination: some ReportDestination
  ) throws(Failure) {
    try destination.write(.preapprovals) { text in
      text.append(ReportKind.preapprovals.header)
      for named in agreements {
        if let agreement = named.agreement { PreapprovalsReport.append(agreement, key: named.key, to: &text) }
      }
    }
    let receivers = try destination.makeFile(ReportKind.receivers.fileName)
    try receivers.writeReceivers(accounts, threads: threads, balances: balances)
    try destination.finish(receivers, name: ReportKind.receivers.fileName)
    try destination.writeTotals(of: result)
  }
}
