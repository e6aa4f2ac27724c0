import BatchRun
import Claims
import Failures
import LedgerRuns
import Rules

/// Searches a batch for records by their keys and lines, and explains each of them.
final class RecordSearch {
  /// A line of one of the batch's files.
  struct Line: Hashable {
    /// The file's name, escaped.
    let file: String
    /// The line's number in it, from 1.
    let number: Int

    var description: String { "\(file):\(number)" }
  }

  /// A key that is asked for.
  private struct Key: Hashable {
    /// Whether it is a refund key rather than a pay key.
    let isRefund: Bool
    let bytes: [UInt8]
  }

  /// What was found for a key that is asked for.
  private struct Target {
    let earlierRun: Int
    var firstPlace: String?
    /// Where a record that cannot be read contains the key, and why it cannot be read: the first such record.
    var unreadable: String?
  }

  /// A record that was found.
  private enum Found {
    case explained(String)
    /// A record that claims an agreement or a settled payment: it depends on what other records did. Its text, as it is
    /// judged, and its place in words.
    case claimed(ClaimTrace.Place, text: [UInt8], String)
  }

  private let keys: [Key]
  private var targets: [Key: Target] = [:]
  /// The lines that were not reached yet. Until all are, every key is kept: a record on such a line may repeat one.
  private var linesLeft: Set<Line>
  private var claims = ClaimRegister()
  private let hash = KeyedHash()
  private var judge: RecordJudge
  private let options: RunOptions
  private let ledger: BatchLedger?
  /// What is shown after the end of the batch: the first record that makes a claim, and all found after it.
  private var waiting: [Found] = []
  private var hasWritten = false

  /// How many of the found records are rejected.
  private(set) var rejected = 0
  /// Messages about lines that have no record.
  private var envelopes: [String] = []

  /// - Parameter ledger: knows whether an earlier run settled a key; opened for the batch that is searched.
  init(
    payKeys: [String], refundKeys: [String] = [], lines: [Line] = [], options: RunOptions, ledger: BatchLedger? = nil
  ) throws(Failure) {
    keys =
      payKeys.map { Key(isRefund: false, bytes: Array($0.utf8)) }
      + refundKeys.map { Key(isRefund: true, bytes: Array($0.utf8)) }
    linesLeft = Set(lines)
    self.options = options
    self.ledger = ledger
    judge = RecordJudge(rules: options.rules, listsNotices: true)
    for key in keys { targets[key] = Target(earlierRun: try earlierRun(of: key)) }
  }

  private func earlierRun(of key: Key) throws(Failure) -> Int {
    key.bytes.isEmpty ? 0 : try ledger?.run(of: key.bytes, isRefund: key.isRefund) ?? 0
  }

  /// Passes on an explanation of each record that is asked for, in batch order. A record that claims an agreement or a
  /// settled payment waits for the end of the batch, which is then settled once more; so do all found after it.
  ///
  /// Throws at the end if the batch as a whole cannot be settled, as far as the search noticed it.
  /// - Parameters:
  ///   - isChecked: whether the batch as a whole is always checked.
  func explain(
    _ paths: [String], isChecked: Bool = false, plainChunkLength: Int = 1 << 20,
    output: (String) throws(Failure) -> Void
  ) throws(Failure) {
    var trace: ClaimTrace?
    var failure: Failure?
    do throws(Failure) {
      try BatchReading.forEachRecord(
        paths, ledger: ledger, checkedBy: options, plainChunkLength: plainChunkLength,
        trace: {
          let places = waiting.compactMap { if case .claimed(let place, _, _) = $0 { place } else { nil } }
          trace = isChecked || !places.isEmpty ? ClaimTrace(places) : nil
          return trace
        }
      ) { record throws(Failure) in
        // Few records contain a key's bytes; the others need not be judged, unless a key may be written with escapes.
        let held = keys.first { record.holds($0.bytes) }
        guard held != nil || !linesLeft.isEmpty || !keys.isEmpty && record.hasEscapes else { return }
        guard let found = try find(record, held: held) else { return }
        if waiting.isEmpty, case .explained(let text) = found { try write(text, output) } else { waiting.append(found) }
      }
    } catch {
      failure = error
    }
    for found in waiting {
      switch found {
      case .explained(let text): try write(text, output)
      case .claimed(let place, let text, let heading):
        guard let claim = trace?.found(at: place) else { continue }
        try write(explanation(text, at: heading, claim), output)
      }
    }
    if let failure { throw failure }
  }

