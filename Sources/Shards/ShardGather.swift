import BatchRun
import Bytes
import Failures
import FileSystem
import Ledger
import LedgerRuns
import Records
import Rules
import Text

extension ShardWork {
  /// Compares what all shards read, judges header, trailer and control totals, and finds each shard's place in its
  /// file. Makes `gather`.
  ///
  /// Throws the batch error that a run would throw, if it does not depend on claims (2); also throws if a file changed
  /// (74).
  ///
  /// - Parameter again: whether to do it again and remove the results of later steps, because a ledger has changed.
  public func gather(again: Bool = false) throws(Failure) {
    if again {
      for level in 0...2 {
        try remove(Self.verdicts(level))
        for number in plan.shards.indices { try remove(Self.done(number, level)) }
      }
      try remove(Self.accounts)
      try remove(Self.gather)
    }
    if stands(Self.gather) { return try expectWhole(Self.gather) }
    let asked = try plan.ledger.map { path throws(Failure) in try LedgerReading(path: path) }
    if let asked, plan.options.showsNames != (asked.showsNames() || plan.options.rules.schedule.hasNames) {
      throw .busy(
        "\(asked.shown): since the batch was planned, a run was entered that shows the names of fees, so that this one must; "
          + replanning)
    }
    let gathered = try GatheredShards(self) { [plan] envelope, digests throws(Failure) in
      guard let asked else { return }
      try asked.history.runs.expectNew(BatchContent.identities(digests, plan.options), envelope, asked.hash)
    }
    try make(Self.gather) { step throws(Failure) in
      let gathering = Gathering(
        claims: gathered.claims, ledger: try asked?.noted(),
        day: gathered.envelope.createdAt.map { CalendarDay($0).number },
        shards: gathered.places.map { Gathering.Place(line: $0.line, offset: $0.offset) })
      try step.write(ShardJSON.text(plan: plan.digest, gathering), to: "gather.json")
    }
  }

  /// What `gather` found, for the steps after it.
  func gathered() throws(Failure) -> GatheredPlaces { try GatheredPlaces(self) }
}

/// What `gather.json` says.
struct GatheredPlaces {
  /// The SHA-256 of its text; all later steps name it.
  let digest: String
  /// The number of claims at each level, before any was judged.
  let claims: [Int]
  /// Where each shard's text begins in its file.
  let places: [StretchPlace]
  /// The day of the run; nil if it has none.
  let day: CalendarDay?
  /// The ledger's id and last run at that time; nil without a ledger.
  let ledger: GatheredLedger?

  /// What to do about a step of another gathering.
  private let advice: String

  init(_ work: ShardWork) throws(Failure) {
    advice =
      "do all steps after the gathering again: settle shard gather --again --work \(ShellWord.quoted(work.shown))"
    let step = try work.step(ShardWork.gather)
    let json = try step.json("gather.json")
    digest = try step.digest(of: "gather.json")
    let gathering = try json.object(Gathering.self)
    claims = gathering.claims
    day = gathering.day.map { CalendarDay(number: $0) }
    ledger = work.plan.ledger == nil ? nil : gathering.ledger
    places = zip(work.plan.shards, gathering.shards).map { shard, place in
      StretchPlace(file: shard.file, line: place.line, offset: place.offset)
    }
    if work.plan.ledger != nil, ledger == nil { throw json.lacking("ledger") }
    guard claims.count == 3, places.count == work.plan.shards.count else { throw json.damage("it lacks a shard") }
  }

  /// The levels to finish: 0 and 2, and 1 only if a shard has a claim at it.
  var levels: [Int] { claims[1] > 0 ? [0, 1, 2] : [0, 2] }

  /// The previous level; nil for the first.
  func level(before level: Int) -> Int? { levels.last { $0 < level } }

  /// The next level; nil for the last.
  func level(after level: Int) -> Int? { levels.first { $0 > level } }

  /// Throws if a file belongs to another gathering, or to another level than the given one.
  func expect(_ json: ShardJSON, level: Int? = nil) throws(Failure) {
    let found = try json.object(StepLevel.self)
    guard found.gather == digest, level == nil || found.level == level else {
      throw .configuration("\(json.shown): belongs to another gathering of the shards; \(advice)")
    }
  }

  /// Whether claims are judged at a level.
  func judges(_ level: Int) -> Bool { level == 0 || claims[level] > 0 }
}

