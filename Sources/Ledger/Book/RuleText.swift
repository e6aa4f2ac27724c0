import Digests
import Failures
import SQLite

/// The texts of the rules that runs used, each kept once.
enum RuleText {
  /// Enters a text, unless the ledger already has it, and returns its SHA-256.
  static func insert(_ database: Database, _ text: [UInt8]) throws -> [UInt8] {
    let digest = SHA256.digest(of: text).bytes
    try database.execute(
      sql: "INSERT OR IGNORE INTO ruleText (digest, content) VALUES (?, ?)", arguments: [digest, text])
    return digest
  }

  /// The text with a SHA-256; nil if the ledger lacks that text. Throws if it is not what was entered.
  static func find(_ database: Database, _ digest: [UInt8]) throws -> [UInt8]? {
    try Row.fetchOne(database, sql: "SELECT content FROM ruleText WHERE digest = ?", arguments: [digest]).map {
      let text = try $0.bytes("content")
      guard SHA256.digest(of: text).bytes == digest else {
        throw Failure.damagedLedger("a rule does not match its digest")
      }
      return text
    }
  }

  /// Removes the texts of runs that are gone.
  static func removeUnused(_ database: Database) throws {
    try database.execute(sql: "DELETE FROM ruleText WHERE digest NOT IN (SELECT digest FROM runRule)")
  }

  /// Reads all texts, and throws if one is not what was entered, is missing, or belongs to no run.
  static func check(_ database: Database) throws {
    var unused = Set(try Row.fetchAll(database, sql: "SELECT digest FROM ruleText").map { try $0.bytes("digest") })
    for digest in unused { _ = try find(database, digest) }
    let rules = try Row.fetchAll(database, sql: "SELECT run, digest FROM runRule ORDER BY run")
    for rule in rules where try find(database, rule.bytes("digest")) == nil {
      throw Failure.damagedLedger("a rule of run \(try rule.value("run") as Int) is missing")
    }
    for rule in rules { unused.remove(try rule.bytes("digest")) }
    if !unused.isEmpty { throw Failure.damagedLedger("it has a rule that belongs to no run") }
  }
}
