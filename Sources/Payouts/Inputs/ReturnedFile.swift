import Ledger
import Text

/// Reads the file of payments that came back (`payouts.md`, Returned).
final class ReturnedFile: RecordFile {
  static let columns = ["reference", "reason"]
  static let headerFault = InputFault.Code.returnedHeader

  private struct Row {
    let reference: PaymentReference
    let line: Int
    /// Nil if it is faulty.
    let reason: String?
  }

  private(set) var faults = InputFaults()
  private var rows: [Row] = []
  /// The returns to book, in the order of their references, once `resolve` has found no fault.
  private(set) var returns: [(note: ReturnNote, payment: BookedPayment)] = []

  init() {}

  func note(_ fault: InputFault) { faults.add(fault) }

  func take(_ fields: [UnsafeBufferPointer<UInt8>], line: Int) {
    let isReason = Self.isReason(fields[1])
    if !isReason {
      note(InputFault(line: line, column: 1, code: fields[1].isEmpty ? .missingField : .invalidValue))
    }
    guard let reference = PaymentReference(fields[0]) else {
      return note(InputFault(line: line, column: 0, code: fields[0].isEmpty ? .missingField : .invalidReference))
    }
    rows.append(
      Row(reference: reference, line: line, reason: isReason ? String(decoding: fields[1], as: UTF8.self) : nil))
  }

  /// Whether a text is 1 to 35 of `A-Z a-z 0-9 . _ -`.
  static func isReason(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    1...35 ~= text.count && text.allSatisfy { ASCIIClass.of($0) & ASCIIClass.identifier != 0 }
  }

  func finish() { rows.sort { ($0.reference, $0.line) < ($1.reference, $1.line) } }

  /// Looks up the payments.
  ///
  /// - Parameter last: the last payout that counts.
  func resolve(_ lookup: PaymentLookup, until last: Int) throws(LedgerFailure) {
    var booked = Set<PaymentReference>()
    try lookup.forEachReturn(until: last) { note, _, _ in booked.insert(note.reference) }
    var before: PaymentReference?
    for row in rows {
      var fault: InputFault.Code?
      if row.reference == before {
        fault = .duplicateReference
      } else if row.reference.payout <= last, let payment = try lookup.payment(row.reference) {
        if booked.contains(row.reference) { fault = .alreadyReturned }
        if let reason = row.reason { returns.append((ReturnNote(reference: row.reference, reason: reason), payment)) }
      } else {
        fault = .unknownReference
      }
      if let fault { note(InputFault(line: row.line, column: 0, code: fault)) }
      before = row.reference
    }
    rows = []
  }
}
