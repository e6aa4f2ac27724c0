import BatchRun
import Claims
import ExactArithmetic
import Failures
import FileSystem
import Postings
import Documents
import Rules
import Text

extension ShardWork {
  /// Judges again those records of a shard whose claims at a level are refused, and replaces their results. Makes
  /// `done-N-L`.
  ///
  /// - Parameters:
  ///   - source: where the lines of these records come from, except those of refunds.
  ///   - threads: the number of threads. The result is the same.
  public func finish(_ number: Int, level: Int, from source: ShardSource, threads: Int = 1) throws(Failure) {
    let shard = try shard(number)
    let name = Self.done(number, level)
    if stands(name) { return try expectWhole(name) }
    let gathered = try gathered()
    guard level == 2 || gathered.judges(level) else { return }
    let before = gathered.level(before: level).map { Self.done(number, $0) }
    let verdicts = gathered.judges(level) ? [Self.verdicts(level)] : []
    try make(name) { step throws(Failure) in
      try reading([Self.gather, Self.run(number)] + verdicts + (before.map { [$0] } ?? [])) { () throws(Failure) in
        try ShardFinish(self, gathered, shard, number, level, from: source, threads: threads).write(into: step)
      }
    }
  }
}

/// A shard after the claims at a level are judged. Its files are those of the previous level, with new rows for the
/// records that are judged again.
final class ShardFinish {
  private struct KeyVerdict {
    let isLost: Bool
    let earlierRun: Int
    let isAsked: Bool
  }

  /// The verdict on a claim of a later level.
  private enum Verdict {
    case refused([ClaimRefusal])
    /// The state in which a refund finds its payment.
    case refund(RefundState)
  }

  private let work: ShardWork
  private let gathered: GatheredPlaces
  private let number: Int
  private let level: Int
  private let threads: Int
  private let place: StretchPlace
  private let before: FinishedStep
  private let tablesBefore: TableSizes
  private let run: FinishedStep
  private let records: ShardRecords?
  /// The line of the refund whose claim was read last.
  private var refundLine = TextBuffer(capacity: 1 << 12)
  /// Another line that is judged again.
  private var line = TextBuffer(capacity: 1 << 12)
  private var settler: RecordSettler
  private let options: RunOptions
  private var keys: [Fingerprint: KeyVerdict] = [:]
  private var verdicts: [Int: Verdict] = [:]
  /// The changes that the level makes.
  private var totals = ControlTotals()
  private let removed = AccountTotals()
  private var made: MadeRefunds
  private let claims: ExternalSorter
  private var claimCount = 0
  private var stretch: StretchResult

  init(
    _ work: ShardWork, _ gathered: GatheredPlaces, _ shard: PlannedShard, _ number: Int, _ level: Int,
    from source: ShardSource, threads: Int
  ) throws(Failure) {
    self.threads = threads
    self.work = work
    self.gathered = gathered
    self.number = number
    self.level = level
    place = gathered.places[number]
    let earlier = gathered.level(before: level)
    before = try work.step(earlier.map { ShardWork.done(number, $0) } ?? ShardWork.run(number))
    options = work.plan.options
    settler = RecordSettler(options: options, hash: work.plan.hash)
    made = MadeRefunds(.settlement, keepsEntries: work.plan.ledger != nil, showsNames: options.showsNames)
    claims = ExternalSorter(ofRows: "\(work.path)/spool")
    stretch = StretchResult(accounts: AccountTotals())
    run = try work.step(ShardWork.run(number))
    let outcome = try run.json("outcome.json").object(RunOutcome.self)
    if let earlier {
      let json = try before.json("outcome.json")
      try gathered.expect(json, level: earlier)
      tablesBefore = try json.object(FinishOutcome.self).tables
    } else {
      tablesBefore = outcome.tables
    }
    records = shard.end == 0 ? nil : try ShardRecords(shard, of: work.plan.files, source, outcome.chunks)
    if gathered.judges(level) { try readVerdicts() }
  }

  // MARK: Verdicts

  private func readVerdicts() throws(Failure) {
    let step = try work.step(ShardWork.verdicts(level))
    try gathered.expect(step.json(ShardClaims.describing))
    let reader = try step.open(ShardClaims.fileName)
    let own = Array("\(number)".utf8)
    while let line = try reader.line() {
      let row = SortedRow(line)
      guard row.key.isEqual(to: own.span) else { continue }
      let fields = row.fields
      func text(_ place: Int) -> String { String(decoding: fields[place], as: UTF8.self) }
      guard fields.count == (level == 0 ? 5 : 7), let number = Int(text(level == 0 ? 3 : 1)) else {
        throw reader.damage("a verdict's row is malformed")
      }
      switch level {
      case 0:
        keys[ShardClaims.fingerprint(fields[1])] = KeyVerdict(
          isLost: text(2) == "1", earlierRun: number, isAsked: text(4) == "1")
      case 1:
        // The record is a payment or an agreement; its claim says which, when it is read.
        guard let refusals = RefusalText.refusals(text(3), of: .payment) else {
          throw reader.damage("a verdict's row is malformed")
        }
        verdicts[number] = .refused(refusals)
      default:
        guard let state = RefundState(fields[4...]) else { throw reader.damage("a verdict's row is malformed") }
        verdicts[number] = .refund(state)
      }
    }
  }

