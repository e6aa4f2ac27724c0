import Failures
import Ledger
import Rules

/// A payment of a payout.
public struct PaidOut: Sendable {
  public let reference: PaymentReference
  /// The payout that made it.
  public let payout: PayoutEntry
  /// The account and the amount.
  public let payment: AccountAmount
  /// What it consists of.
  public let contents: Transfer
  /// The payout that booked its return, and the reason; nil if it was not returned.
  public internal(set) var returned: (payout: Int, reason: String)?
}

/// An adjustment and where it was booked.
public struct Adjusted: Sendable {
  public let adjustment: BookedChange<AdjustmentNote>
  /// The payout that booked it; nil if a payout was given up with it.
  public let payout: PayoutEntry?
}

/// Looks up keys in all runs of a ledger, which is only read. Unpublished runs do not count.
public struct LedgerSearch {
  /// The ledger's runs.
  public var history: RunHistory { ledger.history }
  package let ledger: AskedLedger
  /// Its path for messages.
  package var shown: String { ledger.shown }
  /// The open ledger.
  package var reading: LedgerReading { ledger.reading }

  /// Opens a ledger.
  public init(ledger path: String) throws(Failure) { ledger = try AskedLedger(path) }

  /// Throws if a run or payout wrote to the ledger while it was read.
  package func expectUnchanged() throws(Failure) { try ledger.expectUnchanged() }

  /// The balances of an account, ordered by currency; empty if no run or payout that counts has booked it.
  ///
  /// - Parameter account: in lower case.
  public func books(of account: [UInt8]) throws(Failure) -> [AccountBook] {
    let books = try ledger.reading.books(of: account, until: ledger.lastRun, history.payouts)
    try ledger.expectUnchanged()
    return books
  }

  /// Follows the money of accounts through the payments of payouts.
  public func moneyTrace() throws(Failure) -> MoneyTrace {
    try ledger.reading.moneyTrace(until: ledger.lastRun, history.payouts)
  }

  /// An adjustment; nil if the ledger has none of this key.
  public func adjustment(_ key: String) throws(Failure) -> Adjusted? {
    let all = try ledger.reading.payoutLookup().all(AdjustmentNote.self)
    try ledger.expectUnchanged()
    return all[key].map { found in
      Adjusted(adjustment: found, payout: history.payouts.first { $0.number == found.payout })
    }
  }

  /// A payment of a payout; nil if the ledger has no payment with this reference.
  public func paidOut(_ reference: PaymentReference) throws(Failure) -> PaidOut? {
    guard let payout = history.payouts.first(where: { $0.number == reference.payout }) else { return nil }
    let lookup = try ledger.reading.payoutLookup()
    guard let payment = try lookup.payment(reference) else { return nil }
    let book = try ledger.reading.books(
      of: payment.account, until: ledger.lastRun, history.payouts, showsRefused: false
    ).first { $0.currency == payment.currency }!
    var found = PaidOut(
      reference: reference, payout: payout, payment: payment,
      contents: book.transfer(reference)!)
    try lookup.forEach(ReturnNote.self) { booked in
      if booked.change.note.reference == reference { found.returned = (booked.payout, booked.change.note.reason) }
    }
    try ledger.expectUnchanged()
    return found
  }

  /// The files of a run's rules: `fees.json`, and `splits.json` and `taxes.json` if it used them; empty if the run was
  /// entered before rules were kept.
  public func ruleFiles(of run: RunEntry) throws(Failure) -> [(name: String, text: [UInt8])] {
    var files: [(name: String, text: [UInt8])] = []
    for (name, digest) in run.rules.sorted(by: { $0.key < $1.key }) {
      guard let text = try ledger.reading.ruleText(digest) else {
        throw .damagedLedger("a rule of run \(run.number) is missing").ofLedger(ledger.shown)
      }
      files.append(((name == SettlementRules.builtInFees ? "fees" : name) + ".json", text))
    }
    return files
  }
}