/// The results of all shards together, before claims are judged across shards.
struct GatheredShards {
  private(set) var envelope = BatchEnvelope()
  private(set) var totals = ControlTotals()
  private(set) var claims = [0, 0, 0]
  private(set) var places: [StretchPlace] = []
  private(set) var files: [StoredFile] = []
  private(set) var textDigests: [TextDigest] = []
  private(set) var textBytes = 0
  /// The digest of the beginning of the first file's text; empty without a ledger.
  private(set) var opening: [UInt8] = []
  private(set) var controlTotals = ControlTotalsState.absent
  private(set) var mismatch: BatchError?

  /// - Parameter expectNew: called before a mismatch with the trailer is thrown.
  init(_ work: ShardWork, expectNew: SettlementLookup.Check? = nil) throws(Failure) {
    let plan = work.plan
    var beginning = BatchBeginning()
    var number = 0
    for (place, file) in plan.files.enumerated() {
      let hashJSON = try work.step(ShardWork.hash(place)).json("hash.json")
      let hash = try hashJSON.object(HashedFile.self)
      let fault = hash.corrupt?.offset
      let faultyLine = hash.corrupt?.lineFeeds.map { $0 + 1 } ?? .max
      var (line, offset) = (1, 0)
      var lackingTail: Int?
      let shards = plan.shards(of: place)
      for (range, shard) in shards.enumerated() {
        let json = try work.step(ShardWork.run(number)).json("outcome.json")
        let outcome = try json.object(RunOutcome.self)
        guard outcome.shard == number, outcome.stored.from == shard.start, outcome.stored.to == shard.end,
          range < hash.ranges.count
        else { throw json.damage("it belongs to another shard") }
        if let found = outcome.stored.xxh3, let expected = hash.ranges[range], found != expected {
          throw .inputOutput(
            "\(file.name): was changed while its shards were settled: shard \(number) and "
              + "\(ShardWork.hash(place)) read different bytes; plan the batch again")
        }
        places.append(StretchPlace(file: place, line: line, offset: offset))
        beginning.append(BatchBeginning(bytes: outcome.beginning, firstLine: outcome.firstLine))
        let textEnd = offset + outcome.textBytes
        do throws(BatchError) {
          try envelope.read(
            outcome.frames, firstRecord: outcome.firstRecord, recordCount: outcome.totals.recordsRead, file: file.name,
            line: line, before: faultyLine - line)
        } catch { throw .batch(error) }
        totals.merge(outcome.totals)
        let own = outcome.corrupt?.offset.map { $0 + offset }
        if let fault, fault <= textEnd, own.map({ fault <= $0 }) ?? true { throw corrupt(file.name, hash.corrupt!) }
        if own != nil { throw corrupt(file.name, outcome.corrupt!) }
        for (level, count) in outcome.claims.enumerated() where level < 3 { claims[level] += count }
        if outcome.lacksTail, lackingTail == nil { lackingTail = number }
        line += outcome.lineFeeds
        offset = textEnd
        number += 1
      }
      if let corrupt = hash.corrupt { throw self.corrupt(file.name, corrupt) }
      if let lackingTail {
        throw .inputOutput(
          "\(file.name): shard \(lackingTail) could not read on beyond its range, and no shard found the file corrupt")
      }
      textBytes += offset
      files.append(StoredFile(name: file.name, bytes: hash.bytes, sha256: hash.sha256))
      if plan.ledger != nil {
        guard let pieces = hash.textPieces, let plain = hash.textSha256, let start = hash.opening else {
          throw hashJSON.damage("it has no digests of the text")
        }
        textDigests.append(TextDigest(pieces: pieces, plain: plain))
        if place == 0 { opening = Hexadecimal.bytes(start.utf8) ?? [] }
      }
    }
    do throws(BatchError) {
      (controlTotals, mismatch) = try envelope.finish(
        totals, requiresTrailer: plan.options.requiresTrailer, beginning: beginning,
        file: plan.files.count == 1 ? plan.files[0].name : nil)
    } catch { throw .batch(error) }
    try expectNew?(envelope, textDigests)
    if let mismatch, plan.options.enforcesControlTotals { throw .batch(mismatch) }
  }

  /// The error for a corrupt file, or for the trailer if that comes before the damage and is not valid.
  private func corrupt(_ file: String, _ fault: FileFault) -> Failure {
    .batch(
      envelope.trailerError
        ?? BatchError(.corruptBatch, "\(fault.reason) (stored byte \(fault.stored))", file: file))
  }
}
