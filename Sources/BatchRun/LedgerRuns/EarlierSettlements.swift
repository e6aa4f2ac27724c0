import Claims
import ExactArithmetic
import Ledger
import Records
import Rules
import Synchronization

/// What earlier runs are said to have settled, by reports whose batch is settled again without their ledger.
///
/// It may be said by anybody: nothing is settled more than was by believing it, since a key that is said to be settled
/// only has its payments rejected. 30 to 60 bytes a key.
public struct ReportedSettlements: Sendable {
  let hash = KeyedHash()
  private(set) var keys: Set<Fingerprint> = []

  /// Nothing is said to be settled.
  public init() {}

  /// Whether nothing is said to be settled.
  public var isEmpty: Bool { keys.isEmpty }

  /// An earlier run is said to have settled the pay key of `count` bytes.
  public mutating func add(_ payKey: UnsafePointer<UInt8>, count: Int) {
    keys.insert(hash.fingerprint(payKey, count: count).ofPayKey)
  }
}

/// What earlier runs settled, for the workers of one run.
final class EarlierSettlements: @unchecked Sendable {
  /// The hash of the ledger's fingerprints.
  let hash: KeyedHash
  private let keys: EarlierKeys?
  private let told: Set<Fingerprint>
  private let end: Int
  private let shown: String
  private let firstFailure = Mutex<LedgerFailure?>(nil)

  /// What a ledger tells.
  ///
  /// - Parameter end: only runs before this one count.
  init(_ keys: EarlierKeys, hash: KeyedHash, before end: Int, shown: String) {
    self.hash = hash
    self.keys = keys
    told = []
    self.end = end
    self.shown = shown
  }

  /// How many connections so many threads ask by: the commit asks, too.
  static func readers(_ threads: Int) -> Int { min(threads + 1, 8) }

  /// What was told, without a ledger; which run it was nobody tells.
  init(_ told: ReportedSettlements) {
    hash = told.hash
    keys = nil
    self.told = told.keys
    shown = ""
    end = .max
  }

  /// Whether a ledger tells, which knows the run by its texts' digests.
  var isOfLedger: Bool { keys != nil }

  /// Why the ledger could not be asked; answers since then are of no use.
  var failure: RunFailure? { firstFailure.withLock { $0 }.map { RunFailure($0, ledger: shown) } }

  /// Lets go of the ledger; nothing may be asked any more.
  func close() { keys?.close() }

  /// A payment that an earlier run settled, as a refund needs it.
  struct Payment {
    /// The run that settled it.
    var run: Int
    /// That run's day; nil where it has none.
    var day: CalendarDay?
    /// A `RefundablePayment`; nil where the ledger does not keep it any more.
    var bytes: [UInt8]?
    /// What each earlier refund took of each receiver.
    var taken: [[ExactDecimal]] = []
  }

  /// Visits the payments of those of some keys that an earlier run settled.
  ///
  /// - Parameter keys: in ascending order.
  func forEachPayment(
    of keys: [Fingerprint], _ body: (Fingerprint, Payment) throws(RunFailure) -> Void
  ) throws(RunFailure) {
  }

  /// The earlier run that made a refund with a key, by the fingerprint of its text as of a pay key; 0 where none did.
  func refundRun(of key: Fingerprint, reader: Int) -> Int { 0 }

  /// How an agreement stood before the batch; nil where there was none.
  func agreement(of key: Fingerprint) -> Agreement? { nil }

  /// The earlier run that settled a pay key, 0 where none did; without a ledger 1 stands for whichever it was.
  func run(of key: Fingerprint, reader: Int) -> Int {
    guard let keys else { return told.contains(key) ? 1 : 0 }
    do throws(LedgerFailure) {
      guard let run = try keys.run(of: key, reader: reader), run < end else { return 0 }
      return run
    } catch {
      firstFailure.withLock { $0 = $0 ?? error }
      return 0
    }
  }
}
