import Postings
import Rules

extension RecordSettler {
  /// Refuses the claims of the record that the judge holds, and corrects the figures: takes back what the record
  /// contributed, and counts its new result.
  ///
  /// - Parameters:
  ///   - known: the refusals that were known when the record was counted.
  ///   - totals: the totals in which it was counted.
  ///   - accounts: the accounts to which its postings went.
  ///   - sign: `.adding` if the accounts collect what is taken back.
  package mutating func refuse(
    _ refusals: [ClaimRefusal], known: [ClaimRefusal] = [], in totals: inout ControlTotals, _ accounts: AccountTotals,
    _ sign: PostingSign = .removing
  ) {
    judge.refuse(known)
    totals.count(&judge, sign: .removing)
    if purpose.settles, judge.judgement.outcome == .settled {
      for side in purpose.sums { accounts.post(judge.judgement.entry, side, sign) }
    }
    judge.refuse(refusals)
    totals.count(&judge)
  }
}
