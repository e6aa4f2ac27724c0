import BatchRun
import Claims
import Input
import Records
import Rules

/// Looks through a batch for records by their pay keys and by their lines, and explains each of them.
final class PaymentSearch {
  /// A line of one of the batch's files.
  struct Line: Hashable {
    /// The file's name, escaped.
    let file: String
    /// The line's number in it, from 1.
    let number: Int

    var description: String { "\(file):\(number)" }
  }

  /// A pay key that is asked for, and what was met of it.
  private struct Target {
    let earlierRun: Int
    var firstPlace: String?
    /// Where the key stands in a record that nobody can read, and why not: the first such record.
    var unreadable: String?
  }

  private let payKeys: [[UInt8]]
  private var targets: [[UInt8]: Target] = [:]
  private let lines: Set<Line>
  /// The lines that were not met yet. Until all are, every pay key is kept: theirs may repeat one.
  private var linesLeft: Set<Line>
  private var claims = ClaimRegister()
  private let hash = KeyedHash()
  private var assessor: RecordAssessor
  private let ledger: ReadLedger?

  /// The records found.
  private(set) var found = 0
  /// Those of them that are rejected.
  private(set) var rejected = 0
  /// What is to be said of lines that have no payment.
  private var envelopes: [String] = []

  /// - Parameter ledger: tells whether an earlier run settled a key; opened for the batch that is looked through.
  init(
    payKeys: [String], lines: [Line] = [], options: RunOptions, ledger: ReadLedger? = nil
  ) throws(RunFailure) {
    self.payKeys = payKeys.map { Array($0.utf8) }
    self.lines = Set(lines)
    linesLeft = self.lines
    self.ledger = ledger
    for payKey in self.payKeys { targets[payKey] = Target(earlierRun: try ledger?.run(of: payKey) ?? 0) }
    assessor = RecordAssessor(rules: options.rules, listsNotices: true)
  }

  /// Hands out an explanation of each record that is asked for, in batch order, as it is found; then throws where the
  /// batch as a whole cannot be settled, if it is to be checked.
  ///
  /// - Parameters:
  ///   - options: by which it is checked.
  ///   - scratch: a path in the directory where a batch that can be read only once is copied for that.
  func explain(
    _ paths: [String], checkedBy options: RunOptions? = nil, scratch: String = "", plainChunkLength: Int = 1 << 20,
    output: (String) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    try BatchReading.forEachRecord(
      paths, ledger: ledger, checkedBy: options, scratch: scratch, plainChunkLength: plainChunkLength
    ) { record throws(RunFailure) in
      // Few records hold a key's bytes; the others need not be assessed, unless a key may be written in escapes.
      let held = payKeys.first { record.holds($0) }
      guard held != nil || !linesLeft.isEmpty || !payKeys.isEmpty && record.hasEscapes else { return }
      guard let explanation = try explanation(of: record, held: held) else { return }
      try output(explanation)
    }
  }

  /// What of all that was asked for was not found, once the batch has ended.
  var missing: [String] {
    let keys = payKeys.compactMap { payKey in
      guard let target = targets[payKey], target.firstPlace == nil else { return nil as String? }
      return "no payment with the key \(String(decoding: payKey, as: UTF8.self))"
        + (target.unreadable.map { "; \($0)" } ?? "")
    }
    let empty = linesLeft.map { "\($0.description): no record; the line is empty, or the file ends before it" }
    return keys + envelopes + empty.sorted()
  }

  private func explanation(of record: BatchRecord, held: [UInt8]?) throws(RunFailure) -> String? {
    let line = Line(file: record.file, number: record.line)
    let place = line.description
    let isLine = linesLeft.remove(line) != nil
    let isRead = !record.isTooLong
    if !isRead { assessor.assessTooLong() }
    let kind = isRead ? assessor.assess(record.text, count: record.length) : .record
    guard kind == .record else {
      if isLine { envelopes.append("\(place): the \(kind == .header ? "header" : "trailer"), no payment") }
      return nil
    }
    if let held, let reason = assessor.findings.first?.reason, reason.isStructural, targets[held]?.unreadable == nil {
      targets[held]?.unreadable = "\(place) has it in its text, but is rejected whole: \(reason.code)"
    }
    let payKey = Array(UnsafeBufferPointer(start: assessor.payKey.bytes, count: assessor.payKey.count))
    let target = targets[payKey]
    let isRepeated = target?.firstPlace != nil || isRepeatedOnTheWay(payKey, isLine: isLine)
    guard isLine || target != nil else { return nil }
    var earlierRun = target?.earlierRun ?? 0
    if target == nil, !payKey.isEmpty, let ledger { earlierRun = try ledger.run(of: payKey) }
    if isRepeated || earlierRun > 0 { _ = assessor.assessAgain(repeatsKey: isRepeated, earlierRun: earlierRun) }
    let explanation = Explanation(of: &assessor, at: "\(place), byte \(record.offset)", earlier: target?.firstPlace)
    if target != nil, target?.firstPlace == nil { targets[payKey]?.firstPlace = place }
    found += 1
    if assessor.outcome == .rejected { rejected += 1 }
    return (found > 1 ? "\n" : "") + explanation.text
  }

  /// Whether a pay key was met before, as far as lines are looked for.
  private func isRepeatedOnTheWay(_ payKey: [UInt8], isLine: Bool) -> Bool {
    guard !payKey.isEmpty, isLine || !linesLeft.isEmpty else { return false }
    let key = hash.fingerprint(payKey, count: payKey.count).ofPayKey
    return !claims.grants(Claim(.payKey, key, isSettled: false, earlierRun: 0))
  }
}
