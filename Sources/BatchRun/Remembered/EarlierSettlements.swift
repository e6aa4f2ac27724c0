import Ledger
import Threads

/// What earlier runs are said to have settled, by reports whose batch is settled again without their ledger.
///
/// It may be said by anybody: nothing is settled more than was by believing it, since a key that is said to be settled
/// only has its payments rejected. 30 to 60 bytes a key.
public struct ToldSettlements: Sendable {
  let hash = KeyedHash()
  private(set) var runs: [Fingerprint: UInt32] = [:]

  /// Nothing is said to be settled.
  public init() {}

  /// Whether nothing is said to be settled.
  public var isEmpty: Bool { runs.isEmpty }

  /// An earlier run is said to have settled the pay key of `count` bytes. Of a key that is told twice, the last counts;
  /// a number that no ledger gives, such as 0, is not kept.
  public mutating func add(_ payKey: UnsafePointer<UInt8>, count: Int, run: Int) {
    guard let run = UInt32(exactly: run), run > 0 else { return }
    runs[hash.fingerprint(payKey, count: count).ofPayKey] = run
  }
}

/// What earlier runs settled, for the workers of one run.
final class EarlierSettlements: @unchecked Sendable {
  /// The hash of the ledger's fingerprints.
  let hash: KeyedHash
  private let keys: EarlierKeys?
  private let told: [Fingerprint: UInt32]
  private let end: Int
  private let shown: String
  private let lock = Lock()
  private var firstFailure: LedgerFailure?

  /// - Parameters:
  ///   - end: only runs before this one count: a run that is settled again finds what it found the first time.
  ///   - threads: how many threads ask.
  init(_ ledger: RunLedger, before end: Int = .max, threads: Int) throws(RunFailure) {
    hash = ledger.hash
    told = [:]
    shown = ledger.shown
    self.end = end
    do throws(LedgerFailure) {
      // The commit's desk asks, too.
      keys = try ledger.ledger.earlierKeys(readers: min(threads + 1, 8))
    } catch {
      throw RunFailure(error, ledger: shown)
    }
  }

  /// What was told, without a ledger.
  init(_ told: ToldSettlements) {
    hash = told.hash
    keys = nil
    self.told = told.runs
    shown = ""
    end = .max
  }

  /// Whether a ledger tells, in which the run is then entered.
  var isOfLedger: Bool { keys != nil }

  /// Why the ledger could not be asked; answers since then are of no use.
  var failure: RunFailure? { lock.withLock { firstFailure }.map { RunFailure($0, ledger: shown) } }

  /// Lets go of the ledger; nothing may be asked any more.
  func close() { keys?.close() }

  /// The earlier run that settled a pay key; 0 where none did.
  func run(of key: Fingerprint, reader: Int) -> Int {
    guard let keys else { return Int(told[key] ?? 0) }
    do throws(LedgerFailure) {
      guard let run = try keys.run(of: key, reader: reader), run < end else { return 0 }
      return run
    } catch {
      lock.withLock { if firstFailure == nil { firstFailure = error } }
      return 0
    }
  }
}
