import Claims
import ExactArithmetic
import Records
import Rules
import Text

extension ShardWork {
  /// Judges all shards' claims of a level by what stands before each in batch order, and by the ledger: makes
  /// `verdicts-L`, or nothing at a level at which no shard has a claim.
  public func claims(level: Int) throws(RunFailure) {
    let gathered = try gathered()
    guard gathered.judges(level) else { return }
    try make(Self.verdicts(level)) { step throws(RunFailure) in
      try ShardVerdicts(self, gathered, level).write(into: step)
    }
  }
}

/// The verdicts on the claims of a level.
final class ShardVerdicts {
  static let fileName = "verdicts.csv"
  static let describing = "verdicts.json"
  let work: ShardWork
  let gathered: GatheredPlaces
  let level: Int
  /// Rows of verdicts, each after its shard's number, to be put in order.
  let rows: RowSorter

  init(_ work: ShardWork, _ gathered: GatheredPlaces, _ level: Int) {
    self.work = work
    self.gathered = gathered
    self.level = level
    rows = RowSorter(scratch: "\(work.path)/spool")
  }

  func write(into step: StepDirectory) throws(RunFailure) {
    let earlier = try gathered.openEarlier(work)
    defer { earlier?.close() }
    switch level {
    case 0: try judgeKeys(earlier)
    case 1: try judgeAgreements(earlier, into: step)
    default: try judgeRefunds(earlier)
    }
    if let failure = earlier?.failure { throw failure }
    let file = try step.makeFile(Self.fileName)
    var text = TextBuffer(capacity: 1 << 17)
    try rows.forEach { row throws(RunFailure) in
      let shard = row.key.drop { $0 == UInt8(ascii: "0") }
      if shard.isEmpty { text.append(UInt8(ascii: "0")) }
      for byte in shard { text.append(byte) }
      text.append(row.rest.baseAddress!, count: row.rest.count)
      text.append("\n")
      try file.takeLong(&text)
    }
    try file.write(text.bytes, count: text.count)
    step.finish(file, name: Self.fileName)
    try step.write(
      ShardJSON.text(plan: work.plan.digest, [("gather", .string(gathered.digest)), ("level", .number(level))]),
      to: Self.describing)
  }

  /// The rows of a file of each shard's step, in order.
  func merge(_ file: String, of name: (Int) -> String) throws(RunFailure) -> RowMerge {
    try RowMerge(
      work.plan.shards.indices.map { number throws(RunFailure) in
        try work.step(name(number)).open(file, bufferLength: work.rowBufferLength)
      })
  }

  /// The claims of the level, which the level before left; each file has its digest before a claim is read.
  func mergeClaims() throws(RunFailure) -> RowMerge {
    let before = gathered.level(before: level) ?? 0
    for number in work.plan.shards.indices { try work.step(ShardWork.done(number, before)).verify("claims.csv") }
    return try merge("claims.csv") { ShardWork.done($0, before) }
  }

  // MARK: Level 0

  /// A key that several shards claim, or an earlier run used up, or that a refund names.
  private func judgeKeys(_ earlier: EarlierSettlements?) throws(RunFailure) {
    var claims = try merge("claims.csv", of: ShardWork.run)
    var asked = try merge("asked.csv", of: ShardWork.run)
    var shards: [Int] = []
    var key = TextBuffer()
    while let (row, source) = claims.first {
      if shards.isEmpty {
        key.removeAll(keeping: 1 << 10)
        key.append(row.bytes, count: row.keyLength)
      }
      let claimed = SortedRow(UnsafeBufferPointer(start: key.bytes, count: key.count))!
      if row.hasKey(of: claimed) {
        shards.append(source)
        try claims.advance()
        if claims.first != nil { continue }
      }
      while let other = asked.first?.row, RowOrder.compare(other, claimed) < 0 { try asked.advance() }
      let isAsked = asked.first?.row.hasKey(of: claimed) ?? false
      let run = earlier?.run(ofAny: Self.fingerprint(claimed.key)) ?? 0
      if shards.count > 1 || isAsked || run > 0 {
        shards.sort()
        for (place, shard) in shards.enumerated() where place > 0 || isAsked || run > 0 {
          try append(shard) { text in
            text.append(claimed.bytes, count: claimed.count)
            text.append(place > 0 ? ",1," : ",0,")
            text.append(number: run)
            text.append(isAsked ? ",1" : ",0")
          }
        }
      }
      shards.removeAll(keepingCapacity: true)
    }
    while asked.first != nil { try asked.advance() }
  }

  static func fingerprint(_ digits: some Collection<UInt8>) -> Fingerprint {
    let text = String(decoding: digits, as: UTF8.self)
    return Fingerprint(
      low: UInt64(text.suffix(16), radix: 16) ?? 0, high: UInt64(text.prefix(16), radix: 16) ?? 0)
  }

  /// Appends a verdict for a shard; `write` appends what stands after its number and a comma.
  func append(_ shard: Int, _ write: (inout TextBuffer) -> Void) throws(RunFailure) {
    try rows.append { text in
      text.append(ClaimRow.padded(shard, to: ClaimRow.shardDigits))
      text.append(UInt8(ascii: ","))
      write(&text)
    }
  }
}

/// A claim of a later level, as a row: its key, the shard and the place in it, and what the verdict reads.
struct ClaimRow {
  static let shardDigits = 5
  static let offsetDigits = 18
  let shard: Int
  /// Where the record's line begins in the shard's text.
  let offset: Int
  /// The line feeds of the shard's text before it.
  let line: Int
  let content: [UInt8]

  static func padded(_ number: Int, to digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// Appends the part after the key.
  static func append(_ shard: Int, _ entry: ClaimEntry, _ content: [UInt8], to text: inout TextBuffer) {
    text.append(",\(padded(shard, to: shardDigits)),\(padded(entry.line, to: offsetDigits)),\(entry.number),")
    text.append(Hexadecimal.text(content))
  }

  /// Reads the last four fields of a row; nil if they are none.
  init?(_ fields: ArraySlice<ArraySlice<UInt8>>) {
    func number(_ place: Int) -> Int? { Int(String(decoding: fields[fields.startIndex + place], as: UTF8.self)) }
    guard fields.count == 4, let shard = number(0), let offset = number(1), let line = number(2),
      let content = Hexadecimal.bytes(fields[fields.startIndex + 3])
    else { return nil }
    (self.shard, self.offset, self.line, self.content) = (shard, offset, line, content)
  }
}
