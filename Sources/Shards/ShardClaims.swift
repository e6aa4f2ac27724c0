import BatchRun
import Claims
import Failures
import FileSystem
import Rules
import Text

extension ShardWork {
  /// Judges all shards' claims at a level, against the claims before them in batch order and against the ledger. Makes
  /// `verdicts-L`, or nothing if no shard has a claim at the level.
  public func claims(level: Int) throws(Failure) {
    let gathered = try gathered()
    guard gathered.judges(level) else { return }
    try make(Self.verdicts(level)) { step throws(Failure) in
      try ShardClaims(self, gathered, level).write(into: step)
    }
  }
}

/// The claims of a level, and the verdicts on them.
final class ShardClaims {
  static let fileName = "verdicts.csv"
  static let describing = "verdicts.json"
  private let work: ShardWork
  private let gathered: GatheredPlaces
  private let level: Int
  /// Sorts rows of verdicts, each of which begins with its shard's number.
  private let rows: ExternalSorter

  init(_ work: ShardWork, _ gathered: GatheredPlaces, _ level: Int) {
    self.work = work
    self.gathered = gathered
    self.level = level
    rows = ExternalSorter(ofRows: "\(work.path)/spool")
  }

  func write(into step: StepDirectory) throws(Failure) {
    let earlier = try gathered.openEarlier(work)
    defer { earlier?.close() }
    switch level {
    case 0: try judgeKeys(earlier)
    case 1:
      let agreements = try AgreementFiles(step, keepsEntries: work.plan.ledger != nil)
      try judgeRecords(earlier) { judge throws(Failure) in try agreements.append(judge.agreements.reported) }
      agreements.finish()
    default: try judgeRecords(earlier) { _ in }
    }
    if let failure = earlier?.failure { throw failure }
    let file = try step.makeFile(Self.fileName)
    var text = TextBuffer(capacity: 1 << 17)
    try rows.forEach { record throws(Failure) in
      // The shard's number without the zeros before it.
      let start = (0..<ClaimRow.shardDigits - 1).first { record[$0] != UInt8(ascii: "0") } ?? ClaimRow.shardDigits - 1
      text.append(record.extracting(droppingFirst: start))
      text.append("\n")
      try file.writeLong(&text)
    }
    try file.write(text.span)
    step.finish(file, name: Self.fileName)
    try step.write(
      ShardJSON.text(plan: work.plan.digest, StepLevel(gather: gathered.digest, level: level)),
      to: Self.describing)
  }

  /// Merges the rows of a file of each shard's step.
  private func merge(_ file: String, of name: (Int) -> String) throws(Failure) -> Merge<SortedRows> {
    try Merge(
      work.plan.shards.indices.map { number throws(Failure) in
        SortedRows(try work.step(name(number)).open(file, bufferLength: work.rowBufferLength))
      })
  }

  // MARK: Level 0

  /// Finds the keys that several shards claim, that an earlier run used up, or that a refund names.
  private func judgeKeys(_ earlier: SettlementLookup?) throws(Failure) {
    var claims = try merge("claims.csv", of: ShardWork.run)
    var asked = try merge("asked.csv", of: ShardWork.run)
    var shards: [Int] = []
    var key: [UInt8] = []
    while let (source, rows) = claims.next {
      let isSame = rows.withRow { row in
        if shards.isEmpty {
          key.removeAll(keepingCapacity: true)
          key.append(row.key)
        }
        return row.key.isEqual(to: key.span)
      }
      let claimed = SortedRow(key.span)
      if isSame {
        shards.append(source)
        try claims.advance()
        if claims.next != nil { continue }
      }
      while asked.next.map({ $0.source.withRow { $0.compare(claimed) < 0 } }) == true { try asked.advance() }
      let isAsked = asked.next.map { $0.source.withRow { $0.key.isEqual(to: claimed.key) } } ?? false
      let run = earlier?.run(ofAny: Self.fingerprint(key)) ?? 0
      if shards.count > 1 || isAsked || run > 0 {
        shards.sort()
        for (place, shard) in shards.enumerated() where place > 0 || isAsked || run > 0 {
          try append(shard) { text in
            text.append(key)
            text.append(place > 0 ? ",1," : ",0,")
            text.append(number: run)
            text.append(isAsked ? ",1" : ",0")
          }
        }
      }
      shards.removeAll(keepingCapacity: true)
    }
    while asked.next != nil { try asked.advance() }
  }

