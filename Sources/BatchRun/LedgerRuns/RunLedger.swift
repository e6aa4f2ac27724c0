import Claims
import FileSystem
import Ledger
import Rules
import Text

/// A ledger as a run uses it: with words for what fails, and its fingerprints' hash.
package final class RunLedger {
  package let ledger: Ledger
  /// Its path for messages.
  package let shown: String
  /// Whether what is under way is left, as it is, to the next run.
  var leavesAttempt = false {
    didSet { removal?.withdraw() }
  }
  /// Removes a new ledger in the end, unless a run is entered.
  private var removal: Interruption.Cleanup?

  /// Opens a ledger, or makes it if there is none; throws if another run has it.
  ///
  /// - Parameter mustHaveRuns: whether it throws, and makes nothing, if no run is entered yet.
  package init(_ path: String, mustHaveRuns: Bool = false) throws(RunFailure) {
    shown = OutputPlace.shown(path)
    // SQLite takes names in UTF-8.
    guard String(decoding: FileName.bytes(path), as: UTF8.self) == path else {
      throw .configuration("\(shown): a ledger's name must be UTF-8")
    }
    (ledger, removal) = try asRunFailure(
      ledger: shown,
      Interruption.uninterrupted { () throws(LedgerFailure) in
        let ledger = try Ledger(path: path, mustHaveRuns: mustHaveRuns)
        return (ledger, ledger.isMade ? Self.removal(of: ledger) : nil)
      })
  }

  deinit { removal?.perform() }

  private static func removal(of ledger: Ledger) -> Interruption.Cleanup {
    nonisolated(unsafe) let ledger = ledger
    return Interruption.Cleanup { ledger.removeIfEmpty() }
  }

  /// The ledger stays, though no run may be entered.
  func keep() { removal?.withdraw() }

  /// An interrupted run left it, perhaps as a new one: then it is as if this run had made it.
  func takeOver() { if removal == nil { removal = Self.removal(of: ledger) } }

  /// Its absolute path, without links.
  var path: String { ledger.path }

  /// Calls the ledger; what fails there fails the run. A signal that would end the run waits: the ledger is one file
  /// then, without a journal beside it.
  package func calling<Result>(_ body: @autoclosure () throws(LedgerFailure) -> Result) throws(RunFailure) -> Result {
    try asRunFailure(ledger: shown, Interruption.uninterrupted(body))
  }

  /// Ends the run that is at work: its reports stand, or nothing of it is left.
  package func end(newKeys: Int) throws(RunFailure) { try calling(ledger.end(newKeys: newKeys)) }

  /// The run that settled the same batch, if it is entered.
  ///
  /// The whole batch is read to know, but only if it begins as the batch of an earlier run.
  func earlierRun(_ sources: [InputSource], _ options: RunOptions) throws(RunFailure) -> NumberedRun? {
    let opening = try BatchContent.opening(sources)
    guard try calling(ledger.hasRun(opening: opening)),
      let digests = try BatchContent.digests(sources, plain: calling(ledger.hasPlainRuns()))
    else { return nil }
    return try calling(ledger.run(BatchContent.identities(digests, options)))
  }

  /// The place of what exists at an output, where a link there leads; nil if nothing does.
  package static func standing(at output: String) throws(RunFailure) -> OutputPlace? {
    let place = try asRunFailure(OutputPlace(path: output))
    guard let status = try asRunFailure(place.status(place.name)) else { return nil }
    guard status.type == .symbolicLink else { return place }
    guard let real = try? FileName.resolved(output) else { return nil }
    return try asRunFailure(OutputPlace(path: real))
  }

  /// Whether an earlier run's reports stand, as they were, in the directory that is the run's.
  ///
  /// - Parameter isRepublished: whether any other directory serves as well; it becomes the run's where its own is lost.
  func stands(_ run: NumberedRun, at output: String, isRepublished: Bool) throws(RunFailure) -> Bool {
    guard let place = try Self.standing(at: output), Self.isPublished(place, sums: run.entry.sums) else { return false }
    let path = try asRunFailure(place.absolutePath())
    if OutputPlace.isSame(path, FileName.string(run.entry.directory)) { return true }
    if isRepublished, !Self.isPublished(run) {
      try calling(ledger.move(run.number, to: FileName.bytes(path), sums: run.entry.sums))
    }
    return isRepublished
  }

  /// Throws if an output is the directory of another run, by whatever path.
  func checkHolder(_ place: OutputPlace, otherThan run: NumberedRun?) throws(RunFailure) {
    guard try asRunFailure(place.status(place.name)) != nil else { return }
    let path = try asRunFailure(place.absolutePath())
    let holder = try calling(ledger.directories()).first { holder, directory in
      holder != run.map { "run \($0.number)" } && OutputPlace.isSame(path, FileName.string(directory))
    }
    guard let holder else { return }
    throw .outputUnavailable(
      "\(place.shown): is the directory of \(holder.holder), which --replace leaves alone; name another output")
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

  /// What the runs that are entered now settled, or those before one: a run that is settled again finds what it found the
  /// first time.
  ///
  /// - Parameters:
  ///   - threads: how many threads ask.
  ///   - options: those of a run that is to be entered, which `expectNew` is asked for.
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
  /// What fails with a ledger, of the name that messages show.
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
      }
  }
}

/// The value of what is asked of a ledger, of the name that messages show; what fails there fails the run.
package func asRunFailure<Result>(
  ledger: String, _ body: @autoclosure () throws(LedgerFailure) -> Result
) throws(RunFailure) -> Result {
  do throws(LedgerFailure) { return try body() } catch { throw RunFailure(error, ledger: ledger) }
}
