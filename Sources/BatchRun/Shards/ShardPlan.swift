import Claims
import Digests
import Failures
import FileSystem
import Glibc
import Input
import JSON
import Rules
import Text

/// A file of a batch that is settled in shards.
struct PlannedFile: Equatable {
  /// Its name in reports.
  let name: String
  /// Its path with links resolved; nil if it is elsewhere, and standard input supplies its bytes.
  let path: String?
  /// Its size and when it was last changed. If they differ, it is another file.
  let bytes: Int
  let modified: String

  /// The file at a path as it is now; throws if it is not a regular file.
  init(_ path: String) throws(Failure) {
    name = OutputPlace.shown(path)
    var status = stat()
    guard FileName.withCString(path, { stat($0, &status) }) == 0 else {
      throw .unreadable("\(name): cannot open the file: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .usage("\(name): is not a regular file; only files can be cut into shards")
    }
    self.path = (try? FileName.resolved(path)) ?? path
    bytes = Int(status.st_size)
    modified = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// A file that is elsewhere.
  init(elsewhere name: String, bytes: Int, modified: String) {
    self.name = OutputPlace.shown(name)
    (path, self.bytes, self.modified) = (nil, bytes, modified)
  }

  init(_ json: ShardJSON) throws(Failure) {
    name = try json.string("name")
    path = json.tree["path"]?.string
    bytes = try json.number("bytes")
    modified = try json.string("modified")
  }

  var json: JSONTree {
    [
      "name": .string(name), "path": path.map { .string($0) } ?? .null, "bytes": .number(bytes),
      "modified": .string(modified),
    ]
  }

  /// Where to read it: from what was given, or else from its path. Throws if it has no path, or was changed since the
  /// plan.
  func source(_ given: String?) throws(Failure) -> String {
    if let given { return given }
    guard let path else { throw .usage("\(name): is elsewhere; give its bytes on standard input, with --input -") }
    let now = try PlannedFile(path)
    guard now.bytes == bytes, now.modified == modified else {
      throw .inputOutput("\(name): is not the file that was planned; plan the batch again")
    }
    return path
  }
}

/// A range of a file's stored bytes that is settled separately.
struct PlannedShard: Equatable {
  /// The index of its file among the batch's files.
  let file: Int
  /// Where it begins, and what must be known of the file before it.
  let place: StoredPlace
  /// Where it ends.
  let end: Int

  /// Whether it is the first shard of its file.
  var isFirst: Bool { place.offset == 0 }
  var start: Int { Int(place.offset) }

  var json: JSONTree { .object([("file", .number(file)), ("to", .number(end))] + place.fields) }
}

extension PlannedShard {
  init(_ json: ShardJSON) throws(Failure) {
    file = try json.number("file")
    place = try StoredPlace(json)
    end = try json.number("to")
  }
}

/// `plan.json`: what all steps of a batch in shards share.
struct ShardPlan {
  let files: [PlannedFile]
  let shards: [PlannedShard]
  /// The options that decide how records are settled, for one thread.
  let options: RunOptions
  /// Makes the fingerprints of claimed keys.
  let hash: KeyedHash
  /// The ledger's absolute path, or nil.
  let ledger: String?
  /// The whole text.
  let text: [UInt8]

  static let fileName = "plan.json"
  /// The maximum number of shards.
  static let mostShards = 100_000

  /// The SHA-256 of the text; all other files name it.
  var digest: String { SHA256.digest(of: text).hexadecimal }

  init(files: [PlannedFile], shards: [PlannedShard], options: RunOptions, hash: KeyedHash, ledger: String?) {
    self.files = files
    self.shards = shards
    self.options = options
    self.hash = hash
    self.ledger = ledger
    let rules = options.rules
    let settled: JSONTree = [
      "strictItems": .boolean(rules.strictItems),
      "unknownFields": .string(rules.unknownFields.rawValue), "builtInFees": .boolean(rules.schedule.isBuiltIn),
      "refundWindow": .number(rules.refundWindow), "requireTrailer": .boolean(options.requiresTrailer),
      "maxRejected": options.mostRejected.map { .string($0.description) } ?? .null,
      "enforceControlTotals": .boolean(options.enforcesControlTotals),
    ]
    let fields: [(String, JSONTree)] = [
      ("options", settled), ("fees", .string(rules.schedule.text)), ("splits", .string(rules.profiles.text)),
      ("taxes", rules.taxes.map { .string($0.text) } ?? .null),
      ("hashKey", .string(Hexadecimal.text(hash.key0) + Hexadecimal.text(hash.key1))),
      ("ledger", ledger.map { .string($0) } ?? .null), ("files", .array(files.map(\.json))),
      ("shards", .array(shards.map(\.json))),
    ]
    let body = JSONTree.object(ShardJSON.head(plan: nil) + fields).description.dropLast()
    text = Array("\(body),\"check\":\"\(Self.check(Array(body.utf8)))\"}\n".utf8)
  }

  /// Reads a plan; throws if it is damaged (74), or was made by another version (78).
  ///
  /// - Parameter advice: what to do then.
  init(_ text: [UInt8], shown: String, advice: String) throws(Failure) {
    let json = try ShardJSON(text, shown: shown, plan: nil, advice: advice)
    let end = #","check":"0123456789abcdef"}"#.utf8.count + 1
    guard text.count > end, try json.string("check") == Self.check(Array(text.dropLast(end))) else {
      throw json.damage("it does not match its checksum")
    }
    self.text = text
    files = try json.objects("files").map { json throws(Failure) in try PlannedFile(json) }
    shards = try json.objects("shards").map { json throws(Failure) in try PlannedShard(json) }
    let key = try json.string("hashKey")
    guard let key0 = UInt64(key.prefix(16), radix: 16), let key1 = UInt64(key.dropFirst(16), radix: 16) else {
      throw json.damage("its hash key is malformed")
    }
    hash = KeyedHash(key0: key0, key1: key1)
    ledger = json.tree["ledger"]?.string
    let settled = try json.object("options")
    var rules: SettlementRules
    do throws(FeeScheduleError) {
      let (splits, taxes) = (json.tree["splits"]?.string ?? "", json.tree["taxes"]?.string)
      rules = SettlementRules(
        schedule: try FeeSchedule(json: Array((json.tree["fees"]?.string ?? "").utf8)),
        profiles: splits.isEmpty ? SplitProfiles() : try SplitProfiles(json: Array(splits.utf8)))
      if let taxes { rules.taxes = try TaxTable(json: Array(taxes.utf8)) }
    } catch {
      throw .configuration("\(shown): \(error)")
    }
    rules.strictItems = try settled.flag("strictItems")
    guard let unknownFields = UnknownFields(rawValue: try settled.string("unknownFields")) else {
      throw json.damage("it has an unknown policy for unknown fields")
    }
    rules.unknownFields = unknownFields
    rules.schedule.isBuiltIn = try settled.flag("builtInFees")
    rules.refundWindow = try settled.number("refundWindow")
    var options = RunOptions(rules: rules, threads: 1, enforcesControlTotals: try settled.flag("enforceControlTotals"))
    options.requiresTrailer = try settled.flag("requireTrailer")
    options.mostRejected = settled.tree["maxRejected"]?.string.flatMap { RejectionLimit($0) }
    self.options = options
  }

  private static func check(_ body: [UInt8]) -> String { Hexadecimal.text(ByteReader.digest(body[...])) }

  /// The shards of a file.
  func shards(of file: Int) -> [PlannedShard] { shards.filter { $0.file == file } }

  /// The names of the files as fields of `exceptions.csv`.
  var fileFields: [[UInt8]] { files.map { file in Array(TextBuffer.string { CSV.append(file.name, to: &$0) }.utf8) } }
}
