import Claims
import FoundationEssentials
import SQLite
import Text

/// Makes the rows with what refunds need from a run's settled payments, block by block. Payments come in ascending
/// order of their fingerprints.
struct DetailWriter {
  private let run: Int
  /// The finished rows of `detailBlock`.
  private(set) var rows: [(id: Int64, bytes: [UInt8])] = []
  private var first = Fingerprint.none
  private var last = Fingerprint.none
  private var lows: [UInt64] = []
  private var text: [UInt8] = []
  /// The bytes of text that a block may have, chosen so that a row gets the right length, going by the block before.
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

  /// Makes a row of the remaining payments.
  mutating func finish() {
    guard !lows.isEmpty else { return }
    let id = DetailBlock.id(run: run, key: first)
    let row = DetailBlock.bytes(lows: lows, text: text, id: id)
    rows.append((id, row))
    limit = min(max(1 << 10, text.count * DetailBlock.length / row.count), 16 << 10)
    lows.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
  }

  /// The statement that inserts a row, by its id and bytes.
  static func insert(_ database: Database) throws -> Statement {
    try database.cachedStatement(sql: "INSERT INTO detailBlock (id, entries) VALUES (?, ?)")
  }

  /// Removes the details of a run's payments.
  static func remove(_ database: Database, run: Int) throws {
    let ids = DetailBlock.ids(of: run)
    try database.execute(
      sql: "DELETE FROM detailBlock WHERE id BETWEEN ? AND ?", arguments: [ids.lowerBound, ids.upperBound])
  }
}
