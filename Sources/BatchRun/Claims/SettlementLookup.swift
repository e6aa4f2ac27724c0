import Claims
import Documents
import ExactArithmetic
import Failures
import Ledger
import Records
import Rules
import Threads

/// What reports say earlier runs settled; used to settle their batch again without the ledger.
///
/// The reports need not be trusted: a key that they list as settled only has its payments rejected, so no additional
/// payment is settled. 30 to 60 bytes a key.
public struct ReportedSettlements: Sendable {
  package let hash = KeyedHash()
  package private(set) var keys: Set<Fingerprint> = []

  /// No key is reported as settled.
  public init() {}

  /// Whether no key is reported as settled.
  public var isEmpty: Bool { keys.isEmpty }

  /// Adds the key of a refund that an earlier run is reported to have made.
  public mutating func addRefund(_ refundKey: [UInt8]) {
    keys.insert(hash.fingerprint(refundKey.span).ofRefundKey)
  }

  /// Adds the pay key that an earlier run is reported to have settled.
  public mutating func add(_ payKey: Span<UInt8>) {
    keys.insert(hash.fingerprint(payKey).ofPayKey)
  }
}

/// What earlier runs settled, for the workers of one run.
package final class SettlementLookup: @unchecked Sendable {  // Lookups hold the ledger's gates.
  /// Throws if a batch with this header, whose texts have these digests, must not be settled.
  package typealias Check = (BatchEnvelope, _ textDigests: [TextDigest]) throws(Failure) -> Void

  /// The hash of the ledger's fingerprints.
  package let hash: KeyedHash
  private let keys: KeyLookup?
  private let entries: EntryLookup?
  private let told: Set<Fingerprint>
  private let end: Int
  private let shown: String
  /// Whether some of the ledger's runs were entered by the plain digests of their texts.
  package let hasPlainRuns: Bool
  /// Called once the batch is read, before its figures are compared with the trailer.
  package let expectNew: Check?
  private let first = FirstFailure<Failure>()

  /// Settlements from a ledger.
  ///
  /// - Parameter entries: only the runs that these are of count.
  package init(_ keys: KeyLookup, _ entries: EntryLookup, hasPlainRuns: Bool, expectNew: Check?) {
    (self.hasPlainRuns, self.expectNew) = (hasPlainRuns, expectNew)
    (self.keys, self.entries, told) = (keys, entries, [])
    (hash, end, shown) = (entries.hash, entries.end, entries.shown)
  }

  /// The number of connections for a number of threads; the commit asks, too.
  package static func readers(_ threads: Int) -> Int { min(threads + 1, 8) }

  /// Settlements from reports, without a ledger; which run settled a key is unknown.
  package init(_ told: ReportedSettlements) {
    hash = told.hash
    hasPlainRuns = false
    keys = nil
    entries = nil
    self.told = told.keys
    shown = ""
    end = .max
    expectNew = nil
  }

  /// Whether they come from a ledger, which identifies the run by its texts' digests.
  var isOfLedger: Bool { keys != nil }

  /// Why a lookup in the ledger failed; its results after that are useless.
  package var failure: Failure? { first.failure }

  /// Closes the ledger; nothing may be looked up afterwards.
  package func close() {
    keys?.close()
    entries?.close()
  }

  /// Whether an earlier run shows the names of fees. All runs after such a run do, so the last one says it.
  package func showsNames() throws(Failure) -> Bool {
    try entries?.lastSums().map { ReportKind.showsNames(sums: $0) } ?? false
  }

  /// A payment that an earlier run settled, and its refund data.
  package struct Payment {
    package var run: Int
    /// That run's day; nil if it has none.
    package var day: CalendarDay?
    /// A `RefundablePayment`; nil if the ledger no longer keeps it.
    package var bytes: [UInt8]?
    /// The earlier refunds of it, in order.
    package var refunds: [RefundTaking] = []
    /// Why the batch of an earlier run cannot be settled again: the details that the run used were pruned since.
    package var pruned: Failure?

    /// The refund data for a refund on a day; nil if the run that settled the payment is more than `window` days back,
    /// or the ledger no longer keeps the data.
    package func bytes(on day: CalendarDay?, _ rules: SettlementRules) throws(Failure) -> [UInt8]? {
      if rules.isWindowOver(on: day, forPaymentOf: self.day) { return nil }
      if let pruned { throw pruned }
      return bytes
    }
  }

  /// Looks up the keys, and visits the payments that earlier runs settled.
  ///
  /// - Parameter keys: in ascending order.
  package func forEachPayment(
    of keys: [Fingerprint], threads: Int = 1, _ body: (Fingerprint, Payment) throws(Failure) -> Void
  ) throws(Failure) {
    guard let entries else { return }
    // Large enough that most blocks are read once, small enough that few payments are in memory.
    let length = 1 << 13
    var readers = [entries]
    while readers.count < min(Self.readers(threads) - 1, (keys.count + length - 1) / length) {
      readers.append(try entries.another())
    }
    for wave in stride(from: 0, to: keys.count, by: length * readers.count) {
      try WorkerThreads.inOrder(readers.count, threads: readers.count) { [readers] number throws(Failure) in
        let start = min(wave + number * length, keys.count)
        return try payments(of: keys[start..<min(start + length, keys.count)], readers[number], number)
      } take: { (found: [(SettledPayment, Payment)]) throws(Failure) in
        for (payment, found) in found { try body(payment.key, found) }
      }
    }
  }

  private func payments(
    of keys: ArraySlice<Fingerprint>, _ entries: EntryLookup, _ reader: Int
  ) throws(Failure) -> [(SettledPayment, Payment)] {
    let known = keys.compactMap { key in
      let run = run(of: key, reader: reader, isAscending: true)
      return run > 0 ? SettledPayment(run: run, key: key) : nil
    }.sorted()
    if let failure { throw failure }
    var payments: [Payment] = []
    payments.reserveCapacity(known.count)
    for payment in known {
      let day =
        if let last = payments.last, last.run == payment.run { last.day } else {
          try entries.day(ofRun: payment.run).map(CalendarDay.init(number:))
        }
      payments.append(Payment(run: payment.run, day: day))
    }
    try entries.details(of: known) { place, details in
      if let details { payments[place].bytes = [UInt8](details) }
    }
    for (place, payment) in known.enumerated() where payments[place].bytes == nil {
      guard try entries.isPrunedSince(payment) else { continue }
      payments[place].pruned = .inputOutput(
        "\(shown): the batch of run \(end) has refunds of payments of run \(payment.run), whose details were pruned "
          + "since; it cannot be settled again")
    }
    var damage: Failure?
    try entries.refunds(ofPayments: known.map(\.key)) { place, refund in
      do throws(Failure) {
        payments[place].refunds.append(try RefundTaking(refund, ledger: shown))
      } catch { damage = damage ?? error }
    }
    if let damage { throw damage }
    return Array(zip(known, payments))
  }

  /// The earlier run that made a refund with this key; 0 if none did.
  package func refundRun(of key: Span<UInt8>) -> Int {
    guard let entries else { return told.contains(hash.fingerprint(key).ofRefundKey) ? 1 : 0 }
    let key = String(decoding: key)
    return asking { () throws(Failure) in try entries.run(ofRefund: key) }
  }

  /// The refund with this key; nil if no earlier run made it.
  package func refund(of key: [UInt8]) throws(Failure) -> RefundTaking? {
    guard let refund = try entries?.refund(of: String(decoding: key, as: UTF8.self))
    else { return nil }
    return try RefundTaking(refund, ledger: shown)
  }

  /// The earlier run that settled the pay key or made the refund with this fingerprint; 0 if none did.
  package func run(ofAny key: Fingerprint) -> Int {
    let settled = run(of: key, reader: 0)
    guard settled == 0, let entries else { return settled }
    return asking { () throws(Failure) in try entries.run(ofRefund: key) }
  }

  /// The state of an agreement before the batch; nil if it did not exist.
  package func agreement(of key: [UInt8]) throws(Failure) -> AgreementHistory? {
    guard let entries,
      let earlier = try entries.agreement(String(decoding: key, as: UTF8.self))
    else { return nil }
    var agreement: Agreement?
    var records: [(action: PreapprovalAction, run: Int)] = []
    for (run, content) in earlier.records {
      var reader = ByteReader(content[...], name: shown)
      let record = try reader.agreementRecord()
      let refusals = Agreement.apply(record, on: &agreement)
      guard refusals.isEmpty else { throw reader.damage("an agreement does not match its records") }
      records.append((record.action, run))
    }
    var uses: [(run: Int, payments: Int, amount: ExactDecimal)] = []
    for (run, use) in earlier.uses {
      let exponent = agreement.map { -$0.terms.currency.settlementExponent }
      guard let amount = ExactDecimal(use.amount), amount.exponent == exponent else {
        throw .damagedLedger("the used amount of an agreement is invalid").ofLedger(shown)
      }
      agreement?.addUse(period: Int(use.period), payments: use.payments, amount: amount)
      uses.append((run, use.payments, amount))
    }
    return agreement.map { AgreementHistory(agreement: $0, records: records, uses: uses) }
  }

  /// The earlier run that settled a pay key, 0 if none did; without a ledger, 1 for any run.
  package func run(of key: Fingerprint, reader: Int, isAscending: Bool = false) -> Int {
    guard let keys else { return told.contains(key) ? 1 : 0 }
    let run = asking { () throws(Failure) in
      try keys.run(of: key, reader: reader, isAscending: isAscending)
    }
    return run < end ? run : 0
  }

  /// The run that the ledger returns; 0 if it returns none, or fails.
  @inline(__always)
  private func asking(_ body: () throws(Failure) -> Int?) -> Int {
    do throws(Failure) { return try body() ?? 0 } catch {
      first.keep(error)
      return 0
    }
  }
}