  private func write(_ text: String, _ output: (String) throws(Failure) -> Void) throws(Failure) {
    try output((hasWritten ? "\n" : "") + text)
    hasWritten = true
  }

  /// What was asked for and not found, once the batch has ended.
  var missing: [String] {
    let keys = keys.compactMap { key in
      guard let target = targets[key], target.firstPlace == nil else { return nil as String? }
      return "no \(key.isRefund ? "refund" : "payment") with the key \(String(decoding: key.bytes, as: UTF8.self))"
        + (target.unreadable.map { "; \($0)" } ?? "")
    }
    let empty = linesLeft.map { "\($0.description): no record; the line is empty, or the file ends before it" }
    return keys + envelopes + empty.sorted()
  }

  private func find(_ record: BatchRecord, held: Key?) throws(Failure) -> Found? {
    let line = Line(file: record.file, number: record.line)
    let place = line.description
    let isLine = linesLeft.remove(line) != nil
    let isRead = !record.isTooLong
    if !isRead { judge.judgeTooLong() }
    let kind = isRead ? judge.judge(record.text) : .record
    guard kind == .record else {
      if isLine { envelopes.append("\(place): the \(kind == .header ? "header" : "trailer"), not a payment") }
      return nil
    }
    let findings = judge.judgement.findings
    if let held, let reason = findings.first?.reason, reason.isStructural, targets[held]?.unreadable == nil {
      targets[held]?.unreadable = "\(place) contains the key, but the record is unreadable: \(reason.code)"
    }
    let key = recordKey
    let target = targets[key]
    let isRepeated = target?.firstPlace != nil || isRepeatedOnTheWay(key, isLine: isLine)
    guard isLine || target != nil else { return nil }
    let earlierRun = if let target { target.earlierRun } else { try self.earlierRun(of: key) }
    if !key.bytes.isEmpty {
      judge.refuse(.ofKey(isRefund: key.isRefund, isRepeated: isRepeated, earlierRun: earlierRun))
    }
    if target != nil, target?.firstPlace == nil { targets[key]?.firstPlace = place }
    let heading = "\(place), byte \(record.offset)"
    let namesAgreement = judge.judgement.preapprovalKey.count > 0
    let mayClaim = judge.judgement.recordType != .payment || namesAgreement
    if judge.judgement.findings.isEmpty, mayClaim {
      let text = [UInt8](record.text)
      return .claimed(
        ClaimTrace.Place(file: record.fileNumber, line: record.line), text: text, heading)
    }
    if judge.judgement.outcome == .rejected { rejected += 1 }
    return .explained(Explanation(of: &judge, at: heading, earlier: target?.firstPlace).text)
  }

  /// The key that no other record of its type may have; empty if it has no key.
  private var recordKey: Key {
    let isRefund = judge.judgement.recordType == .refund
    return Key(isRefund: isRefund, bytes: Self.key(of: judge.judgement, isRefund: isRefund))
  }

  private static func key(of judgement: borrowing Judgement, isRefund: Bool) -> [UInt8] {
    isRefund ? Array(judgement.refundKey) : Array(judgement.payKey)
  }

  /// Explains a record by the state that its claim found.
  private func explanation(
    _ text: [UInt8], at heading: String, _ claim: (met: ClaimTrace.Met, refusals: [ClaimRefusal])
  ) -> String {
    _ = judge.judge(text.span)
    judge.refuse(claim.refusals)
    if !claim.refusals.isEmpty { rejected += 1 }
    return Explanation(of: &judge, at: heading, earlier: nil, claim.met).text
  }

  /// Whether a key occurred before, as far as lines are searched for.
  private func isRepeatedOnTheWay(_ key: Key, isLine: Bool) -> Bool {
    guard !key.bytes.isEmpty, isLine || !linesLeft.isEmpty else { return false }
    let plain = hash.fingerprint(key.bytes.span)
    let claim =
      key.isRefund
      ? Claim(.refundKey, plain.ofRefundKey, isSettled: false, earlierRun: 0)
      : Claim(.payKey, plain.ofPayKey, isSettled: false, earlierRun: 0)
    return !claims.grants(claim)
  }
}