  // MARK: Files

  func write(into step: StepDirectory) throws(Failure) {
    let next = gathered.level(after: level)
    let passesClaims = next.map { gathered.claims[$0] > 0 } ?? false
    let changes = !keys.isEmpty || !verdicts.isEmpty
    let isFirst = gathered.level(before: level) == nil
    if !changes { try step.takeOver(ReportKind.settlement.fileName, of: before, tablesBefore) }
    if !changes { try step.takeOver("private", of: before, tablesBefore) }
    if !changes, options.showsNames { try step.takeOver(ReportKind.fees.fileName, of: before, tablesBefore) }
    if changes || passesClaims || isFirst {
      try amend(into: step, changes: changes, passesClaims: passesClaims, isFirst: isFirst)
    } else {
      try step.takeOver(ReportKind.exceptions.fileName, of: before, tablesBefore)
    }
    let claimFile = try step.makeFile("claims.csv")
    var text = TextBuffer(capacity: 1 << 17)
    try claims.forEach { row throws(Failure) in
      text.append(row)
      text.append("\n")
      try claimFile.writeLong(&text)
    }
    try claimFile.write(text.span)
    step.finish(claimFile, name: "claims.csv")
    try writeAccounts(into: step)
    if level == 2 { try made.write(into: step) }
    let outcome = FinishOutcome(
      level: StepLevel(gather: gathered.digest, level: level), shard: number, claims: claimCount, tables: step.tables,
      totals: totals, showsNames: options.showsNames)
    try step.write(ShardJSON.text(plan: work.plan.digest, outcome), to: "outcome.json")
  }

  private func writeAccounts(into step: StepDirectory) throws(Failure) {
    var text = TextBuffer(capacity: 1 << 12)
    removed.visit(threads: 1) { balance in
      let zero = ExactDecimal.zero(at: balance.sums.gross.exponent)
      let sums = AccountSums(
        payments: -balance.sums.payments, gross: zero - balance.sums.gross, passedOn: zero - balance.sums.passedOn,
        fee: zero - balance.sums.fee)
      ReceiversReport.append(
        AccountBalance(side: .receiver, account: balance.account, currency: balance.currency, sums: sums), to: &text)
    }
    made.post()
    made.accounts.visit(threads: 1) { balance in
      guard balance.side == .receiver else { return }
      let zero = ExactDecimal.zero(at: balance.sums.gross.exponent)
      let none = AccountSums(payments: 0, gross: zero, passedOn: zero, fee: zero)
      _ = ReceiversReport.append(
        AccountBalance(side: .receiver, account: balance.account, currency: balance.currency, sums: none),
        refunds: balance.sums, to: &text)
    }
    try step.write(text.span, to: "accounts.csv")
  }

  private func amend(
    into step: StepDirectory, changes: Bool, passesClaims: Bool, isFirst: Bool
  ) throws(Failure) {
    let settlement = try ReportCopy(
      before.open(ReportKind.settlement.fileName, bufferLength: 1 << 17, isHashedApart: threads > 2),
      to: changes ? try step.makeFile(ReportKind.settlement.fileName, isHashedApart: threads > 3) : nil,
      isApart: threads > 1)
    defer { settlement.close() }
    let fees =
      options.showsNames && changes
      ? ReportCopy(
        try before.open(ReportKind.fees.fileName, bufferLength: 1 << 17),
        to: try step.makeFile(ReportKind.fees.fileName), isApart: false) : nil
    let rows = RowCopy(
      try before.open(ReportKind.exceptions.fileName), to: try step.makeFile(ReportKind.exceptions.fileName),
      file: work.plan.fileFields[place.file], place: place, areAbsolute: !isFirst)
    if changes || passesClaims {
      let privateFile = changes ? try step.makeFile("private") : nil
      var entries = ClaimEntryReader(
        try before.open("private", bufferLength: 1 << 17), hasFees: options.showsNames)
      var writer = privateFile.map { ClaimEntryWriter($0, hasFees: options.showsNames) }
      let refundLines = changes ? try run.open(ShardWork.refundLines) : nil
      let refundables = passesClaims && gathered.level(after: level) == 2 ? try run.open("refundables") : nil
      while var entry = try entries.next() {
        let (given, givenFees) = (entry.settled, entry.fees)
        if let refundLines, entry.later?.level == 2 {
          refundLine.removeAll(keeping: 1 << 21)
          try refundLines.passOn(entry.length) { refundLine.append($0) }
        }
        if changes, try judge(&entry, rows) {
          settlement.skip(given)
          fees?.skip(givenFees)
        } else {
          settlement.copy(given)
          fees?.copy(givenFees)
        }
        if passesClaims { try passClaims(of: entry, refundables) }
        try writer?.append(entry)
      }
      settlement.end()
      for reader in [refundLines, refundables] { try reader?.expectEnd() }
      try writer?.finish()
      if let privateFile { step.finish(privateFile, name: "private") }
    }
    let exceptions = try rows.finish()
    if let file = try settlement.finish() { step.finish(file, name: ReportKind.settlement.fileName) }
    if let file = try fees?.finish() { step.finish(file, name: ReportKind.fees.fileName) }
    step.finish(exceptions, name: ReportKind.exceptions.fileName)
  }

