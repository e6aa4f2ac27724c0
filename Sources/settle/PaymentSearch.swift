import BatchRun
import Rules

/// Looks through a batch for the payments with one pay key and explains each of them.
final class PaymentSearch {
  private let payKey: [UInt8]
  private var assessor: RecordAssessor
  private let ledger: ReadLedger?
  private let earlierRun: Int
  private var firstPlace: String?

  /// The payments found.
  private(set) var found = 0
  /// Those of them that are rejected.
  private(set) var rejected = 0
  /// Where the key stands in a record that nobody can read, and why not: the first such record.
  private(set) var unreadable: String?

  /// - Parameter ledger: tells whether an earlier run settled the key; opened for the batch that is looked through.
  init(payKey: String, options: RunOptions, ledger: ReadLedger? = nil) throws(RunFailure) {
    self.payKey = Array(payKey.utf8)
    self.ledger = ledger
    earlierRun = try ledger?.run(of: self.payKey) ?? 0
    assessor = RecordAssessor(
      schedule: options.schedule, profiles: options.profiles, strictItems: options.strictItems,
      rejectsUnknownFields: options.rejectsUnknownFields, listsNotices: true)
  }

  /// Hands out an explanation of each payment with the key, in batch order, as it is found.
  func explain(
    _ paths: [String], plainChunkLength: Int = 1 << 20, output: (String) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    try BatchReading.forEachRecord(paths, ledger: ledger, plainChunkLength: plainChunkLength) {
      record throws(RunFailure) in
      // Few records hold the key's bytes; the others need not be assessed, unless the key may be written in escapes.
      let holdsKey = record.holds(payKey)
      guard holdsKey || record.hasEscapes else { return }
      guard let explanation = explanation(of: record, holdsKey: holdsKey) else { return }
      try output(explanation)
    }
  }

  private func explanation(of record: BatchRecord, holdsKey: Bool) -> String? {
    let kind = assessor.assess(record.text, count: record.length, repeatsPayKey: found > 0)
    guard kind == .record else { return nil }
    let place = "\(record.file):\(record.line)"
    if holdsKey, unreadable == nil, let reason = assessor.findings.first?.reason, reason.isStructural {
      unreadable = "\(place) has it in its text, but is rejected whole: \(reason.code)"
    }
    guard UnsafeBufferPointer(start: assessor.payKey.bytes, count: assessor.payKey.count).elementsEqual(payKey)
    else { return nil }
    if earlierRun > 0 { _ = assessor.assessAgain(repeatsPayKey: found > 0, earlierRun: earlierRun) }
    let explanation = Explanation(of: &assessor, at: "\(place), byte \(record.offset)", earlier: firstPlace)
    if firstPlace == nil { firstPlace = place }
    found += 1
    if assessor.outcome == .rejected { rejected += 1 }
    return (found > 1 ? "\n" : "") + explanation.text
  }
}
