import Claims
import Failures
import SQLite
import Synchronization
import Threads

/// What the runs before a given one entered besides pay keys: details of settled payments, refunds, agreements.
///
/// Everything that is read is checked: what is not as it was written throws `Failure.damaged`. Threads wait
/// for each other.
public final class EntryLookup: @unchecked Sendable {  // Every lookup holds the gate.
  private let place: LedgerPlace
  private let database: Database
  /// Held while the database is queried, as several threads look entries up.
  private let gate = Condition()
  /// Only runs before this one count.
  package let end: Int
  /// The hash of the ledger's fingerprints.
  package let hash: KeyedHash
  private let letsRunsWrite: Bool
  private var isClosed = false
  private var runs: [Int: RunEntry] = [:]
  private var block = DetailBlock()
  /// Made for the first refund, and released before the end: a connection cannot be closed while it has statements.
  private var refundsByKey: RowLookup?
  /// Made once so many keys were looked up that it saves more than it costs.
  private let refundKeys = Mutex<RefundKeyFilter?>(nil)
  private var lookedUp = 0

  /// - Parameters:
  ///   - letsRunsWrite: whether each lookup locks the ledger separately, so that a run can write in between.
  init(ledger place: LedgerPlace, before end: Int, hash: KeyedHash, letsRunsWrite: Bool) throws(Failure) {
    (self.place, self.end, self.hash, self.letsRunsWrite) = (place, min(end, Ledger.lastRun + 1), hash, letsRunsWrite)
    database = try Failure.telling(place.shown) {
      let database = try LedgerConnection.open(place, isReadOnly: true)
      if !letsRunsWrite { try database.execute(sql: "BEGIN") }
      return database
    }
  }

  /// The same on another connection, for a thread that should not wait.
  public func another() throws(Failure) -> EntryLookup {
    try EntryLookup(ledger: place, before: end, hash: hash, letsRunsWrite: letsRunsWrite)
  }

  deinit { close() }

  /// The ledger's path for messages.
  package var shown: String { place.shown }

