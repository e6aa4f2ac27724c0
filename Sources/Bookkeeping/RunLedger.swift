import Claims
import Failures
import FileSystem
import Ledger

/// A ledger as a run uses it: its failures get messages.
package final class RunLedger {
  package let ledger: Ledger
  /// Its path for messages.
  package let shown: String
  /// Whether an unfinished run is left, as it is, to the next run.
  var leavesAttempt = false {
    didSet { removal?.withdraw() }
  }
  /// The witness that was given, by the path that messages show; nil if none was.
  package let witness: String?
  private let isKept: Bool
  /// Whether the witness could not be written; nil if it was not to be written yet.
  package private(set) var isWitnessBehind: Bool?
  /// Removes a new ledger in the end, unless a run is entered.
  private var removal: Interruption.Cleanup?

  /// Opens a ledger, or creates it if it is missing; throws if another run is using it.
  ///
  /// - Parameters:
  ///   - mustHaveRuns: whether to throw, and create nothing, if no run is entered yet.
  ///   - makesAgain: whether a run with `--adopt` opens it, which makes a lost ledger again.
  ///   - witness: the path of its witness; nil if none is given.
  ///   - isKept: whether nothing is changed.
  package init(
    _ path: String, mustHaveRuns: Bool = false, makesAgain: Bool = false, witness: String? = nil, isKept: Bool = false
  ) throws(Failure) {
    shown = OutputPlace.shown(path)
    (self.witness, self.isKept) = (witness.map(OutputPlace.shown), isKept)
    // SQLite requires names in UTF-8.
    guard String(decoding: FileName.bytes(path), as: UTF8.self) == path else {
      throw .configuration("\(shown): a ledger's name must be UTF-8")
    }
    (ledger, removal) = try Interruption.uninterrupted { () throws(Failure) in
      let ledger = try Ledger(
        path: path, mustHaveRuns: mustHaveRuns, makesAgain: makesAgain, witness: witness, isKept: isKept)
      return (ledger, ledger.isMade ? Self.removal(of: ledger) : nil)
    }
  }

  deinit { removal?.perform() }

  private static func removal(of ledger: Ledger) -> Interruption.Cleanup {
    let made = MadeLedger(ledger: ledger)
    return Interruption.Cleanup { made.ledger.removeIfEmpty() }
  }

  /// Keeps the ledger even if no run is entered.
  package func keep() { removal?.withdraw() }

  /// Treats the ledger as created by this run: an interrupted run may have left it new.
  package func takeOver() { if removal == nil { removal = Self.removal(of: ledger) } }

  /// Records the ledger's state in its witness, after publication. If that fails, it is only a note.
  package func keepWitness(note: (String) -> Void) {
    guard let witness, !isKept else { return }
    do throws(Failure) {
      try ledger.keepWitness()
      isWitnessBehind = false
    } catch {
      isWitnessBehind = true
      note("\(error.message); the witness \(witness) is behind the ledger until the next command writes it")
    }
  }

  /// Its absolute path, without links.
  package var path: String { ledger.path }

  /// Ends the current run: its reports are published, or nothing of it is left.
  package func end(newKeys: Int) throws(Failure) { try ledger.end(newKeys: newKeys) }

  package func fingerprint(_ id: String) -> Fingerprint {
    let bytes = Array(id.utf8)
    return ledger.hash.fingerprint(bytes.span)
  }
}

/// A ledger that this process made, for the thread that removes it at a signal.
private struct MadeLedger: @unchecked Sendable {  // Both entering and removing hold the gate of `Interruption`.
  let ledger: Ledger
}
