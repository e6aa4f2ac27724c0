import Claims
import Digests
import ExactArithmetic
import Failures
import FileSystem
import Postings
import TestSupport

@testable import Ledger

extension RunEntry {
  /// The run as it was before it was entered.
  var unnumbered: RunEntry {
    var entry = self
    entry.number = 0
    (entry.content.detailCount, entry.content.balanceCount, entry.content.prunedAfter) = (nil, nil, nil)
    return entry
  }
}

/// A night's run as tests enter it: made-up keys, and an entry that is unique.
struct Night {
  var entry: RunEntry
  /// What is kept of each payment; nil if nothing is kept.
  var details: [Fingerprint: [UInt8]]?
  var refunds: [RefundEntry] = [] {
    didSet { entry.records.refunded = refunds.count }
  }
  var agreements: [AgreementEntry] = [] {
    didSet { entry.records.preapprovals = agreements.reduce(0) { $0 + $1.records.count } }
  }
  /// The texts of its rules, by name.
  var rules: [String: [UInt8]] = [:] {
    didSet { entry.rules = rules.mapValues { SHA256.digest(of: $0).bytes } }
  }
  /// The number of threads that make the blocks; nothing depends on it.
  var threads = 3
  /// What it gives each account; nil if that is not kept.
  var balances: AccountEntries?
  private let keys: [Fingerprint]

  /// A night that settles these keys, in any order.
  init(_ number: Int, keys: some Sequence<Fingerprint>) {
    self.keys = Array(keys)
    entry = Night.entry(number, settled: self.keys.count)
  }

  static func entry(_ number: Int, settled: Int = 0) -> RunEntry {
    let digest = Array(repeating: UInt8(truncatingIfNeeded: number), count: 31) + [UInt8(number >> 8 & 0xFF)]
    return RunEntry(
      time: "2026-11-21T22:00:00Z", engine: "0.1.0",
      identity: RunIdentity(content: digest, schedule: digest, options: "strictItems=0"), opening: digest,
      batchKey: Fingerprint(low: UInt64(number), high: 9), batchID: "batch-\(number)",
      files: [StoredFile(name: "night-\(number).jsonl", bytes: number * 1000, sha256: "00ff")],
      records: RecordCounts(read: settled + 3, settled: settled, rejected: 1, pending: 1, held: 1),
      controlTotals: "verified",
      totals: [RunTotal(currency: "EUR", moved: moved(settled))],
      directory: Array("/settled/night-\(number)".utf8), sums: "sums of night \(number)\n")
  }

  private static func moved(_ payments: Int) -> TrialBalance {
    var moved = TrialBalance(exponent: -2)
    moved.payments = payments
    moved.senderAmount = ExactDecimal(100_00, exponent: -2)
    moved.senderFees = ExactDecimal(1_00, exponent: -2)
    moved.receiverNet = ExactDecimal(99_00, exponent: -2)
    moved.fees = ExactDecimal(2_00, exponent: -2)
    return moved
  }

  /// Enters the night like a run.
  @discardableResult
  func enter(_ ledger: Ledger, merging: Bool = true) throws -> Int {
    try ledger.begin(directory: entry.directory, replaces: false)
    let number = try enterOnly(ledger)
    try ledger.end(newKeys: merging ? entry.records.settled : 0)
    return number
  }

  /// Enters the night and leaves it unpublished.
  func enterOnly(_ ledger: Ledger) throws -> Int {
    let place = try OutputPlace(path: ledger.path + ".details")
    let sorter = details.map { _ in SettledPaymentSorter(beside: place) }
    for (key, details) in details ?? [:] { try sorter?.append(key, details.span) }
    var claimed = ClaimedKeys()
    for key in keys { precondition(claimed.insert(key, isSettled: true), "each key once") }
    claimed.sortSettled(threads: threads)
    return try ledger.enter(
      entry, keys: claimed, details: sorter, refunds: refunds, agreements: agreements,
      ruleTexts: Array(rules.values), balances: balances, threads: threads)
  }
}

extension TemporaryFolder {
  /// Opens a ledger of the folder, or makes it, once earlier openings have released the lock.
  func ledger(_ name: String = "ledger") throws(Failure) -> Ledger {
    try openingWhenFree(isBusy: \Failure.isBusy) { () throws(Failure) in try Ledger(path: path(name)) }
  }
}

extension Failure {
  /// Whether another opening has the ledger.
  var isBusy: Bool { kind == .busy }

  /// What is wrong, without the name of the ledger.
  var unnamed: Failure { Failure(kind, text, advice: advice) }

  /// Whether a ledger is unsound, and can only be adopted.
  func isUnsound(asksForLastPayout: Bool) -> Bool {
    kind == .unsound && advice == .adopt(asksForLastPayout: asksForLastPayout)
  }
}

extension Fingerprint {
  /// Some pay key's fingerprint.
  static func random(_ generator: inout SeededGenerator) -> Fingerprint {
    Fingerprint(low: generator.next(), high: generator.next()).ofPayKey
  }
}

extension EntryLookup {
  /// The details of one settled payment.
  func details(of payment: SettledPayment) throws(Failure) -> [UInt8]? {
    var found: [UInt8]?
    try details(of: CollectionOfOne(payment)) { _, details in
      if let details { found = [UInt8](details) }
    }
    return found
  }
}
