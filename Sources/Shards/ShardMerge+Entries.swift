import BatchRun
import Bookkeeping
import Bytes
import Claims
import Failures
import FileSystem
import Ledger
import Text

/// What the ledger keeps of a batch in shards.
extension ShardMerge {
  /// Throws if it is another ledger, or if another run was entered since the shards were gathered (75).
  func expectSameLedger(_ ledger: RunLedger) throws(Failure) {
    guard let noted = gathered.ledger else { return }
    try LedgerReading(path: ledger.path).expectSame(as: work.plan, noted)
    guard try ledger.ledger.run(number: noted.run + 1) == nil else {
      throw .busy(
        "\(ledger.shown): another run was entered since the shards were gathered; settle shard gather --again --work "
          + "\(ShellWord.quoted(work.shown)), then merge again")
    }
  }

  /// What the ledger keeps of the run.
  func entries(beside place: OutputPlace) throws(Failure) -> NightEntries {
    var keys = ClaimedKeys()
    let details = SettledPaymentSorter(beside: place)
    var refunds: [RefundEntry] = []
    for number in work.plan.shards.indices {
      let done = try work.step(ShardWork.done(number, 2))
      var entries = ClaimEntryReader(
        try done.open("private", isChecked: work.isChecked), hasFees: work.plan.options.showsNames)
      let refundables = try work.step(ShardWork.run(number)).open("refundables", isChecked: work.isChecked)
      while let entry = try entries.next() {
        guard entry.hasRefundable else { continue }
        let isRead = try RefundablePayments.next(of: refundables) { _, payment throws(Failure) in
          guard entry.isSettled else { return }
          _ = keys.insert(entry.key, isSettled: true)
          try details.append(entry.key, payment)
        }
        if !isRead { throw refundables.damage("it ends too early") }
      }
      let made = try done.open("refund-entries.csv", isChecked: work.isChecked)
      while let line = try made.line() {
        let fields = SortedRow(line).fields
        guard fields.count == 3, let taken = Hexadecimal.bytes(fields[2]) else {
          throw made.damage("a refund's row is malformed")
        }
        refunds.append(
          RefundEntry(
            refundKey: String(decoding: fields[0], as: UTF8.self), payment: ShardClaims.fingerprint(fields[1]),
            taken: taken))
      }
    }
    let agreements = try agreements()
    return NightEntries(
      keys, threads: threads, details: details, refunds: refunds, agreements: agreements,
      rules: work.plan.options.rules)
  }

  private func agreements() throws(Failure) -> [AgreementEntry] {
    guard gathered.judges(1) else { return [] }
    let reader = try work.step(ShardWork.verdicts(1)).open("agreements.csv")
    var entries: [AgreementEntry] = []
    while let row = try reader.line() {
      guard let entry = AgreementRow.entry(row) else { throw reader.damage("an agreement's row is malformed") }
      entries.append(entry)
    }
    return entries
  }
}
