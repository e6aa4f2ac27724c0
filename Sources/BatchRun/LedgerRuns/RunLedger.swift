import Claims
import FileSystem
import Ledger
import Rules
import Text

/// A ledger as a run uses it: its failures get messages.
package final class RunLedger {
  package let ledger: Ledger
  /// Its path for messages.
  package let shown: String
  /// Whether an unfinished run is left, as it is, to the next run.
  var leavesAttempt = false {
    didSet { removal?.withdraw() }
  }
  /// Removes a new ledger in the end, unless a run is entered.
  private var removal: Interruption.Cleanup?

  /// Opens a ledger, or creates it if it is missing; throws if another run is using it.
  ///
  /// - Parameters:
  ///   - mustHaveRuns: whether to throw, and create nothing, if no run is entered yet.
  ///   - makesAgain: whether a run with `--adopt` opens it, which makes a lost ledger again.
  package init(_ path: String, mustHaveRuns: Bool = false, makesAgain: Bool = false) throws(RunFailure) {
    shown = OutputPlace.shown(path)
    // SQLite requires names in UTF-8.
    guard String(decoding: FileName.bytes(path), as: UTF8.self) == path else {
      throw .configuration("\(shown): a ledger's name must be UTF-8")
    }
    (ledger, removal) = try asRunFailure(
      ledger: shown,
      Interruption.uninterrupted { () throws(LedgerFailure) in
        let ledger = try Ledger(path: path, mustHaveRuns: mustHaveRuns, makesAgain: makesAgain)
        return (ledger, ledger.isMade ? Self.removal(of: ledger) : nil)
      })
  }

  deinit { removal?.perform() }

  private static func removal(of ledger: Ledger) -> Interruption.Cleanup {
    nonisolated(unsafe) let ledger = ledger
    return Interruption.Cleanup { ledger.removeIfEmpty() }
  }

  /// Keeps the ledger even if no run is entered.
  func keep() { removal?.withdraw() }

  /// Treats the ledger as created by this run: an interrupted run may have left it new.
  func takeOver() { if removal == nil { removal = Self.removal(of: ledger) } }

  /// Its absolute path, without links.
  var path: String { ledger.path }

  /// Calls the ledger; its failure becomes the run's. A signal that would end the run waits: then the ledger is one
  /// file, without a journal next to it.
  package func calling<Result>(_ body: @autoclosure () throws(LedgerFailure) -> Result) throws(RunFailure) -> Result {
    try asRunFailure(ledger: shown, Interruption.uninterrupted(body))
  }

  /// Ends the current run: its reports are published, or nothing of it is left.
  package func end(newKeys: Int) throws(RunFailure) { try calling(ledger.end(newKeys: newKeys)) }

  /// The run that settled the same batch, if it is entered.
  ///
  /// Reads the whole batch, but only if it begins like the batch of an earlier run.
  func earlierRun(_ sources: [InputSource], _ options: RunOptions) throws(RunFailure) -> RunEntry? {
    let opening = try BatchContent.opening(sources)
    guard try calling(ledger.hasRun(opening: opening)),
      let digests = try BatchContent.digests(sources, plain: calling(ledger.hasPlainRuns()))
    else { return nil }
    return try calling(ledger.run(BatchContent.identities(digests, options)))
  }

  /// Throws if an earlier run settled the same texts by other rules, or other texts under the same batch id.
  func expectNew(_ identities: [RunIdentity], _ envelope: BatchEnvelope) throws(RunFailure) {
    guard try calling(ledger.run(identities)) == nil else { return }
    let contents = identities.map(\.content)
    if let run = try calling(ledger.lastRun(contents: contents)) { throw .rulesChanged(run, identities[0], envelope) }
    if let id = envelope.batchID, let run = try calling(ledger.run(batchKey: fingerprint(id), otherThan: contents)) {
      throw .batchIDReused(id, by: run, envelope)
    }
  }

  /// What the runs entered so far settled, or only those before `end`: a run that is settled again finds what it found
  /// the first time.
  ///
  /// - Parameters:
  ///   - threads: the number of threads that look up keys.
  ///   - options: the options of a run that will be entered, for `expectNew`.
  func earlier(
    before end: Int = .max, threads: Int, entering options: RunOptions? = nil
  ) throws(RunFailure) -> EarlierSettlements {
    try asRunFailure(
      ledger: shown,
      EarlierSettlements(
        ledger.earlierKeys(readers: EarlierSettlements.readers(threads)), ledger.earlierEntries(before: end),
        hash: ledger.hash, before: end, shown: shown, hasPlainRuns: ledger.hasPlainRuns(),
        expectNew: { [self] envelope, digests throws(RunFailure) in
          if let options { try expectNew(BatchContent.identities(digests, options), envelope) }
        }))
  }

  func fingerprint(_ id: String) -> Fingerprint {
    let bytes = Array(id.utf8)
    return ledger.hash.fingerprint(bytes, count: bytes.count)
  }
}

extension RunFailure {
  /// A failure of a ledger; `ledger` is its name for messages.
  init(_ failure: LedgerFailure, ledger: String) {
    // SQLite quotes what it finds in a damaged file.
    let text = "\(ledger): \(MessageText.escapedName(Array(failure.message.utf8)))"
    self =
      switch failure {
      case .busy: .busy(text)
      case .unreadable: .unreadable(text)
      case .unavailable: .outputUnavailable(text)
      case .foreign, .unusable: .configuration(text)
      case .inputOutput, .damaged: .inputOutput(text)
      case .usage: .usage(text)
      case .unsound(_, let advice): .inputOutput("\(text). \(advice.text(ledger: ledger))")
      }
  }
}

extension LedgerFailure.Advice {
  /// What to do, with commands to be pasted.
  ///
  /// - Parameter ledger: its path, as messages show it.
  fileprivate func text(ledger: String) -> String {
    let word = ShellWord.quoted(ledger)
    switch self {
    case .adopt(let asksForLastPayout):
      return
        "Put the newest copy back, together with its lock file. If it is lost, let this copy count; the command says "
        + "what it lacks:\n  settle ledger adopt \(word)"
        + (asksForLastPayout
          ? " --last-payout N        (N: the highest number of a payout that was sent, or whose directory is there; "
            + "0 for none)" : "")
    case .restore:
      return "Put an intact copy back (settle ledger verify reads all of it), then let it count:\n"
        + "  settle ledger adopt \(word)"
    case .makeAgain:
      return "Put it back. If it is lost for good, make it again: settle the nights' batches into their directories, "
        + "oldest first, then enter each payout, oldest first:\n"
        + "  settle run BATCH --output DIRECTORY --ledger \(word) --adopt\n"
        + "  settle payout adopt DIRECTORY --ledger \(word)"
    }
  }
}

/// Returns the result of a call to a ledger, whose name messages show; its failure becomes the run's.
package func asRunFailure<Result>(
  ledger: String, _ body: @autoclosure () throws(LedgerFailure) -> Result
) throws(RunFailure) -> Result {
  do throws(LedgerFailure) { return try body() } catch { throw RunFailure(error, ledger: ledger) }
}
