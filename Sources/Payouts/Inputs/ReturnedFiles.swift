import Failures
import Ledger

/// The payments that came back, from all files that list them.
final class ReturnedFiles {
  let list: ListFiles<ReturnedFile>
  /// The returns to book, in the order of their references, once `resolve` has found no fault.
  private(set) var returns: [(note: ReturnNote, payment: BookedPayment)] = []
  /// The number of returns that an earlier payout has booked with the same reason.
  private(set) var skipped = 0

  init(_ paths: [String]) { list = ListFiles(paths) }

  /// Looks up the payments.
  ///
  /// - Parameter payout: the payout that books them; nil for the next one.
  func resolve(_ lookup: PaymentLookup, before payout: PayoutEntry?) throws(Failure) {
    var booked: [PaymentReference: String] = [:]
    try lookup.forEachReturn(before: payout) { note, _, _ in booked[note.reference] = note.reason }
    try list.forEachKey { row throws(Failure) in
      let reference = PaymentReference(bytes: list.bytes(0, of: row)[...])
      guard lookup.isPaid(reference, before: payout), let payment = try lookup.payment(reference) else {
        return .unknownReference
      }
      if list.isFaulty(row) { return nil }
      let reason = String(decoding: list.bytes(1, of: row), as: UTF8.self)
      guard let before = booked[reference] else {
        returns.append((ReturnNote(reference: reference, reason: reason), payment))
        return nil
      }
      skipped += before == reason ? 1 : 0
      return before == reason ? nil : .alreadyReturned
    }
  }
}
