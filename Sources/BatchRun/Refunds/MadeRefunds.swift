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
  /// What a ledger keeps of them, if there is one.
  package private(set) var entries: [RefundEntry] = []
  /// The settlement text that is not handed on yet.
  package private(set) var settlement = TextBuffer()
  /// The rows of `refunds.csv` that are not handed on yet.
  package private(set) var rows = TextBuffer()
  /// What they took from accounts or gave to them.
  package let accounts: AccountTotals
  private var queue: PostingQueue

  package init(_ purpose: RunPurpose, keepsEntries: Bool, accounts: AccountTotals = AccountTotals()) {
    self.purpose = purpose
    self.keepsEntries = keepsEntries
    self.accounts = accounts
    queue = PostingQueue(for: accounts)
  }

  /// Empty ones of the same kind, which change the same accounts.
  package var others: MadeRefunds { MadeRefunds(purpose, keepsEntries: keepsEntries, accounts: accounts) }

  /// Appends a refund that is made.
  ///
  /// - Parameters:
  ///   - payment: the fingerprint of its payment's key.
  ///   - run: the run that settled the payment; 0 for this one.
  ///   - record: the refund's own record.
  package mutating func append(_ refund: MadeRefund, of payment: Fingerprint, run: Int, _ record: borrowing Judgement) {
    let (refundKey, payKey) = (Array(record.refundKey), Array(record.payKey))
    let texts = record.texts
    refund.withEntry(refundKey: refundKey, payKey: payKey) { entry in
      switch purpose {
      case .settlement: SettlementReport.append(entry, to: &settlement)
      case .entries(let writer): writer.write(entry, texts, &settlement)
      case .validation: break
      }
      for side in purpose.sums { queue.add(entry, side) }
    }
    RefundsReport.append(refund, refundKey: refundKey, payKey: payKey, run: run, to: &rows)
    if keepsEntries { entries.append(RefundEntry(refund, of: payment, refundKey: refundKey)) }
  }

  /// Adds the postings that wait to the sums of accounts.
  package mutating func post() { queue.post() }

  /// Appends the texts and the entry of the next refund of others.
  ///
  /// - Parameters:
  ///   - done: how much of the others was appended before.
  ///   - end: the end of the refund's texts.
  package mutating func appendNext(
    of other: borrowing MadeRefunds, from done: inout (settlement: Int, rows: Int, entries: Int),
    to end: (settlement: Int, rows: Int)
  ) {
    settlement.append(other.settlement.span.extracting(done.settlement..<end.settlement))
    rows.append(other.rows.span.extracting(done.rows..<end.rows))
    if keepsEntries { entries.append(other.entries[done.entries]) }
    done = (end.settlement, end.rows, done.entries + 1)
  }

  /// Forgets what has been handed on.
  mutating func removeTexts() {
    settlement.removeAll(keeping: 1 << 20)
    rows.removeAll(keeping: 1 << 20)
  }

  /// Forgets everything except the sums of accounts.
  package mutating func removeAll() {
    removeTexts()
    entries.removeAll()
  }
}
