import Claims

/// A record's claim on a key, and what the record contributed, which is replaced if the claim is refused.
///
/// Places have 32 bits, so that a claim fits into a cache line: the commit reads every claim.
package struct RecordClaim: Sendable {
  package let claim: Claim
  /// Whether the record was already judged as refused, because its key was known to be repeated.
  package let isRefused: Bool
  /// Where the record's line begins in the stretch's text.
  package let line: UInt32
  package let length: UInt32
  /// The index of its line among the stretch's lines.
  package let number: UInt32
  /// The record's range in the settled text.
  package let settled: Range<UInt32>
  /// Its rows; empty if they are committed already, since the outcome of the claim was known then.
  package let rows: Range<UInt32>
  /// Its range in the refund data of payments.
  package let refundable: Range<UInt32>

  /// The record's line.
  ///
  /// - Parameter text: the stretch's text.
  @_lifetime(copy text)
  func line(in text: Span<UInt8>) -> Span<UInt8> { text.extracting(Int(line)..<Int(line) + Int(length)) }

  /// A claim of a record that is not refused, or of a refused one that contributed nothing.
  package init(
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
