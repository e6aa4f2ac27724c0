import Ledger
import Documents

/// By which version's rules, and in which form, a payout is made. Payouts of earlier versions are made again by their own.
enum PayoutRule: Comparable {
  /// Of 1.0.0-rc.1 and rc.2: no adjustments; a balance waits for one payout if something came back to it.
  case withoutAdjustments
  /// Of 1.0.0-rc.3: a balance waits if its last payment came back.
  case lastPayment
  /// A balance waits if the payee's bank account is refused.
  case bankAccounts
}

extension PayoutEntry {
  /// The rule by which it was made.
  var rule: PayoutRule {
    guard sums.contains("  \(PayoutReport.adjusted.fileName)\n") else { return .withoutAdjustments }
    return self.changedAccounts == nil ? .lastPayment : .bankAccounts
  }

  /// Whether it has the form of versions without adjustments.
  var isWithoutAdjustments: Bool { rule == .withoutAdjustments }
}
