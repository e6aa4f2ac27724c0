import Ledger

/// What earlier runs settled, for the workers of one run.
final class EarlierSettlements: @unchecked Sendable {
  /// The hash of the ledger's fingerprints.
  let hash: KeyedHash
  private let keys: EarlierKeys
  private let end: Int
  private let shown: String
  private let lock = Lock()
  private var firstFailure: LedgerFailure?

  /// - Parameters:
  ///   - end: only runs before this one count: a run that is settled again finds what it found the first time.
  ///   - threads: how many threads ask.
  init(_ ledger: RunLedger, before end: Int = .max, threads: Int) throws(RunFailure) {
    hash = ledger.hash
    shown = ledger.shown
    self.end = end
    do throws(LedgerFailure) {
      // The commit's desk asks, too.
      keys = try ledger.ledger.earlierKeys(readers: min(threads + 1, 8))
    } catch {
      throw RunFailure(error, ledger: shown)
    }
  }

  /// Why the ledger could not be asked; answers since then are of no use.
  var failure: RunFailure? { lock.withLock { firstFailure }.map { RunFailure($0, ledger: shown) } }

  /// Lets go of the ledger; nothing may be asked any more.
  func close() { keys.close() }

  /// The earlier run that settled a pay key; 0 where none did.
  func run(of key: Fingerprint, reader: Int) -> Int {
    do throws(LedgerFailure) {
      guard let run = try keys.run(of: key, reader: reader), run < end else { return 0 }
      return run
    } catch {
      lock.withLock { if firstFailure == nil { firstFailure = error } }
      return 0
    }
  }
}
