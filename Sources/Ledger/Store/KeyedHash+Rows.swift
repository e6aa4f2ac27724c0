import Claims
import Digests
import Failures
import SQLite
import Text

/// The hash of the pay keys' fingerprints, with its secret key as the ledger keeps it. The key has a digest, because
/// with a wrong key every payment would look new.
extension KeyedHash {
  /// XXH3 of both halves, little-endian.
  private var digest: UInt64 {
    var bytes = TextBuffer()
    bytes.append(littleEndian: key0)
    bytes.append(littleEndian: key1)
    return XXH3.checksum(of: bytes.span)
  }

  func insert(_ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO hashKey (key0, key1, digest) VALUES (?, ?, ?)",
      arguments: [Int64(bitPattern: key0), Int64(bitPattern: key1), Int64(bitPattern: digest)])
  }

  /// The ledger's hash; throws if it is lost, or is not what was written.
  static func fetch(_ database: Database) throws -> KeyedHash {
    let rows = try Row.fetchAll(database, sql: "SELECT key0, key1, digest FROM hashKey")
    guard rows.count == 1 else {
      throw Failure.damagedLedger("it has lost the key of its fingerprints")
    }
    let (key0, key1, digest): (Int64, Int64, Int64) = (
      try rows[0].value("key0"), try rows[0].value("key1"), try rows[0].value("digest")
    )
    let hash = KeyedHash(key0: UInt64(bitPattern: key0), key1: UInt64(bitPattern: key1))
    guard Int64(bitPattern: hash.digest) == digest else {
      throw Failure.damagedLedger("the key of its fingerprints is not what was written")
    }
    return hash
  }
}
