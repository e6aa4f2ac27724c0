import Claims
import Failures
import SQLite

/// A ledger at one moment, which is only read: nothing is made, repaired, or locked for long.
///
/// A run may use the ledger meanwhile and is not blocked; at the end, ``expectUnchanged()`` throws if a run changed what
/// was read.
public final class LedgerReading {
  /// The runs and payouts that count.
  public let history: LedgerHistory
  /// The runs and payouts that count, in entry order.
  package private(set) lazy var order = BookingOrder(history)
  /// The hash of the fingerprints.
  public let hash: KeyedHash

  private let place: LedgerPlace
  let database: Database
  private let version: Int

  /// Opens a ledger; throws if it does not exist, or if an interrupted run left it half written.
  public init(path: String) throws(Failure) {
    let entered: LedgerHistory
    (place, database, version, entered, hash) = try LedgerPlace.reading(path) { place in
      do {
        let database = try LedgerConnection.open(place, isReadOnly: true)
        let version = try Self.version(database)
        return try database.read { connection in
          guard try LedgerSchema.state(connection).isLedger else {
            throw Failure.configuration("no run has made it a ledger yet")
          }
          let history = try LedgerHistory(connection, lockOf: place)
          return (place, database, version, history, try KeyedHash.fetch(connection))
        }
      } catch let error as DatabaseError where error.needsRollback {
        throw Failure.busy(
          "a run was interrupted while it wrote to the ledger; the next run that uses it repairs it")
      }
    }
    history = entered.counted
  }

  deinit { database.close() }

  /// Its path for messages.
  package var shown: String { place.shown }
  /// Its path as a word of a command.
  package var quoted: String { place.quoted }
  /// The number of the last run that counts, or 0.
  package var lastRun: Int { history.runs.last?.number ?? 0 }

  /// Reads in one transaction.
  func read<Result>(_ body: (Database) throws -> Result) throws(Failure) -> Result {
    try database.telling { try database.read(body) }
  }

  /// The ledger's id, drawn when it was made; `settle ledger adopt` replaces it.
  public func id() throws(Failure) -> String {
    try read { try LedgerIdentity($0).id.uuidString }
  }

  /// Looks up which run settled a pay key.
  ///
  /// - Parameters:
  ///   - readers: how many threads look keys up.
  ///   - filterMemory: the bytes that the filters may take. A thread that asks in ascending order needs few.
  public func keyLookup(readers: Int = 1, filterMemory: Int = KeyLookup.filterLimit) throws(Failure) -> KeyLookup {
    try KeyLookup(ledger: place, readers: readers, limit: filterMemory, letsRunsWrite: true)
  }

  /// What the runs before a given one entered besides pay keys.
  public func entryLookup(before run: Int = .max) throws(Failure) -> EntryLookup {
    try EntryLookup(ledger: place, before: run, hash: hash, letsRunsWrite: true)
  }

  /// The text of a run's rule with a SHA-256; nil if the ledger lacks that text.
  public func ruleText(_ digest: [UInt8]) throws(Failure) -> [UInt8]? {
    try read { try RuleText.find($0, digest) }
  }

  /// Throws if someone has written to the ledger since it was opened: what was read may then be wrong.
  public func expectUnchanged() throws(Failure) {
    guard try read({ try Self.version($0) != version }) else { return }
    throw .busy("\(shown): a run has written to the ledger meanwhile; try again when it is done")
  }

  /// A number that SQLite changes for this connection when another connection commits something.
  private static func version(_ database: Database) throws -> Int {
    try database.read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
  }
}
