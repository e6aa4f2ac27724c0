import Ledger
import Text

/// Reads a file of payments that came back (`payouts.md`, Returned).
package final class ReturnedFile: ListFile {
  package static let columns = ["reference", "reason"]
  package static let headerFault = InputFault.Code.returnedHeader
  static let duplicateFault = InputFault.Code.duplicateReference
  static let holder: [Int] = []

  package private(set) var faults = InputFaults()
  /// Each a reference in the form of the ledger, and the reason.
  let rows = PackedRows(texts: 2)

  package init() {}

  package func note(_ fault: InputFault) { faults.add(fault) }

  package func read(_ record: borrowing CSVRecord, line: Int) {
    let isReason = ListedWord.isValid(record[1])
    if !isReason {
      note(InputFault(line: line, column: 1, code: record[1].isEmpty ? .missingField : .invalidValue))
    }
    guard let reference = PaymentReference(record[0]) else {
      return note(InputFault(line: line, column: 0, code: record[0].isEmpty ? .missingField : .invalidReference))
    }
    rows.append(line: line, [reference.bytes, isReason ? [UInt8](record[1]) : []])
  }

  package func finish() {}
}
