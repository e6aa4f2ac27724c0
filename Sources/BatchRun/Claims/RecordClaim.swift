import Claims

/// A record's claim on a key, and what the record gave: replaced if the claim is refused.
///
/// Places take 32 bits, so that a claim is no longer than a line of the cache: the commit reads all of them.
package struct RecordClaim: Sendable {
  package let claim: Claim
  /// Whether the record was judged as refused already, because its key was known to have come before.
  let isRefused: Bool
  /// Where the record's line begins in the stretch's text.
  let line: UInt32
  let length: UInt32
  /// The number of its line among the stretch's lines.
  let number: UInt32
  /// What the record gave to the settled text.
  let settled: Range<UInt32>
  /// The rows it gave; none if they are committed already, as it was known then whether the claim is refused.
  let rows: Range<UInt32>
  /// What it gave to what refunds need.
  let refundable: Range<UInt32>

  /// A claim of a record that is not refused, or of one that is and gave nothing.
  init(
    _ claim: Claim, isRefused: Bool, line: Int, length: Int, number: Int, settled: Range<Int> = 0..<0,
    rows: Range<Int> = 0..<0, refundable: Range<Int> = 0..<0
  ) {
    func narrow(_ range: Range<Int>) -> Range<UInt32> { UInt32(range.lowerBound)..<UInt32(range.upperBound) }
    self.claim = claim
    self.isRefused = isRefused
    (self.line, self.length, self.number) = (UInt32(line), UInt32(length), UInt32(number))
    (self.settled, self.rows, self.refundable) = (narrow(settled), narrow(rows), narrow(refundable))
  }
}
