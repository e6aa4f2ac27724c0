import BatchRun
import JSON
import Rules

// The JSON files of the steps, and what is in them (`shards.md`).

/// The range of stored bytes that a shard read.
struct StoredRange: JSONObject {
  var from = 0
  var to = 0
  /// Where reading ended.
  var end = 0
  /// The XXH3-64 of the range; nil if not all of it was read.
  var xxh3: String?

  static var fields: [JSONField<Self>] {
    [.init("from", \.from), .init("to", \.to), .init("end", \.end), .init("xxh3", \.xxh3)]
  }
}

/// Where a file is corrupt.
///
/// In `hash.json` the offset is the end of a frame whose text does not match it, which no shard knows. The shards report
/// all other faults.
struct FileFault: JSONObject {
  /// The offset in the text that was read; nil if it is not known.
  var offset: Int?
  /// The number of line feeds before it, in `hash.json`.
  var lineFeeds: Int?
  /// The offset in the stored bytes.
  var stored = 0
  var reason = ""

  static var fields: [JSONField<Self>] {
    [
      .init("offset", \.offset), .init(optional: "lineFeeds", \.lineFeeds), .init("stored", \.stored),
      .init("reason", \.reason),
    ]
  }
}

/// The size of a file that may become a part of a report.
struct TableSize: JSONObject {
  var bytes = 0
  var rows = 0

  static var fields: [JSONField<Self>] { [.init("bytes", \.bytes), .init("rows", \.rows)] }
}

/// The sizes of a step's files that may become parts of reports, by name.
struct TableSizes: JSONObject {
  var sizes: [String: TableSize] = [:]

  static var fields: [JSONField<Self>] { ShardWork.tables.map { .init(optional: $0, \.sizes[$0]) } }
}

/// `outcome.json` of a shard's `run`.
struct RunOutcome: JSONObject {
  var shard = 0
  var lineFeeds = 0
  var textBytes = 0
  var stored = StoredRange()
  /// What the batch's first lines show if they are not records.
  var beginning: [UInt8] = []
  var firstLine = BatchBeginning.FirstLine.other
  /// The line of the first record, if no header or trailer comes before it.
  var firstRecord: Int?
  /// The header and trailer lines, in order.
  var frames: [EnvelopeLine] = []
  var corrupt: FileFault?
  /// Whether the shard's last line is lost, because the file is corrupt after the range.
  var lacksTail = false
  var totals = ControlTotals()
  /// Whether the night shows the names of fees.
  var showsNames = false
  /// The number of claims at each level.
  var claims = [0, 0, 0]
  var accounts = 0
  var tables = TableSizes()
  /// Where `finish` finds the shard's text again; empty for plain text.
  var chunks: [ShardChunk] = []

  static var fields: [JSONField<Self>] {
    [
      .init("shard", \.shard), .init("lineFeeds", \.lineFeeds), .init("textBytes", \.textBytes),
      .init("stored", \.stored), .init(hexadecimal: "beginning", \.beginning), .init(named: "firstLine", \.firstLine),
      .init("firstRecord", \.firstRecord), .init("frames", \.frames), .init("corrupt", \.corrupt),
      .init("lacksTail", \.lacksTail),
    ] + ControlTotals.fields.map { $0.lifted(to: \.totals) } + [
      .fees(\.totals, \.showsNames), .init("claims", \.claims), .init("accounts", \.accounts),
      .init("tables", \.tables), .init("chunks", \.chunks),
    ]
  }
}

extension EnvelopeLine: JSONObject {
  package init() { self.init(isHeader: false, text: [], number: 0, recordsBefore: 0, hasDuplicateField: false) }

  /// The word for the kind of line.
  private enum Kind: String { case header, trailer }

  private var kind: Kind {
    get { isHeader ? .header : .trailer }
    set { isHeader = newValue == .header }
  }

  package static var fields: [JSONField<Self>] {
    [
      .init(named: "kind", \.kind), .init("line", \.number), .init("recordsBefore", \.recordsBefore),
      .init("nextLine", \.recordBehind), .init("duplicateField", \.hasDuplicateField),
      .init(hexadecimal: "text", \.text),
    ]
  }
}

/// `outcome.json` of a shard's `finish`: what changed at a level.
struct FinishOutcome: JSONObject {
  var level = StepLevel()
  var shard = 0
  /// The number of claims for the next level.
  var claims = 0
  var tables = TableSizes()
  /// The changes, with a sign.
  var totals = ControlTotals()
  /// Whether the night shows the names of fees.
  var showsNames = false

  static var fields: [JSONField<Self>] {
    [
      .init("gather", \.level.gather), .init("shard", \.shard), .init("level", \.level.level),
      .init("claims", \.claims), .init("tables", \.tables),
    ] + ControlTotals.fields.map { $0.lifted(to: \.totals) } + [.fees(\.totals, \.showsNames)]
  }
}

/// The gathering and level that a step belongs to; `verdicts.json` and `accounts.json` say no more.
struct StepLevel: JSONObject {
  /// The SHA-256 of `gather.json`.
  var gather = ""
  /// Nil for accounts.
  var level: Int?

  static var fields: [JSONField<Self>] { [.init("gather", \.gather), .init(optional: "level", \.level)] }
}

/// `hash.json`: a whole file of the batch.
struct HashedFile: JSONObject {
  var file = 0
  var bytes = 0
  var sha256 = ""
  /// The XXH3-64 of each shard's range; nil if not all of it was read.
  var ranges: [String?] = []
  var corrupt: FileFault?
  /// The plain digest of the text, its digest in pieces and that of its beginning; nil without a ledger.
  var textSha256: String?
  var textPieces: String?
  var opening: String?

  static var fields: [JSONField<Self>] {
    [
      .init("file", \.file), .init("bytes", \.bytes), .init("sha256", \.sha256), .init("ranges", \.ranges),
      .init("corrupt", \.corrupt), .init("textSha256", \.textSha256), .init("textPieces", \.textPieces),
      .init("opening", \.opening),
    ]
  }
}

/// A ledger's id and last run when the shards were gathered.
struct GatheredLedger: JSONObject {
  var id = ""
  var run = 0

  static var fields: [JSONField<Self>] { [.init("id", \.id), .init("run", \.run)] }
}

/// `gather.json`.
struct Gathering: JSONObject {
  /// Where a shard's text begins in its file.
  struct Place: JSONObject {
    var line = 0
    var offset = 0

    static var fields: [JSONField<Self>] { [.init("line", \.line), .init("offset", \.offset)] }
  }

  /// The number of claims at each level, before any was judged.
  var claims: [Int] = []
  var ledger: GatheredLedger?
  /// The number of the run's day; nil if it has none.
  var day: Int?
  var shards: [Place] = []

  static var fields: [JSONField<Self>] {
    [.init("claims", \.claims), .init("ledger", \.ledger), .init("day", \.day), .init("shards", \.shards)]
  }
}
