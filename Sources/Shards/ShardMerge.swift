import BatchRun
import Digests
import Failures
import FileSystem
import Ledger
import Publication
import Documents
import Rules

/// The reports of a batch whose shards are all finished.
struct ShardMerge {
  let work: ShardWork
  let gathered: GatheredPlaces
  let shards: GatheredShards
  private let totals: ControlTotals
  /// The bytes and rows of the report parts in each shard's last step.
  private var tables: [TableSizes] = []
  /// The accounts' sums that another program computed from the shards' rows, or nil.
  private let sums: FinishedStep?
  /// Where another program publishes the report parts, which it copies from the steps; nil if they are written here.
  private let remote: RemotePublication?
  private var isElsewhere: Bool { remote != nil }

  let threads: Int

  /// Checks that every step is there, and that the books balance.
  init(_ work: ShardWork, threads: Int, at remote: RemotePublication? = nil) throws(Failure) {
    self.work = work
    self.threads = threads
    self.remote = remote
    gathered = try work.gathered()
    shards = try GatheredShards(work)
    var totals = shards.totals
    for level in gathered.levels {
      for number in work.plan.shards.indices {
        let json = try work.step(ShardWork.done(number, level)).json("outcome.json")
        try gathered.expect(json)
        let outcome = try json.object(FinishOutcome.self)
        guard outcome.shard == number, outcome.level.level == level else {
          throw json.damage("it belongs to another shard")
        }
        totals.merge(outcome.totals)
        if level == 2 { tables.append(outcome.tables) }
      }
    }
    self.totals = totals
    sums = remote != nil || work.stands(ShardWork.accounts) ? try work.step(ShardWork.accounts) : nil
    if let sums { try gathered.expect(sums.json("accounts.json")) }
    if let error = work.plan.options.mostRejected?.error(totals) { throw .batch(error) }
    let names = work.plan.options.showsNames ? totals.namesImbalance : nil
    if let imbalance = totals.imbalance ?? names {
      throw .inputOutput("\(work.shown): the books do not balance: \(imbalance)")
    }
  }

  /// The names of all steps; those of a shard are together.
  private var steps: [[String]] {
    var others = work.plan.files.indices.map(ShardWork.hash) + [ShardWork.gather]
    others += gathered.levels.filter(gathered.judges).map(ShardWork.verdicts)
    if sums != nil { others.append(ShardWork.accounts) }
    return work.plan.shards.indices.map { number in
      gathered.levels.map { ShardWork.done(number, $0) } + [ShardWork.run(number)]
    } + others.map { [$0] }
  }

  private func result(accounts: Int) -> RunResult {
    RunResult(
      totals: totals, batchID: shards.envelope.batchID, controlTotals: shards.controlTotals,
      controlMismatch: shards.mismatch, files: shards.files, accounts: accounts, textBytes: shards.textBytes,
      textDigests: shards.textDigests, rules: work.plan.options.rules.reported,
      headerPlace: shards.envelope.headerPlace, createdAt: shards.envelope.createdAt,
      showsNames: work.plan.options.showsNames)
  }

  /// The result of the batch, if an output already has exactly the reports that would be made now.
  func published(at output: String, _ layout: ReportLayout) throws(Failure) -> RunResult? {
    let place = try OutputPlace(path: output)
    guard try place.status(place.name) != nil, let directory = try? place.parent.directory(place.name)
    else { return nil }
    let digests = DigestedReports()
    let result = try write(to: digests, layout)
    return SummedFiles(in: directory, sums: DigestList.text(digests.digests)).verify() ? result : nil
  }

  /// Writes all reports, and compares every file with its digest; throws if one is damaged.
  ///
  /// - Parameter balances: takes the batch's sums for each account; nil if they are not kept.
  func write(
    to destination: some DividedDestination, _ layout: ReportLayout, balances: AccountEntries? = nil
  ) throws(Failure) -> RunResult {
    if work.isChecked { return try writeReports(to: destination, layout, balances) }
    let checks = StepChecks(work, steps, threads: threads)
    let result = Result { () throws(Failure) in try writeReports(to: destination, layout, balances) }
    try checks.finish()
    return try result.get()
  }