  static func fingerprint(_ digits: some Collection<UInt8>) -> Fingerprint {
    let text = String(decoding: digits, as: UTF8.self)
    return Fingerprint(
      low: UInt64(text.suffix(16), radix: 16) ?? 0, high: UInt64(text.prefix(16), radix: 16) ?? 0)
  }

  // MARK: Levels 1 and 2

  /// Judges the claims that the previous level passed on: those of each key in batch order, a payment of the batch
  /// before its refunds. Verifies each file's digest before it reads a claim.
  ///
  /// - Parameter finishKey: called with the judge after the claims of each key.
  private func judgeRecords(
    _ earlier: SettlementLookup?, finishKey: (borrowing ClaimJudge) throws(Failure) -> Void
  ) throws(Failure) {
    let before = gathered.level(before: level) ?? 0
    for number in work.plan.shards.indices { try work.step(ShardWork.done(number, before)).verify("claims.csv") }
    var claims = try merge("claims.csv") { ShardWork.done($0, before) }
    var judge = ClaimJudge(earlier: earlier, work.plan.options.rules.schedule)
    var key: [UInt8]?
    while let (source, rows) = claims.next {
      let (read, rowKey) = rows.withRow { row in (ClaimRow(row), [UInt8](row.key)) }
      guard let claim = read else {
        let step = ShardWork.done(source, before)
        throw .inputOutput(
          "\(work.shown("\(step)/claims.csv")): is damaged: a claim's row is malformed; \(work.advice(step))")
      }
      if key != rowKey {
        if key != nil { try finishKey(judge) }
        key = rowKey
        judge.forget()
        if level == 2, claim.isRecord, let earlier {
          try earlier.forEachPayment(of: [Self.fingerprint(rowKey)]) { key, payment throws(Failure) in
            try judge.payments.add(payment, of: key, day: gathered.day, work.plan.options.rules)
          }
        }
      }
      if claim.isRecord {
        try self.judge(claim, &judge)
      } else {
        judge.payments.add(claim.content.span, of: Self.fingerprint(rowKey))
      }
      try claims.advance()
    }
    if key != nil { try finishKey(judge) }
  }

  /// Judges the claim of a record. The verdict on a refund contains the state of its payment, because the refund is
  /// judged again when its shard is finished.
  private func judge(_ claim: ClaimRow, _ judge: inout ClaimJudge) throws(Failure) {
    var reader = ByteReader(claim.content[...], name: work.shown)
    let later = try reader.laterClaim()
    var (refusals, payment): ([ClaimRefusal], (RefundState, bytes: [UInt8])?) = ([], nil)
    if case .refund(let terms) = later.subject {
      payment = (judge.payments.state(of: later.key), judge.payments.bytes(of: later.key))
      if case .refused(let found) = judge.judge(terms, of: later.key) { refusals = found }
    } else {
      refusals = try judge.judge(later)
      if refusals.isEmpty { return }
    }
    try append(claim.shard) { text in
      text.append("\(claim.offset),\(claim.line),")
      text.append(RefusalText.text(refusals))
      if let (state, bytes) = payment { state.append(bytes, to: &text) } else { text.append(",,,") }
    }
  }

  /// Appends a verdict for a shard; `write` appends what follows the shard's number and a comma.
  private func append(_ shard: Int, _ write: (inout TextBuffer) -> Void) throws(Failure) {
    try rows.append { text in
      text.append(ClaimRow.padded(shard, to: ClaimRow.shardDigits))
      text.append(UInt8(ascii: ","))
      write(&text)
    }
  }
}
