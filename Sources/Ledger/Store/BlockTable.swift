import Digests
import SQLite
import Text

/// A table of blocks: rows of an id and bytes. The last 8 bytes are the XXH3 of those before, seeded with the id, so a
/// row that changed, or is under another id, is noticed.
///
/// The upper bits of an id say to what the block belongs, the lower ones its place there.
enum BlockTable: String {
  /// Settled pay keys; an id is a segment and 40 bits of a fingerprint.
  case keys = "keyBlock"
  /// Details of payments; an id is a run and 40 bits of a fingerprint.
  case details = "detailBlock"
  /// Amounts of accounts; an id is a list and 32 bits of a place.
  case accounts = "accountBlock"

  /// The length of a checksum.
  static let checkLength = 8

  // MARK: Ids

  /// The number of lower bits.
  private var placeBits: Int64 { self == .accounts ? 32 : 40 }

  /// The id of a block.
  func id(_ owner: Int64, _ place: Int64) -> Int64 { owner << placeBits | place }

  /// To what a block belongs.
  func owner(of id: Int64) -> Int64 { id >> placeBits }

  /// The ids that blocks of one owner can have.
  func ids(of owner: Int64) -> ClosedRange<Int64> { id(owner, 0)...id(owner, 1 << placeBits - 1) }

  // MARK: Rows

  /// The statement that inserts a block, by its id and bytes.
  func insert(_ database: Database) throws -> Statement {
    try database.cachedStatement(sql: "INSERT INTO \(rawValue) (id, entries) VALUES (?, ?)")
  }

  /// Removes all blocks of an owner.
  func remove(_ database: Database, of owner: Int64) throws {
    let ids = ids(of: owner)
    try database.execute(
      sql: "DELETE FROM \(rawValue) WHERE id BETWEEN ? AND ?", arguments: [ids.lowerBound, ids.upperBound])
  }

  /// Finds the blocks between two ids, each as its id and bytes: all of them in ascending order, the first, or the last.
  func between(_ database: Database, _ wanted: Wanted = .all) throws -> RowLookup {
    try RowLookup(
      database, "SELECT id, entries FROM \(rawValue) WHERE id BETWEEN ? AND ? ORDER BY id \(wanted.rawValue)")
  }

  /// Which of several blocks are wanted.
  enum Wanted: String {
    case all = ""
    case first = "LIMIT 1"
    case last = "DESC LIMIT 1"
  }

  /// The number of all blocks.
  func count(_ database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rawValue)") ?? 0
  }

  // MARK: Checksums

  private static func check(_ content: Span<UInt8>, _ id: Int64) -> UInt64 {
    XXH3.checksum(of: content, seed: UInt64(bitPattern: id))
  }

  /// What a row has before its checksum; nil if the row is not what was written under that id.
  @_lifetime(copy row)
  static func content(of row: Span<UInt8>, id: Int64) -> Span<UInt8>? {
    let length = row.count - checkLength
    guard length > 0 else { return nil }
    let content = row.extracting(first: length)
    return row.littleEndian(at: length, as: UInt64.self) == check(content, id) ? content : nil
  }

  /// Appends the checksum to the content of a row.
  static func seal(_ content: inout TextBuffer, id: Int64) {
    content.append(littleEndian: check(content.span, id))
  }
}

/// The bytes of text that a block may have, chosen so that its row gets the right length, going by the block before.
struct TextLimit {
  /// The limit of the next block.
  private(set) var bytes: Int
  private let rowLength: Int
  private let range: ClosedRange<Int>

  /// - Parameters:
  ///   - bytes: the limit of the first block.
  ///   - rowLength: the length that a row should have.
  init(_ bytes: Int, rowLength: Int, in range: ClosedRange<Int>) {
    (self.bytes, self.rowLength, self.range) = (bytes, rowLength, range)
  }

  /// Takes note of a block: the bytes of its text, and those of its row.
  mutating func adapt(text: Int, row: Int) {
    bytes = min(max(range.lowerBound, text * rowLength / row), range.upperBound)
  }
}