  private func writeReports(
    to destination: some DividedDestination, _ layout: ReportLayout, _ balances: AccountEntries?
  ) throws(Failure) -> RunResult {
    let tables = TableWriter(destination, layout, namesAllParts: remote?.accountParts != nil)
    func concatenate(_ kind: ReportKind, _ steps: [String], _ files: [String]) throws(Failure) {
      try tables.begin(kind)
      for (place, file) in files.enumerated() {
        for (number, name) in steps.enumerated() {
          let step = try work.step(name)
          tables.beginPart(place * steps.count + number, digest: isElsewhere ? try step.digest(of: file) : nil)
          if isElsewhere, kind != .preapprovals {
            guard let size = self.tables[number].sizes[file] else {
              throw .inputOutput(
                "\(work.shown("\(name)/outcome.json")): is damaged: it has no size of \(file); \(work.advice(name))")
            }
            tables.count(bytes: size.bytes, rows: size.rows)
          } else {
            let reader = try step.open(file, bufferLength: 1 << 18, isChecked: work.isChecked)
            while let piece = try reader.piece() { try tables.write(piece) }
          }
          try tables.endPart()
        }
      }
      try tables.end()
    }
    let done = work.plan.shards.indices.map { ShardWork.done($0, 2) }
    try concatenate(.settlement, done, ShardWork.settlements)
    if work.plan.options.showsNames { try concatenate(.fees, done, ShardWork.fees) }
    for kind in [ReportKind.exceptions, .refunds] { try concatenate(kind, done, [kind.fileName]) }
    let agreements = gathered.claims[1] > 0 ? [ShardWork.verdicts(1)] : []
    try concatenate(.preapprovals, agreements, [ReportKind.preapprovals.fileName])
    try tables.begin(.receivers)
    let result = result(accounts: try writeReceivers(to: tables, balances))
    try tables.end()
    try destination.writeTotals(of: result)
    try tables.finish(remote?.claim(of: work.plan))
    return result
  }

  /// Writes the rows of accounts: one part for each file of sums, if there are sums, or one part from the rows of all
  /// shards. Returns how many accounts and currencies have a payment.
  private func writeReceivers(
    to tables: TableWriter<some DividedDestination>, _ balances: AccountEntries?
  ) throws(Failure) -> Int {
    func write(_ sum: borrowing AccountRowSum) throws(Failure) {
      try tables.write(sum.text.span)
      if let balances { try sum.payouts.enter(in: balances) }
    }
    func open(_ file: String, of step: FinishedStep) throws(Failure) -> StepReader {
      try step.open(file, bufferLength: work.rowBufferLength, isChecked: work.isChecked)
    }
    func part(_ number: Int, digest: String? = nil, _ files: [StepReader]) throws(Failure) -> Int {
      var rows = try Merge(files.map { SortedRows($0) })
      var sum = AccountRowSum(keepsPayouts: balances != nil)
      tables.beginPart(number, digest: digest)
      while let (_, next) = rows.next {
        guard next.withRow({ sum.add($0) }) else { throw .inputOutput("\(work.shown): malformed account row") }
        if sum.hasText { try write(sum) }
        sum.clearText()
        try rows.advance()
      }
      sum.finish()
      try write(sum)
      try tables.endPart()
      return sum.paid
    }
    guard let sums else {
      let names =
        work.plan.shards.indices.map(ShardWork.run)
        + gathered.levels.flatMap { level in work.plan.shards.indices.map { ShardWork.done($0, level) } }
      return try part(0, names.map { name throws(Failure) in try open("accounts.csv", of: work.step(name)) })
    }
    var paid = 0
    let names = sums.digests.keys.filter { $0.hasSuffix(".csv") }.sorted()
    for (number, name) in names.enumerated() {
      paid += try part(number, digest: isElsewhere ? try sums.digest(of: name) : nil, [open(name, of: sums)])
    }
    for number in names.count..<max(names.count, remote?.accountParts ?? 0) {
      tables.beginPart(number, digest: SHA256().finalize().hexadecimal)
      try tables.endPart()
    }
    return paid
  }
}