  /// Releases the ledger. No further lookups are allowed.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    refundsByKey = nil
    database.close()
  }

  private func look<Result>(_ body: (Database) throws -> Result) throws(Failure) -> Result {
    try gate.withLock { () throws(Failure) in try database.telling { try body(database) } }
  }

  // MARK: Payments

  /// The UTC date of a run's header, in days since 1970-01-01; nil if it has none.
  public func day(ofRun number: Int) throws(Failure) -> Int? {
    try look { try run(number, $0).day }
  }

  private func run(_ number: Int, _ database: Database) throws -> RunEntry {
    if let known = runs[number] { return known }
    guard let row = try EntryTable.row(database, .run(number)) else {
      throw Failure.damagedLedger("run \(number) is gone")
    }
    let run = try RunEntry(row, database)
    runs[number] = run
    return run
  }

  /// Passes on the details of settled payments, each with its index in `payments`.
  ///
  /// Payments in ascending order are cheapest: details that are stored together are then read once.
  /// - Parameters:
  ///   - payments: payments that those runs settled; any other payment is reported as damage to the ledger.
  ///   - take: called for each, in order, with the bytes that were entered, valid until it returns; with nil if they
  ///     were pruned, or the run was entered before details were kept.
  public func details(
    of payments: some Sequence<SettledPayment>, _ take: (_ place: Int, _ details: Span<UInt8>?) -> Void
  ) throws(Failure) {
    try look { database in
      let find = try DetailLookup(database)
      for (place, payment) in payments.enumerated() {
        if try run(payment.run, database).detailCount != nil {
          try find.details(of: payment, in: &block) { take(place, $0) }
        } else {
          take(place, nil)
        }
      }
    }
  }

  /// Whether missing details of a payment were pruned only after the first run that does not count. If the ledger did
  /// not note that, a refund of the payment in that run shows it.
  public func isPrunedSince(_ payment: SettledPayment) throws(Failure) -> Bool {
    try look { database in
      if let last = try run(payment.run, database).prunedAfter { return last >= end }
      var isRefunded = false
      try RefundTable.lookup(database, .refundByPayment).forEach(
        HashIndex.hash(payment.key), RefundTable.firstID(of: end + 1)
      ) { row in
        let refund = try RefundTable.refund(row)
        isRefunded = refund.run == end && refund.entry.payment == payment.key
        return !isRefunded
      }
      return isRefunded
    }
  }

  /// The `SHA256SUMS` of the last of those runs; nil without such a run.
  public func lastSums() throws(Failure) -> String? {
    try look { database in
      let last =
        try Int.fetchOne(
          database, sql: "SELECT coalesce(max(number), 0) FROM run WHERE number < ?", arguments: [end]) ?? 0
      return last == 0 ? nil : try run(last, database).sums
    }
  }

  // MARK: Refunds

  /// The run that made the refund with a key; nil if no run did.
  public func run(ofRefund refundKey: String) throws(Failure) -> Int? { try refund(of: refundKey)?.run }

  /// The refund with a key; nil if no run made it.
  public func refund(of refundKey: String) throws(Failure) -> RefundOfRun? {
    try refund(hash.index(refundKey)) { $0 == refundKey }
  }

  /// The run that made the refund whose key has a fingerprint (`Fingerprint.ofRefundKey`); nil if no run did.
  public func run(ofRefund key: Fingerprint) throws(Failure) -> Int? {
    try refund(HashIndex.hash(key)) { refundKey in
      hash.fingerprint(refundKey.utf8Span.span).ofRefundKey == key
    }?.run
  }

  private func refund(_ index: Int64, _ isAsked: (String) -> Bool) throws(Failure) -> RefundOfRun? {
    guard refundKeys.withLock({ $0?.mayHold(index) }) ?? true else { return nil }
    return try look { database in
      try countLookUp(database)
      var found: RefundOfRun?
      let lookup = try refundsByKey ?? RefundTable.lookup(database, .refundByKey)
      refundsByKey = lookup
      try lookup.forEach(index, RefundTable.firstID(of: end)) { row in
        let refund = try RefundTable.refund(row)
        if isAsked(refund.entry.refundKey) { found = refund }
        return found == nil
      }
      return found
    }
  }

  private func countLookUp(_ database: Database) throws {
    lookedUp += 1
    guard lookedUp & 255 == 0, refundKeys.withLock({ $0 == nil }) else { return }
    let count = try Int.fetchOne(database, sql: "SELECT coalesce(sum(refunded), 0) FROM run") ?? 0
    guard lookedUp >= count / 16 else { return }
    let filter = try RefundKeyFilter(database, count: count)
    refundKeys.withLock { $0 = filter }
  }

  /// Passes on the refunds of payments, each with the payment's index in the list. Refunds of one payment come in the
  /// order of runs and places.
  ///
  /// Payments in ascending order are cheapest.
  public func refunds(
    ofPayments keys: some Sequence<Fingerprint>, _ take: (_ place: Int, _ refund: RefundOfRun) -> Void
  ) throws(Failure) {
    try look { database in
      let lookup = try RefundTable.lookup(database, .refundByPayment)
      for (place, key) in keys.enumerated() {
        try lookup.forEach(HashIndex.hash(key), RefundTable.firstID(of: end)) { row in
          let refund = try RefundTable.refund(row)
          if refund.entry.payment == key { take(place, refund) }
          return true
        }
      }
    }
  }

  // MARK: Agreements

  /// The agreement with a preapproval key; nil if none of those runs entered a record of it.
  public func agreement(_ preapprovalKey: String) throws(Failure) -> AgreementEntries? {
    try look { database in
      guard let place = try AgreementTable.find(database, preapprovalKey, hash: hash) else { return nil }
      let agreement = try AgreementTable.read(database, place, preapprovalKey, before: end)
      return agreement.records.isEmpty ? nil : agreement
    }
  }
}
