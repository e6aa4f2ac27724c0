import Failures
import Ledger
import Payouts

/// The rows of lists made by hand, compared with each other and with the ledger.
enum ListRows {
  /// Passes on the faults of rows, each with its file.
  static func forEachFault(
    _ intake: AnswerIntake, _ ledger: LedgerReading, _ take: (_ file: Int, InputFault) -> Void
  ) throws(Failure) {
    let rows = intake.sortedByPayment { $0.asFormat.isList }
    if rows.isEmpty { return }
    let lookup = try ledger.payoutLookup()
    try intake.forEachGroup(rows) { places throws(Failure) in
      let reference = intake.answers[head: places.first!].reference
      let isKnown = intake.payouts.has(payout: reference.payout) ? try lookup.payment(reference) != nil : false
      var lastFile: UInt32?
      for row in places.map({ intake.answers[head: $0] }) {
        let code: InputFault.Code? = lastFile == row.file ? .duplicateReference : isKnown ? nil : .unknownReference
        lastFile = row.file
        if let code {
          take(Int(row.file), InputFault(line: Int(row.line), column: 0, code: code))
        }
      }
    }
  }
}
