import BatchRun
import Failures
import Ledger

/// The files of payments that came back. Equal rows of different files count once, so that lists which grow can be given
/// every night.
final class ReturnedFiles {
  /// The files, in the order given.
  let files: [ReadFile<ReturnedFile>]
  /// The returns to book, in the order of their references, once `resolve` has found no fault.
  private(set) var returns: [(note: ReturnNote, payment: BookedPayment)] = []
  /// The number of returns that an earlier payout has booked with the same reason.
  private(set) var skipped = 0

  init(_ paths: [String]) { files = paths.map(ReturnedFile.read) }

  /// Why one of them cannot be read; nil if all can.
  var failure: Failure? { files.lazy.compactMap(\.failure).first }

  /// The lengths and SHA-256 of the files; nil if one was not read completely.
  var stored: [(bytes: Int, sha256: String)]? {
    let stored = files.compactMap(\.stored)
    return stored.count == files.count ? stored : nil
  }

  /// Looks up the payments.
  ///
  /// - Parameter last: the last payout that counts.
  func resolve(_ lookup: PaymentLookup, until last: Int) throws(Failure) {
    var booked: [PaymentReference: String] = [:]
    try lookup.forEachReturn(until: last) { note, _, _ in booked[note.reference] = note.reason }
    var rows = files.indices.flatMap { file in files[file].content.rows.map { (row: $0, file: file) } }
    rows.sort { ($0.row.reference, $0.file, $0.row.line) < ($1.row.reference, $1.file, $1.row.line) }
    var first: (row: ReturnedFile.Row, file: Int)?
    var file = -1
    for (row, place) in rows {
      var fault: InputFault.Code?
      if let first, first.row.reference == row.reference {
        let isRepeated = file == place
        if isRepeated || first.row.reason != nil && row.reason != nil && first.row.reason != row.reason {
          fault = .duplicateReference
        }
      } else {
        first = (row, place)
        fault = try take(row, booked, lookup, until: last)
      }
      file = place
      if let fault { files[place].content.note(InputFault(line: row.line, column: 0, code: fault)) }
    }
  }

  /// What is wrong with a row whose reference is new; nil if nothing is.
  private func take(
    _ row: ReturnedFile.Row, _ booked: [PaymentReference: String], _ lookup: PaymentLookup, until last: Int
  ) throws(Failure) -> InputFault.Code? {
    guard row.reference.payout <= last, let payment = try lookup.payment(row.reference) else {
      return .unknownReference
    }
    guard let reason = row.reason else { return nil }
    guard let before = booked[row.reference] else {
      returns.append((ReturnNote(reference: row.reference, reason: reason), payment))
      return nil
    }
    skipped += before == reason ? 1 : 0
    return before == reason ? nil : .alreadyReturned
  }
}
