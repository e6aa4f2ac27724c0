import BatchRun
import Bookkeeping
import Failures
import FileSystem
import Rules

extension RunLedger {
  /// Why nothing is published again: no run has settled the batch by these rules. Names the last run and what differs.
  package func notSettled(_ sources: [InputSource], _ options: RunOptions) throws(Failure) -> Failure {
    let nothing = "\(shown): --republish publishes what an earlier run settled, and no run has settled this batch"
    let digests = try BatchContent.digests(sources, plain: ledger.hasPlainRuns())
    let identities = digests.map { BatchContent.identities($0, options) } ?? []
    let runs = try ledger.history().runs
    if let run = runs.last(where: { run in identities.contains { $0.content == run.identity.content } }) {
      let difference = RuleValues(run.identity).difference(from: RuleValues(identities[0]), "now") ?? ""
      return .usage("\(nothing) by these rules; run \(run.number) did by others: \(difference)")
    }
    guard let last = runs.last else { return .usage("\(nothing): the ledger has no run yet") }
    let files = last.files.map { OutputPlace.shown($0.name) }.joined(separator: ", ")
    return .usage("\(nothing); the last one, run \(last.number) of \(last.time), settled other texts: \(files)")
  }
}
