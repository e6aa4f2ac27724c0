import Claims
import FoundationEssentials
import SQLite
import Text

/// Makes the rows of what refunds need of a run's settled payments, which come in ascending order of their fingerprints:
/// block by block.
struct DetailWriter {
  private let run: Int
  /// The rows of `detailBlock` that are made.
  private(set) var rows: [(id: Int64, bytes: [UInt8])] = []
  private var first = Fingerprint.none
  private var last = Fingerprint.none
  private var lows: [UInt64] = []
  private var text: [UInt8] = []
  /// The bytes of text that a block may have: as many as made the one before it as long as a row should be.
  private var limit = 6 << 10

  init(run: Int) { self.run = run }

  mutating func append(_ key: Fingerprint, _ details: UnsafeRawBufferPointer) {
    precondition(last < key, "settled payments come in ascending order of their fingerprints, each once")
    if text.count + details.count > limit { finish() }
    if lows.isEmpty { first = key }
    last = key
    lows.append(key.low)
    Varint.write(UInt64(details.count)) { text.append($0) }
    text += details
  }

  /// Makes a row of what is left.
  mutating func finish() {
    guard !lows.isEmpty else { return }
    let id = DetailBlock.id(run: run, key: first)
    let row = DetailBlock.bytes(lows: lows, text: text, id: id)
    rows.append((id, row))
    limit = min(max(1 << 10, text.count * DetailBlock.length / row.count), 16 << 10)
    lows.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
  }

  /// What inserts a row, by its id and bytes.
  static func insert(_ database: Database) throws -> Statement {
    try database.cachedStatement(sql: "INSERT INTO detailBlock (id, entries) VALUES (?, ?)")
  }

  /// Takes out the details of a run's payments.
  static func remove(_ database: Database, run: Int) throws {
    let ids = DetailBlock.ids(of: run)
    try database.execute(
      sql: "DELETE FROM detailBlock WHERE id BETWEEN ? AND ?", arguments: [ids.lowerBound, ids.upperBound])
  }
}
