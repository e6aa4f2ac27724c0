import Failures
import FileSystem
import JSON
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
    let asked = try plan.ledger.map { path throws(Failure) in try AskedLedger(path) }
    let gathered = try GatheredShards(self) { [plan] envelope, digests throws(Failure) in
      try asked?.expectNew(BatchContent.identities(digests, plan.options), envelope)
    }
    try make(Self.gather) { step throws(Failure) in
      let ledger = try asked?.json()
      let fields: [(String, JSONTree)] = [
        ("claims", .array(gathered.claims.map { .number($0) })), ("ledger", ledger ?? .null),
        ("day", gathered.envelope.createdAt.map { .number(CalendarDay($0).number) } ?? .null),
        (
          "shards",
          .array(gathered.places.map { ["line": .number($0.line), "offset": .number($0.offset)] })
        ),
      ]
      try step.write(ShardJSON.text(plan: plan.digest, fields), to: "gather.json")
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
  let ledger: ShardJSON?

  /// What to do about a step of another gathering.
  private let advice: String

  init(_ work: ShardWork) throws(Failure) {
    advice =
      "do all steps after the gathering again: settle shard gather --again --work \(ShellWord.quoted(work.shown))"
    let step = try work.step(ShardWork.gather)
    let json = try step.json("gather.json")
    digest = try step.digest(of: "gather.json")
    claims = json.tree["claims"]?.elements?.compactMap(\.count) ?? []
    day = json.tree["day"]?.integer.map { CalendarDay(number: $0) }
    ledger = work.plan.ledger == nil ? nil : try json.object("ledger")
    places = try zip(work.plan.shards, json.objects("shards")).map { shard, json throws(Failure) in
      StretchPlace(file: shard.file, line: try json.number("line"), offset: try json.number("offset"))
    }
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
    let isOfLevel = try level.map { level throws(Failure) in try json.number("level") == level } ?? true
    guard try json.string("gather") == digest, isOfLevel else {
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
  init(_ work: ShardWork, expectNew: EarlierSettlements.Check? = nil) throws(Failure) {
    let plan = work.plan
    var beginning = BatchBeginning()
    var number = 0
    for (place, file) in plan.files.enumerated() {
      let hash = try work.step(ShardWork.hash(place)).json("hash.json")
      let ranges = hash.tree["ranges"]?.elements ?? []
      let fault = hash.tree["corrupt"]?["offset"]?.count
      let faultyLine = hash.tree["corrupt"]?["lineFeeds"]?.count.map { $0 + 1 } ?? .max
      var (line, offset) = (1, 0)
      var lackingTail: Int?
      let shards = plan.shards(of: place)
      for (range, shard) in shards.enumerated() {
        let outcome = try work.step(ShardWork.run(number)).json("outcome.json")
        let stored = try outcome.object("stored")
        guard try outcome.number("shard") == number, try stored.number("from") == shard.start,
          try stored.number("to") == shard.end, range < ranges.count
        else { throw outcome.damage("it belongs to another shard") }
        if let found = stored.tree["xxh3"]?.string, let expected = ranges[range].string, found != expected {
          throw .inputOutput(
            "\(file.name): was changed while its shards were settled: shard \(number) and "
              + "\(ShardWork.hash(place)) read different bytes; plan the batch again")
        }
        places.append(StretchPlace(file: place, line: line, offset: offset))
        beginning.append(
          BatchBeginning(
            bytes: Hexadecimal.bytes((outcome.tree["beginning"]?.string ?? "").utf8) ?? [],
            firstLine: BatchBeginning.FirstLine(rawValue: try outcome.string("firstLine")) ?? .other))
        let found = try ShardTotals.read(outcome)
        let textEnd = offset + (try outcome.number("textBytes"))
        let lineFeeds = try outcome.number("lineFeeds")
        do throws(BatchError) {
          let frames = outcome.tree["frames"]?.elements ?? []
          try envelope.take(
            frames.map(EnvelopeLine.init), firstRecord: outcome.tree["firstRecord"]?.count,
            recordCount: found.recordsRead, file: file.name, line: line, before: faultyLine - line)
        } catch { throw .batch(error) }
        totals.merge(found)
        let own = outcome.tree["corrupt"]?["offset"]?.count.map { $0 + offset }
        if let fault, fault <= textEnd, own.map({ fault <= $0 }) ?? true {
          throw corrupt(file.name, try hash.object("corrupt"))
        }
        if own != nil { throw corrupt(file.name, try outcome.object("corrupt")) }
        for (level, count) in (outcome.tree["claims"]?.elements ?? []).enumerated() where level < 3 {
          claims[level] += count.count ?? 0
        }
        if try outcome.flag("lacksTail"), lackingTail == nil { lackingTail = number }
        line += lineFeeds
        offset = textEnd
        number += 1
      }
      if hash.tree["corrupt"]?["stored"] != nil { throw corrupt(file.name, try hash.object("corrupt")) }
      if let lackingTail {
        throw .inputOutput(
          "\(file.name): shard \(lackingTail) could not read on beyond its range, and no shard found the file corrupt")
      }
      textBytes += offset
      files.append(
        StoredFile(name: file.name, bytes: try hash.number("bytes"), sha256: try hash.string("sha256")))
      if plan.ledger != nil {
        textDigests.append(
          TextDigest(pieces: try hash.string("textPieces"), plain: try hash.string("textSha256")))
        if place == 0 { opening = Hexadecimal.bytes(try hash.string("opening").utf8) ?? [] }
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
  private func corrupt(_ file: String, _ json: ShardJSON) -> Failure {
    .batch(
      envelope.trailerError
        ?? BatchError(
          .corruptBatch,
          "\(json.tree["reason"]?.string ?? "") (stored byte \(json.tree["stored"]?.count ?? 0))", file: file))
  }
}

extension EnvelopeLine {
  /// Reads a line of a shard's `outcome.json`.
  fileprivate init(_ frame: JSONTree) {
    let isDuplicate = if case .boolean(true) = frame["duplicateField"] { true } else { false }
    self.init(
      isHeader: frame["kind"]?.string == "header", text: Hexadecimal.bytes((frame["text"]?.string ?? "").utf8) ?? [],
      number: frame["line"]?.count ?? 0, recordsBefore: frame["recordsBefore"]?.count ?? 0,
      hasDuplicateField: isDuplicate, recordBehind: frame["nextLine"]?.count)
  }
}
