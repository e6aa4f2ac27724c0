import Foundation
import TestSupport
import Testing

@testable import SQLite

@Suite("Connections to SQLite")
struct DatabaseTests {
  let folder: TemporaryFolder
  var path: String { folder.path("database") }

  init() throws { folder = try TemporaryFolder() }

  private func make() throws -> Database {
    let database = try Database(path: path)
    try database.execute(
      sql: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, content BLOB) STRICT;
        CREATE TABLE u (t INTEGER NOT NULL REFERENCES t ON DELETE CASCADE) STRICT
        """)
    return database
  }

  @Test("values come back as they were written, whatever their length and bytes")
  func values() throws {
    let database = try make()
    let long = String(repeating: "€\u{0}x", count: 40_000)
    for (id, name, content) in [
      (Int64.min, "", [UInt8]()), (Int64.max, long, Array(long.utf8)), (0, "'; DROP TABLE t", [0, 1, 255]),
    ] as [(Int64, String, [UInt8])] {
      try database.execute(sql: "INSERT INTO t VALUES (?, ?, ?)", arguments: [id, name, content])
      #expect(database.changesCount == 1)
      let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM t WHERE id = ?", arguments: [id]))
      #expect(try row.value("id") == id && row.value("name") == name && row.value("content") == content)
    }
    try database.execute(sql: "INSERT INTO t VALUES (?, ?, ?)", arguments: [1, String?.none, [UInt8]?.none])
    let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM t WHERE id = 1"))
    #expect(try row.value("name") == String?.none && row.value("content") == [UInt8]?.none)
    #expect(try Int64.fetchAll(database, sql: "SELECT id FROM t ORDER BY id") == [Int64.min, 0, 1, Int64.max])
    #expect(try Int.fetchOne(database, sql: "SELECT id FROM t WHERE id = 5") == nil)
    #expect(try Bool.fetchOne(database, sql: "SELECT id FROM t WHERE id = 1") == true)
  }

  @Test("bound texts and bytes come back as they were, also empty ones", arguments: [[], [0x61], [0x61, 0, 0x62]])
  func bound(bytes: [UInt8]) throws {
    let database = try make()
    let insert = try database.cachedStatement(sql: "INSERT INTO t VALUES (1, ?, ?)")
    insert.bind(bytes.span, at: 1, isText: true)
    insert.bind(bytes.span, at: 2)
    try insert.forEach { _ in true }
    let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM t"))
    #expect(try row.value("name") == String(decoding: bytes, as: UTF8.self) && row.value("content") == bytes)
  }

  @Test("another kind of value than is read is an error, a column that is not there is null")
  func kinds() throws {
    let database = try make()
    try database.execute(sql: "INSERT INTO t VALUES (1, 'x', x'00')")
    let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM t"))
    #expect(throws: UnexpectedValue.self) { try row.value("name") as Int }
    #expect(throws: UnexpectedValue.self) { try row.value("id") as String }
    #expect(throws: UnexpectedValue.self) { try row.value("content") as String? }
    #expect(throws: UnexpectedValue.self) { try row.value("later") as Int }
    #expect(try row.value("later") == Int?.none)
    #expect(row.hasColumn("name") && !row.hasColumn("later"))
    #expect(throws: UnexpectedValue.self) { try Int32.fetchOne(database, sql: "SELECT 1 << 40") }
  }

  @Test("a write is kept whole or not at all")
  func transactions() throws {
    let database = try make()
    struct Stop: Error {}
    try database.write { try $0.execute(sql: "INSERT INTO t (id) VALUES (1)") }
    #expect(throws: Stop.self) {
      try database.write {
        try $0.execute(sql: "INSERT INTO t (id) VALUES (2)")
        throw Stop()
      }
    }
    #expect(throws: DatabaseError.self) {
      try database.write { try $0.execute(sql: "INSERT INTO t (id) VALUES (3); INSERT INTO t (id) VALUES (1)") }
    }
    #expect(try Int.fetchAll(database, sql: "SELECT id FROM t") == [1])
    // Foreign keys count.
    try database.write { try $0.execute(sql: "INSERT INTO u VALUES (1)") }
    #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: "INSERT INTO u VALUES (9)") } }
    try database.write { try $0.execute(sql: "DELETE FROM t") }
    #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM u") == 0)
  }

  @Test("reads in one transaction see what was there when they began, also one within another")
  func snapshots() throws {
    let database = try make()
    let other = try Database(path: path)
    // Without it a reader makes a writer wait.
    try database.execute(sql: "PRAGMA journal_mode = WAL")
    try database.read { database in
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM t") == 0)
      try other.write { try $0.execute(sql: "INSERT INTO t (id) VALUES (1)") }
      #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
    }
    #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM t") == 1)
  }

  @Test("errors have SQLite's code and words")
  func errors() throws {
    let database = try make()
    let syntax = try #require(throws: DatabaseError.self) { try database.execute(sql: "SELEC") }
    #expect(syntax.code == 1 && syntax.message.contains("SELEC"))
    #expect(throws: DatabaseError.self) { try database.cachedStatement(sql: "SELECT * FROM v") }
    let unique = try #require(throws: DatabaseError.self) {
      try database.execute(sql: "INSERT INTO t (id) VALUES (1), (1)")
    }
    #expect(unique.code == 19 && unique.extendedCode == 1555)
    let missing = try #require(throws: DatabaseError.self) {
      try Database(path: folder.path("none"), isReadOnly: true)
    }
    #expect(missing.code == 14)
    let reader = try Database(path: path, isReadOnly: true)
    let denied = try #require(throws: DatabaseError.self) { try reader.execute(sql: "DELETE FROM t") }
    #expect(denied.code == 8)
    try database.write { database in
      try database.execute(sql: "INSERT INTO t (id) VALUES (7)")
      let busy = try #require(throws: DatabaseError.self) { try Database(path: path).write { _ in } }
      #expect(busy.code == 5)
    }
  }

  @Test("a statement runs again with other arguments, to its end or not")
  func statements() throws {
    let database = try make()
    for id in 1...5 { try database.execute(sql: "INSERT INTO t (id) VALUES (?)", arguments: [id]) }
    let statement = try database.cachedStatement(sql: "SELECT id FROM t WHERE id >= ? ORDER BY id")
    #expect(try database.cachedStatement(sql: "SELECT id FROM t WHERE id >= ? ORDER BY id") === statement)
    for (first, limit) in [(4, 9), (1, 2), (3, 1)] {
      statement.bind(Int64(first), at: 1)
      var found: [Int64] = []
      try statement.forEach { row in
        found.append(row.number(0))
        return found.count < limit
      }
      #expect(found == Array((Int64(first)...5).prefix(limit)))
    }
  }

  @Test("a copy is the current database")
  func backup() throws {
    let database = try make()
    try database.write { database in
      for id in 1...2000 {
        try database.execute(
          sql: "INSERT INTO t VALUES (?, 'x', ?)", arguments: [id, [UInt8](repeating: 7, count: 100)])
      }
    }
    let copy = try Database(path: path + "-copy")
    try database.backup(to: copy, pagesPerStep: 3)
    #expect(try Int.fetchOne(copy, sql: "SELECT sum(length(content)) FROM t") == 200_000)
  }

  @Test("a closed connection releases its file")
  func close() throws {
    let database = try make()
    database.close()
    database.close()
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(!open.contains(path))
  }
}
