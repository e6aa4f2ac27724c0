import Claims
import Ledger
import Postings
import Documents
import Rules
import Text

package struct MadeRefunds: ~Copyable {
  private let purpose: RunPurpose
  /// Whether a ledger keeps them.
  package var keepsEntries: Bool
  /// Whether the night shows the names of fees.
  package let showsNames: Bool
  /// What a ledger keeps of them, if there is one.
  package private(set) var entries: [RefundEntry] = []
  /// The settlement text that is not handed on yet.
  package private(set) var settlement = TextBuffer()
  /// The rows of `refunds.csv` that are not handed on yet.
  package private(set) var rows = TextBuffer()
  /// The rows of `fees.csv` that are not handed on yet.
  package private(set) var fees = TextBuffer()
  /// What they took from accounts or gave to them.
  package let accounts: AccountTotals
  private var queue: PostingQueue

  package init(
    _ purpose: RunPurpose, keepsEntries: Bool, showsNames: Bool, accounts: AccountTotals = AccountTotals()
  ) {
    self.purpose = purpose
    self.keepsEntries = keepsEntries
    self.showsNames = showsNames
    self.accounts = accounts
    queue = PostingQueue(for: accounts)
  }

  /// Empty ones of the same kind, which change the same accounts.
  package var others: MadeRefunds {
    MadeRefunds(purpose, keepsEntries: keepsEntries, showsNames: showsNames, accounts: accounts)
  }

  /// Appends a refund that is made.
  ///
  /// - Parameters:
  ///   - payment: the fingerprint of its payment's key.
  ///   - run: the run that settled the payment; 0 for this one.
  ///   - record: the refund's own record.
  package mutating func append(_ refund: MadeRefund, of payment: Fingerprint, run: Int, _ record: borrowing Judgement) {
    let (refundKey, payKey) = (Array(record.refundKey), Array(record.payKey))
    let texts = record.texts
    // The record of a refund has no charges of its own.
    let unnamed = record.fees(named: [])
    refund.withEntry(refundKey: refundKey, payKey: payKey) { entry in
      switch purpose {
      case .settlement: SettlementReport.append(entry, to: &settlement)
      case .entries(let writer) where showsNames: refund.withFees { writer.write(entry, texts, $0, &settlement) }
      case .entries(let writer): writer.write(entry, texts, unnamed, &settlement)
      case .validation: break
      }
      for side in purpose.sums { queue.add(entry, side) }
    }
    if showsNames, case .settlement = purpose {
      FeesReport.append(refund, refundKey: refundKey, payKey: payKey, to: &fees)
    }
    RefundsReport.append(refund, refundKey: refundKey, payKey: payKey, run: run, to: &rows)
    if keepsEntries { entries.append(RefundEntry(refund, of: payment, refundKey: refundKey)) }
  }

  /// Adds the postings that wait to the sums of accounts.
  package mutating func post() { queue.post() }

  /// A place in the texts and entries.
  package struct Place {
    var settlement = 0, rows = 0, fees = 0, entries = 0
    package init() {}
  }

  /// The place after everything.
  package var end: Place {
    var end = Place()
    (end.settlement, end.rows, end.fees, end.entries) = (settlement.count, rows.count, fees.count, entries.count)
    return end
  }

  /// Appends the texts and the entry of the next refund of others.
  ///
  /// - Parameters:
  ///   - done: how much of the others was appended before.
  ///   - end: the place after the refund.
  package mutating func appendNext(of other: borrowing MadeRefunds, from done: inout Place, to end: Place) {
    settlement.append(other.settlement.span.extracting(done.settlement..<end.settlement))
    rows.append(other.rows.span.extracting(done.rows..<end.rows))
    fees.append(other.fees.span.extracting(done.fees..<end.fees))
    entries += other.entries[done.entries..<end.entries]
    done = end
  }

  /// Forgets what has been handed on.
  mutating func removeTexts() {
    settlement.removeAll(keeping: 1 << 20)
    rows.removeAll(keeping: 1 << 20)
    fees.removeAll(keeping: 1 << 20)
  }

  /// Forgets everything except the sums of accounts.
  package mutating func removeAll() {
    removeTexts()
    entries.removeAll()
  }
}
