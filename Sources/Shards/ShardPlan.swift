import BatchRun
import Bytes
import Claims
import Digests
import Failures
import FileSystem
import Glibc
import SystemPackage
import Input
import JSON
import Rules
import Text

/// A file of a batch that is settled in shards.
struct PlannedFile: Equatable, JSONObject {
  /// Its name in reports.
  var name = ""
  /// Its path with links resolved; nil if it is elsewhere, and standard input supplies its bytes.
  var path: String?
  /// Its size and when it was last changed. If they differ, it is another file.
  var bytes = 0
  var modified = ""

  init() {}

  static var fields: [JSONField<Self>] {
    [.init("name", \.name), .init("path", \.path), .init("bytes", \.bytes), .init("modified", \.modified)]
  }

  /// The file at a path as it is now; throws if it is not a regular file.
  init(_ path: String) throws(Failure) {
    name = OutputPlace.shown(path)
    let found: Stat
    do throws(Errno) { found = try FileName.status(path) } catch {
      throw .unreadable("\(name): cannot open the file: \(error)")
    }
    let status = found.rawValue
    guard found.type == .regular else {
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
struct PlannedShard: Equatable, JSONObject {
  /// The index of its file among the batch's files.
  var file = 0
  /// Where it begins, and what must be known of the file before it.
  var place = StoredPlace(offset: 0, isPlain: false)
  /// Where it ends.
  var end = 0

  static var fields: [JSONField<Self>] {
    [.init("file", \.file), .init("to", \.end)] + StoredPlace.fields.map { $0.lifted(to: \.place) }
  }

  /// Whether it is the first shard of its file.
  var isFirst: Bool { place.offset == 0 }
  var start: Int { Int(place.offset) }
}

/// `plan.json`: what all steps of a batch in shards share.
struct ShardPlan: JSONObject {
  private(set) var files: [PlannedFile] = []
  private(set) var shards: [PlannedShard] = []
  /// The options that decide how records are settled, for one thread.
  private(set) var options = RunOptions()
  /// Makes the fingerprints of claimed keys.
  private(set) var hash = KeyedHash(key0: 0, key1: 0)
  /// The ledger's absolute path, or nil.
  private(set) var ledger: String?
  /// The whole text.
  private(set) var text: [UInt8] = []
  /// The texts of files of rules, as they were read.
  private var rules: [RuleOption: String] = [:]

  static let fileName = "plan.json"
  /// The maximum number of shards.
  static let mostShards = 100_000

  /// The SHA-256 of the text; all other files name it.
  var digest: String { SHA256.digest(of: text).hexadecimal }

  init() {}

  init(files: [PlannedFile], shards: [PlannedShard], options: RunOptions, hash: KeyedHash, ledger: String?) {
    self.files = files
    self.shards = shards
    self.options = options
    self.hash = hash
    self.ledger = ledger
    let body = JSONTree.object(ShardJSON.head(plan: nil) + namedValues).description.dropLast()
    text = Array("\(body),\"check\":\"\(Self.check(Array(body.utf8)))\"}\n".utf8)
  }

  /// Reads a plan; throws if it is damaged (74), or was made by another version (78).
  ///
  /// - Parameter advice: what to do then.
  init(_ text: [UInt8], shown: String, advice: String) throws(Failure) {
    let json = try ShardJSON(text, shown: shown, plan: nil, advice: advice)
    let end = #","check":"0123456789abcdef"}"#.utf8.count + 1
    guard text.count > end, try json.text("check") == Self.check(Array(text.dropLast(end))) else {
      throw json.damage("it does not match its checksum")
    }
    self = try json.object()
    self.text = text
    try readRules(shown)
  }

  /// Reads the texts of files of rules.
  private mutating func readRules(_ shown: String) throws(Failure) {
    let isBuiltIn = options.rules.schedule.isBuiltIn
    for option in RuleOption.allCases where option.isFile {
      do throws(FeeScheduleError) {
        try option.set(Array((rules[option] ?? "").utf8), in: &options.rules)
      } catch {
        throw .configuration("\(shown): \(error)")
      }
    }
    options.rules.schedule.isBuiltIn = isBuiltIn
  }

  private static func check(_ body: [UInt8]) -> String { Hexadecimal.text(ByteReader.digest(body[...])) }

  static var fields: [JSONField<Self>] {
    [.init("options", \.options)] + RuleOption.allCases.filter(\.isFile).map(file) + [
      showsNames,
      .init("hashKey", \.hash), .init("ledger", \.ledger), .init("files", \.files), .init("shards", \.shards),
    ]
  }

  /// Whether the night shows the names of fees, by the ledger as it was when the batch was planned.
  private static var showsNames: JSONField<Self> {
    JSONField("showsNames") {
      .boolean($0.options.showsNames)
    } read: { (plan, node) throws(JSONFault) in
      plan.options.earlierShowsNames = try node.boolean()
    }
  }

  /// The text of a file of rules.
  private static func file(_ option: RuleOption) -> JSONField<Self> {
    JSONField(option.rawValue) {
      option.text(in: $0.options.rules).map(JSONTree.string) ?? .null
    } read: { (plan, node) throws(JSONFault) in
      plan.rules[option] = node.tree.string
    }
  }

  func shards(of file: Int) -> [PlannedShard] { shards.filter { $0.file == file } }

  /// The names of the files as fields of `exceptions.csv`.
  var fileFields: [[UInt8]] { files.map { file in Array(TextBuffer.string { CSV.append(file.name, to: &$0) }.utf8) } }
}

extension RunOptions: JSONObject {
  package init() { self.init(threads: 1) }

  package static var fields: [JSONField<Self>] {
    RuleOption.allCases.filter { !$0.isFile }.map(rule) + [
      .init("builtInFees", \.rules.schedule.isBuiltIn), .init("requireTrailer", \.requiresTrailer),
      .init("maxRejected", \.mostRejected), .init("enforceControlTotals", \.enforcesControlTotals),
    ]
  }

  private static func rule(_ option: RuleOption) -> JSONField<Self> {
    JSONField(option.rawValue) {
      option.value(in: $0.rules).json
    } read: { (options, node) throws(JSONFault) in
      option.set(try node.value("a value", option.value), in: &options.rules)
    }
  }
}

extension RejectionLimit: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) {
    self = try node.value("a limit") { $0.string.flatMap { RejectionLimit($0) } }
  }

  package var json: JSONTree { .string(description) }
}

extension KeyedHash: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) {
    let key = try node.string()
    guard let key0 = UInt64(key.prefix(16), radix: 16), let key1 = UInt64(key.dropFirst(16), radix: 16) else {
      throw node.fault("its hash key is malformed")
    }
    self.init(key0: key0, key1: key1)
  }

  package var json: JSONTree { .string(Hexadecimal.text(key0) + Hexadecimal.text(key1)) }
}
