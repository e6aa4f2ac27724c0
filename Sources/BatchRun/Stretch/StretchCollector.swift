import Claims
import Postings
import Text

/// Makes one stretch of merged ones of the same file: texts follow each other, places count from the first one's
/// beginning.
final class StretchCollector: StretchSink {
  private let result: StretchResult
  private let refundables: RefundablePayments

  init(accounts: AccountTotals, scratch: String) {
    result = StretchResult(accounts: accounts)
    refundables = RefundablePayments(scratch: scratch)
  }

  /// The stretch of all that was merged.
  func finish(_ merge: StretchMerge, lineFeeds: Int, textBytes: Int) throws(RunFailure) -> StretchResult {
    try refundables.forEach { key, payment in RefundablePayments.append(payment, key, to: &result.refundables) }
    result.totals = merge.totals
    result.lineFeeds = lineFeeds
    result.textBytes = textBytes
    return result
  }

  var keepsClaims: Bool { true }

  func takeEnvelope(of stretch: StretchResult, at place: StretchPlace) {
    if let first = stretch.firstRecord { result.noteRecord(number: place.line + first) }
    for line in stretch.envelope {
      var line = line
      line.number += place.line
      line.recordsBefore += result.recordCount
      if let behind = line.recordBehind { line.recordBehind = place.line + behind }
      result.envelope.append(line)
    }
    result.recordCount += stretch.recordCount
  }

  func takeSettled(_ text: UnsafePointer<UInt8>, count: Int) { result.settled.append(text, count: count) }

  func takeRow(_ row: RowPlace, _ text: UnsafePointer<UInt8>, at place: StretchPlace) {
    result.rowTexts.append(text, count: row.length)
    result.rows.append(
      RowPlace(number: place.line + row.number, line: place.offset + row.line, length: row.length))
  }

  func takeClaim(_ claim: RecordClaim, at place: StretchPlace) {
    var claim = claim
    claim.line += place.offset
    claim.number += place.line
    result.claims.append(claim)
  }

  func takeLater(_ claim: LaterClaim) {
    var claim = claim
    claim.claim = result.claims.count - 1
    result.laterClaims.append(claim)
  }

  func takeRefund(
    of payment: Fingerprint, _ record: RecordClaim, _ line: UnsafePointer<UInt8>, at place: StretchPlace
  ) { preconditionFailure("the claims of a stretch are not judged") }

  func dropRefundable(_ number: Int) { refundables.drop(number) }

  func takeRefundables(_ text: borrowing TextBuffer) throws(RunFailure) { try refundables.take(text) }

  func finishStretch() {}
}
