import BatchRun
import ExactArithmetic
import Failures
import Ledger
import Money

/// The files that a payout reads, each once; their faults are reported later.
struct PayoutFiles {
  let payees: ReadFile<PayeeFile>
  /// Without files if no payments came back.
  let returned: ReturnedFiles
  let debtor: ReadFile<DebtorFile>?

  init(payees: String, returned: [String], debtor: String?) {
    self.payees = PayeeFile.read(payees)
    self.returned = ReturnedFiles(returned)
    self.debtor = debtor.map(DebtorFile.read)
  }

  /// Why one of them cannot be read; nil if all can.
  var failure: Failure? { payees.failure ?? returned.failure ?? debtor?.failure }

  /// The faults of the files that have any.
  var faults: [FileFaults] {
    let returned = returned.files.map(\.reportedFaults)
    return ([payees.reportedFaults] + returned + [debtor?.content.fault.map { FileFaults(debtor!.shown, $0) }])
      .compactMap(\.self)
  }

  /// What distinguishes the payout from others; nil if a file was not read completely.
  func identity(_ options: Payout.Options, until: Int) -> PayoutIdentity? {
    guard let payees = payees.stored, let returned = returned.stored, debtor == nil || debtor?.stored != nil else {
      return nil
    }
    let minimums = options.minimums.sorted { $0.key < $1.key }.map { "\($0.key.code)=\($0.value)" }
    return PayoutIdentity(
      date: options.date, executionDate: options.executionDate, untilRun: until, since: options.since,
      minimums: minimums.joined(separator: ","), payees: payees.sha256,
      returned: PayoutIdentity.joined(returned.map(\.sha256)),
      debtor: debtor?.stored?.sha256)
  }
}
