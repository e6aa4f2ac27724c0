import Claims
import FileSystem
import Postings
import Rules
import Text

/// Reads a batch a second time for payments that its refunds are of, and no further than it must.
final class SecondReading: StretchSink {
  private let input: BatchInput
  private let found: RefundablePayments
  /// The keys of the payments that are not found yet.
  private var left: Set<Fingerprint>

  private init(_ input: BatchInput, for keys: Set<Fingerprint>, scratch: String) {
    self.input = input
    found = RefundablePayments(scratch: scratch)
    left = keys
  }

  /// What refunds need of the payments of some pay keys, all of which the batch settles.
  ///
  /// - Parameters:
  ///   - first: the first reading, which has ended. Its files are read, whatever stands at their paths by now.
  ///   - hash: makes fingerprints of keys.
  static func payments(
    _ keys: Set<Fingerprint>, of first: BatchInput, hash: KeyedHash, options: RunOptions
  ) throws(RunFailure) -> RefundablePayments {
    let input = try first.again()
    let reading = SecondReading(input, for: keys, scratch: options.scratch)
    let accounts = AccountTotals()
    let purpose = RunPurpose.payments(SoughtKeys(keys: keys, hash: hash))
    let commit = OrderedCommit(
      to: reading, fileNames: input.escapedNames, purpose: purpose, options: options, hash: hash, accounts: accounts,
      earlier: nil)
    let order = CommitOrder(commit: commit, accounts: accounts, options: options)
    ChunkWorkers(
      source: input, options: options, purpose: purpose, hash: hash, earlier: nil, order: order, progress: nil
    ).run()
    if let failure = input.failure { throw failure }
    // What is read of a batch that was changed may be anything.
    guard try first.again().versions == first.versions else { throw first.sources.changed }
    if let failure = order.firstFailure { throw failure }
    precondition(reading.left.isEmpty, "a payment that was settled is not found again")
    return reading.found
  }

  var keepsClaims: Bool { false }

  func takeRefundables(_ text: borrowing TextBuffer) throws(RunFailure) {
    try found.take(text)
    RefundablePayments.forEachKey(in: text) { left.remove($0) }
    if left.isEmpty { input.endEarly() }
  }

  func takeEnvelope(of stretch: StretchResult, at place: StretchPlace) {}
  func takeSettled(_ text: UnsafePointer<UInt8>, count: Int) {}
  func takeRow(_ row: RowPlace, _ text: UnsafePointer<UInt8>, at place: StretchPlace) {}
  func takeClaim(_ claim: RecordClaim, _ later: LaterClaim?, at place: StretchPlace) {}
  func takeRefund(
    of payment: Fingerprint, _ record: RecordClaim, _ line: UnsafePointer<UInt8>, at place: StretchPlace
  ) {}
  func dropRefundable(_ number: Int) {}
  func finishStretch() {}
}
