import Claims
import Ledger
import Postings
import Reports
import Rules
import Text

/// What the refunds that are made give.
struct MadeRefunds: ~Copyable {
  private let purpose: RunPurpose
  /// Whether a ledger wants them.
  var keepsEntries: Bool
  /// What a ledger is to keep of them, if it wants them.
  private(set) var entries: [RefundEntry] = []
  /// The text of the settlement that was not taken yet.
  private(set) var settlement = TextBuffer()
  /// The rows of `refunds.csv` that were not taken yet.
  private(set) var rows = TextBuffer()
  /// What they took from accounts, or gave them.
  let accounts = AccountTotals()

  init(_ purpose: RunPurpose, keepsEntries: Bool) {
    self.purpose = purpose
    self.keepsEntries = keepsEntries
  }

  /// Takes a refund that is made.
  ///
  /// - Parameters:
  ///   - payment: the fingerprint of its payment's key.
  ///   - run: the run that settled the payment; 0 for this one.
  ///   - record: the refund's own record.
  mutating func take(_ refund: MadeRefund, of payment: Fingerprint, run: Int, _ record: borrowing Judgement) {
    let (refundKey, payKey) = (Array(record.refundKey.buffer), Array(record.payKey.buffer))
    let texts = record.texts
    refund.withEntry(refundKey: refundKey, payKey: payKey) { entry in
      switch purpose {
      case .settlement: SettlementReport.append(entry, to: &settlement)
      case .entries(let writer): writer.write(entry, texts, &settlement)
      case .validation: break
      }
      for side in purpose.sums { accounts.post(entry, side, .adding) }
    }
    RefundsReport.append(refund, refundKey: refundKey, payKey: payKey, run: run, to: &rows)
    if keepsEntries { entries.append(RefundEntry(refund, of: payment, refundKey: refundKey)) }
  }

  /// Forgets the texts, which were taken.
  mutating func removeTexts() {
    settlement.removeAll(keeping: 1 << 20)
    rows.removeAll()
  }
}
