import BatchRun
import Bytes
import Claims
import Failures
import Glibc
import Postings
import Publication
import Documents
import Text

extension ShardWork {
  /// Settles the lines of one shard by itself and makes `run-N`.
  ///
  /// - Parameters:
  ///   - path: `-` for standard input, which has the file's stored bytes from the shard's first on; nil for the file.
  ///   - threads: the number of worker threads. The result is the same.
  public func run(_ number: Int, input path: String?, threads: Int) throws(Failure) {
    let shard = try shard(number)
    try make(Self.run(number)) { step throws(Failure) in
      try ShardRun(self, shard, number, input: path, threads: threads).settle(into: step)
    }
  }
}

/// Settles a shard's lines, separately from all others.
private struct ShardRun {
  private let work: ShardWork
  private let number: Int
  private let input: ShardInput
  private let shard: PlannedShard
  private let options: RunOptions

  init(_ work: ShardWork, _ shard: PlannedShard, _ number: Int, input path: String?, threads: Int) throws(Failure) {
    self.work = work
    self.number = number
    self.shard = shard
    let file = work.plan.files[shard.file]
    input = try ShardInput(shard, of: file, path: path)
    var options = work.plan.options
    options.threads = threads
    // This limit is for the whole batch.
    options.mostRejected = nil
    options.scratch = "\(work.path)/spool"
    self.options = options
  }

  func settle(into step: StepDirectory) throws(Failure) {
    let accounts = AccountTotals()
    let files = try ShardFiles(step, input: input, showsNames: options.showsNames)
    let commit = OrderedCommit(
      to: files, fileNames: [Array(work.plan.files[shard.file].name.utf8)], purpose: .settlement, options: options,
      hash: work.plan.hash, accounts: accounts, earlier: nil,
      spanning: SpanningLines(line: shard.isFirst ? 0 : 1, isFileStart: shard.isFirst))
    let order = CommitOrder(commit: commit, accounts: accounts, options: options)
    ChunkWorkers(
      source: input, options: options, purpose: .settlement, hash: work.plan.hash, earlier: nil, order: order,
      progress: nil
    ).run()
    var corruption = input.headCorruption.map { (offset: input.headBytes, fault: $0) }
    if let failure = input.failure { throw failure }
    if let failure = order.firstFailure {
      guard let found = commit.corruption else { throw failure }
      corruption = (found.offset + input.headBytes, found.fault)
    }
    try files.finish(
      keys: commit.merge.judge.removePayKeys(), accounts: accounts, shard: number, threads: options.threads)
    let lineFeeds = input.hasLines ? commit.line - (input.readsTailFeed ? 1 : 0) : 0
    let outcome = RunOutcome(
      shard: number, lineFeeds: lineFeeds, textBytes: input.textBytes,
      stored: StoredRange(
        from: shard.start, to: shard.end, end: input.end, xxh3: corruption == nil ? input.rangeDigest : nil),
      beginning: shard.isFirst ? commit.beginning.bytes : [], firstLine: commit.beginning.firstLine,
      firstRecord: files.firstRecord, frames: files.envelope,
      corrupt: corruption.map {
        FileFault(offset: $0.offset, stored: Int($0.fault.storedOffset), reason: $0.fault.reason)
      }, lacksTail: input.lacksTail, totals: commit.totals, showsNames: options.showsNames, claims: files.claimCounts,
      accounts: accounts.count,
      tables: step.tables, chunks: shard.place.isPlain ? [] : input.chunks)
    try step.write(ShardJSON.text(plan: work.plan.digest, outcome), to: "outcome.json")
  }
}

/// Writes the results of a shard's lines: the files of `run-N`.
private final class ShardFiles: StretchSink {
  private let step: StepDirectory
  private let input: ShardInput
  private let settled: ReportFile
  private let exceptions: ReportFile
  private let feesFile: ReportFile?
  private let privateFile: ReportFile
  private var entries: ClaimEntryWriter
  private let refundables: ReportFile
  private let refundLines: ReportFile
  private var rowText = TextBuffer(capacity: 1 << 17)
  /// The header and trailer lines, in order.
  private(set) var envelope: [EnvelopeLine] = []
  private var recordCount = 0
  private(set) var firstRecord: Int?
  private var asked: Set<Fingerprint> = []
  /// The number of claims at each level; at the first level, one for each key.
  private(set) var claimCounts = [0, 0, 0]

