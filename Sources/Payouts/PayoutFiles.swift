import Failures
import Ledger

/// The files that a payout reads, each once; their faults are reported later.
struct PayoutFiles {
  let payees: ReadFile<PayeeFile>
  /// Without files if no payments came back.
  let returned: ChangeFiles<ReturnNote>
  /// Without files if nothing was adjusted.
  let adjusted: ChangeFiles<AdjustmentNote>
  /// Nil without terms.
  let terms: ReadFile<TermsFile>?
  let debtor: ReadFile<DebtorFile>?

  init(payees: String, returned: [String], adjustments: [String], terms: String? = nil, debtor: String?) {
    self.payees = PayeeFile.read(payees)
    self.returned = ChangeFiles(returned)
    adjusted = ChangeFiles(adjustments)
    self.terms = terms.map(TermsFile.read)
    self.debtor = debtor.map(DebtorFile.read)
  }

  /// Why one of them cannot be read; nil if all can.
  var failure: Failure? {
    payees.failure ?? returned.list.failure ?? adjusted.list.failure ?? terms?.failure ?? debtor?.failure
  }

  /// The faults of the files that have any.
  var faults: [FileFaults] {
    ([payees.reportedFaults] + returned.list.faults + adjusted.list.faults
      + [terms?.reportedFaults, debtor?.content.fault.map { FileFaults(debtor!.shown, $0) }])
      .compactMap(\.self)
  }

  /// Looks up returns and adjustments, and notes what is wrong with them.
  ///
  /// - Parameters:
  ///   - payout: the payout that is made again; nil for the next one.
  ///   - runs: the runs that count.
  func resolve(
    _ lookup: PayoutLookup, before payout: PayoutEntry?, runs: ClosedRange<Int>
  ) throws(Failure) {
    try returned.resolve(lookup, before: payout)
    try adjusted.resolve(lookup, before: payout)
    guard payees.content.faults.isEmpty else { return }
    try adjusted.expectAccounts(in: payees.content.payees) { count, holder throws(Failure) in
      try lookup.haveEntries(count, from: runs.lowerBound, until: runs.upperBound, before: payout, holder)
    }
  }

  /// What distinguishes the payout from others; nil if a file was not read completely.
  func identity(_ options: Payout.Options, until: Int) -> PayoutIdentity? {
    guard let payees = payees.stored, let returned = returned.list.stored, let adjusted = adjusted.list.stored,
      terms == nil || terms?.stored != nil, debtor == nil || debtor?.stored != nil
    else { return nil }
    let minimums = options.minimums.sorted { $0.key < $1.key }.map { "\($0.key.code)=\($0.value)" }
    return PayoutIdentity(
      date: options.date, executionDate: options.executionDate, untilRun: until, since: options.since,
      minimums: minimums.joined(separator: ","), payees: payees.sha256,
      returned: PayoutIdentity.joined(returned.map(\.sha256)),
      adjustments: PayoutIdentity.joined(adjusted.map(\.sha256)), debtor: debtor?.stored?.sha256,
      terms: terms?.stored?.sha256, hasNoPayments: options.hasNoPayments)
  }

  /// The accounts with terms of their own that neither the payees nor the ledger know: a misspelt account is paid without
  /// its terms.
  ///
  /// - Parameter runs: the runs that count.
  func accountsOfTermsAlone(
    _ lookup: PayoutLookup, before payout: PayoutEntry?, runs: ClosedRange<Int>
  ) throws(Failure) -> [[UInt8]] {
    guard let terms = terms?.content.terms else { return [] }
    var unknown: [[UInt8]] = []
    let payees = payees.content.payees
    try terms.forEachAccount { account throws(Failure) in
      if payees.rows(of: account.span).isEmpty { unknown.append(account) }
    }
    payees.startAgain()
    let areKnown = try lookup.haveEntries(
      unknown.count, from: runs.lowerBound, until: runs.upperBound, before: payout
    ) { (unknown[$0], nil) }
    return zip(unknown, areKnown).filter { !$1 }.map { $0.0 }
  }
}