  // MARK: Records

  /// Judges a record again if a verdict requires it. Returns whether its earlier results are removed.
  private func judge(_ entry: inout ClaimEntry, _ rows: RowCopy) throws(Failure) -> Bool {
    if level == 0 {
      guard entry.space != .preapprovalKey, let verdict = keys[entry.key] else { return false }
      if verdict.isAsked, entry.isSettled { entry.isAsked = true }
      let loses = verdict.isLost && !entry.isRefused
      guard loses || verdict.earlierRun > 0 else { return false }
      try amend(
        &entry, rows,
        .ofKey(isRefund: entry.space == .refundKey, isRepeated: loses, earlierRun: verdict.earlierRun))
      entry.isRefused = true
      return true
    }
    guard let verdict = verdicts[entry.line] else { return false }
    switch verdict {
    case .refused(let refusals):
      guard let later = entry.later else { return false }
      var own = refusals
      if case .agreement = later.subject {
        own = refusals.map { ClaimRefusal($0.reason, of: .preapproval, figures: $0.figures) }
      }
      try amend(&entry, rows, own)
      return true
    case .refund(var state):
      try judge(entry)
      guard let terms = settler.judge.judgement.refundTerms, let payment = entry.later?.key else { return false }
      switch state.judge(terms, options.rules.schedule) {
      case .refused(let refusals):
        try amend(&entry, rows, refusals)
        return true
      case .made(let refund, let run):
        totals.count(refund, showsNames: made.showsNames)
        made.append(refund, of: payment, run: run, settler.judge.judgement)
        return false
      }
    }
  }

  /// Judges the record of a claim, so that the judge holds its judgement.
  private func judge(_ entry: ClaimEntry) throws(Failure) {
    if entry.later?.level == 2 {
      return refundLine.withSpan { _ = settler.judge.judge($0) }
    }
    guard let records else { throw .inputOutput("\(work.shown): an empty file has a claim") }
    try records.read(&line, at: entry.line, length: entry.length)
    line.withSpan { _ = settler.judge.judge($0) }
  }

  /// Takes a record's earlier results out of the sums, and replaces its rows.
  private func amend(_ entry: inout ClaimEntry, _ rows: RowCopy, _ refusals: [ClaimRefusal]) throws(Failure) {
    try judge(entry)
    let known = [ClaimRefusal].ofKey(isRefund: entry.space == .refundKey, isRepeated: entry.isRefused)
    settler.refuse(refusals, known: known, in: &totals, removed, .adding)
    try rows.replace(at: entry.line)
    stretch.clear()
    settler.appendRows(line: entry.line, number: entry.number, to: &stretch) { _ in }
    try rows.append(stretch)
    entry.isSettled = false
    entry.settled = 0
    entry.fees = 0
  }

  /// Passes on what the next level judges of a record.
  private func passClaims(of entry: ClaimEntry, _ refundables: StepReader?) throws(Failure) {
    let next = gathered.level(after: level)
    if let later = entry.later, !entry.isRefused, later.level == next, verdicts[entry.line] == nil {
      claimCount += 1
      try claims.append { ClaimRow.append(later, number, entry, to: &$0) }
    }
    guard let refundables, entry.hasRefundable else { return }
    let isRead = try RefundablePayments.next(of: refundables) { _, payment throws(Failure) in
      guard entry.isAsked, entry.isSettled else { return }
      try claims.append { ClaimRow.append(payment: [UInt8](payment), number, entry, to: &$0) }
    }
    if !isRead { throw refundables.damage("it ends too early") }
  }
}
