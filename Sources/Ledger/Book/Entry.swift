import SQLite

/// What a ledger keeps of something that is made once and has a directory of files: a run or a payout.
///
/// What only one kind has is the entry's content; it is read through the entry: `run.records`.
@dynamicMemberLookup
public struct Entry<Content: EntryContent>: Sendable, Equatable {
  /// Its number among the entries of its kind, from 1; 0 until it is entered.
  public package(set) var number = 0
  /// When it was entered: RFC 3339, UTC, in seconds.
  public var time: String
  /// The version of the engine.
  public var engine: String
  /// The bytes of the absolute path of the directory it published, or of a URI.
  public var directory: [UInt8]
  /// The text of that directory's `SHA256SUMS`.
  public var sums: String
  /// Whether it was entered with a directory that existed.
  public var isAdopted = false
  /// What only its kind has.
  public var content: Content

  /// Which entry it is.
  public var id: EntryID { EntryID(Content.kind, number) }

  /// What only its kind has.
  public subscript<Value>(dynamicMember path: WritableKeyPath<Content, Value>) -> Value {
    get { content[keyPath: path] }
    set { content[keyPath: path] = newValue }
  }

  /// What only its kind has.
  public subscript<Value>(dynamicMember path: KeyPath<Content, Value>) -> Value { content[keyPath: path] }
}

/// What entries of one kind have.
public protocol EntryContent: Sendable, Equatable {
  /// The kind.
  static var kind: EntryKind { get }
  /// The exit code of the command that made it.
  var exitCode: Int32 { get }
}

/// How the content of an entry is stored.
protocol StoredContent: EntryContent {
  /// The columns of its row that only its kind has.
  var columns: [(name: String, value: any DatabaseValue)] { get }
  /// Inserts the rows of its parts.
  func insertParts(_ database: Database, _ number: Int) throws
  /// - Parameter parts: the rows of its parts, by table.
  init(_ row: Row, _ number: Int, parts: [[Row]]) throws
}

extension Entry where Content: StoredContent {
  /// Throws if the rows are not what was written.
  init(_ row: Row, _ database: Database) throws {
    let id = EntryID(Content.kind, try row.value("number"))
    let parts = try EntryTable.parts(database, id)
    try EntryTable.expectWritten(id, row, parts)
    number = id.number
    time = try row.value("time")
    engine = try row.value("engine")
    directory = try row.bytes("directory")
    sums = try row.value("sums")
    isAdopted = try row.value("adopted") ?? false
    content = try Content(row, id.number, parts: parts)
  }

  /// All entries of the kind that fit a condition.
  static func all(
    _ database: Database, _ condition: String = "ORDER BY number", _ arguments: [any DatabaseValue] = []
  ) throws -> [Entry] {
    try Row.fetchAll(database, sql: "SELECT * FROM \(Content.kind) \(condition)", arguments: arguments).map {
      try Entry($0, database)
    }
  }

  func insert(_ database: Database) throws {
    // A run of an earlier version has no such column.
    let adopted = isAdopted || Content.kind == .payout ? isAdopted : nil
    try database.insert(
      into: Content.kind.rawValue,
      [
        ("number", number), ("time", time), ("engine", engine), ("directory", directory), ("sums", sums),
        ("adopted", adopted),
      ] + content.columns)
    try content.insertParts(database, number)
    try EntryTable.keepDigest(database, id)
  }
}