  init(_ step: StepDirectory, input: ShardInput, showsNames: Bool) throws(Failure) {
    self.step = step
    self.input = input
    settled = try step.makeFile(ReportKind.settlement.fileName)
    exceptions = try step.makeFile(ReportKind.exceptions.fileName)
    feesFile = showsNames ? try step.makeFile(ReportKind.fees.fileName) : nil
    privateFile = try step.makeFile("private")
    entries = ClaimEntryWriter(privateFile, hasFees: showsNames)
    refundables = try step.makeFile("refundables")
    refundLines = try step.makeFile(ShardWork.refundLines)
  }

  func finish(
    keys: consuming ClaimedKeys, accounts: AccountTotals, shard: Int, threads: Int
  ) throws(Failure) {
    try entries.finish()
    try rowText.withSpan { text throws(Failure) in try exceptions.write(text) }
    step.finish(settled, name: ReportKind.settlement.fileName)
    step.finish(exceptions, name: ReportKind.exceptions.fileName)
    if let feesFile { step.finish(feesFile, name: ReportKind.fees.fileName) }
    step.finish(privateFile, name: "private")
    step.finish(refundables, name: "refundables")
    step.finish(refundLines, name: ShardWork.refundLines)
    let claims = try step.makeFile("claims.csv")
    var text = TextBuffer(capacity: 1 << 17)
    keys.sortAll(threads: threads)
    for part in 0..<Fingerprint.shardCount {
      let keys = keys.settled(shard: part)
      for place in keys.indices {
        let key = keys[place]
        text.append(key: key)
        text.append(UInt8(ascii: ","))
        text.append(number: shard)
        text.append(key.high & Fingerprint.mark != 0 ? ",1\n" : ",0\n")
        claimCounts[0] += 1
        try claims.writeLong(&text)
      }
    }
    try claims.write(text.span)
    step.finish(claims, name: "claims.csv")
    text.removeAll()
    for key in asked.sorted() {
      text.append(key: key)
      text.append("\n")
    }
    try step.write(text.span, to: "asked.csv")
    let accountFile = try step.makeFile("accounts.csv")
    try accounts.write(threads: threads, append: ReceiversReport.append) { rows throws(Failure) in
      try accountFile.write(rows)
    }
    step.finish(accountFile, name: "accounts.csv")
  }

  var keepsClaims: Bool { true }

  var settlement: (any ReportWriter)? { settled }

  var refundData: any ReportWriter { refundables }

  var fees: (any ReportWriter)? { feesFile }

  func readEnvelope(of stretch: borrowing StretchResult, at place: StretchPlace) {
    if let first = stretch.firstRecord { note(record: place.line + first) }
    for line in stretch.envelope {
      var line = line
      line.number += place.line
      line.recordsBefore += recordCount
      if let behind = line.recordBehind { line.recordBehind = place.line + behind }
      envelope.append(line)
    }
    recordCount += stretch.recordCount
  }

  private func note(record line: Int) {
    if envelope.isEmpty {
      if firstRecord == nil { firstRecord = line }
    } else if envelope[envelope.count - 1].recordBehind == nil {
      envelope[envelope.count - 1].recordBehind = line
    }
  }

  func appendRow(_ row: RowPlace, _ text: Span<UInt8>, at place: StretchPlace) throws(Failure) {
    rowText.append(number: place.line + row.number)
    rowText.append(UInt8(ascii: ","))
    rowText.append(number: input.headBytes + place.offset + row.line)
    rowText.append(UInt8(ascii: ","))
    rowText.append(text)
    try exceptions.writeLong(&rowText)
  }

  func addClaim(
    _ record: RecordClaim, fees: Int, _ later: LaterClaim?, refund: Span<UInt8>?, at place: StretchPlace
  ) throws(Failure) {
    try entries.append(
      ClaimEntry(
        space: record.claim.space, key: record.claim.key, isSettled: record.claim.isSettled,
        isRefused: record.isRefused, hasRefundable: record.claim.isSettled,
        line: input.headBytes + place.offset + Int(record.line), length: Int(record.length),
        number: place.line + Int(record.number), settled: record.settled.count, fees: fees,
        later: later))
    guard let later else { return }
    claimCounts[later.level] += 1
    guard let refund else { return }
    asked.insert(later.key)
    try refundLines.write(refund)
  }

  func holdRefund(
    of payment: Fingerprint, _ record: RecordClaim, _ line: Span<UInt8>, at place: StretchPlace
  ) { preconditionFailure("the claims of a shard are not judged") }

  func finishStretch() {}
}

extension TextBuffer {
  /// Appends a fingerprint of a key as 32 hexadecimal digits, which sort like fingerprints.
  mutating func append(key: Fingerprint) {
    append(atMost: 32) { room in
      Hexadecimal.append(key.high & ~Fingerprint.mark, to: &room)
      Hexadecimal.append(key.low, to: &room)
    }
  }
}
