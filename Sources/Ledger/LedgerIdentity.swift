import Failures
import FoundationEssentials
import SQLite

/// What a ledger keeps about itself, in its only row of `ledgerID`.
struct LedgerIdentity: Equatable {
  /// Pairs the ledger with its lock file; drawn when the ledger is made, and again by `ledger adopt`.
  var id: UUID
  /// The name for life.
  var name: LedgerName
  /// The highest number of a payout that the lock file or the operator named, entered or missing.
  var lastPayout = 0
  /// The highest number of a payout according to the operator; nil if it was never said.
  var word: Int?
  /// Whether `run --adopt` made the ledger without a lock file, so that only the operator knows which payouts exist.
  var isMadeAgain = false
  /// Whether the ledger has had a witness.
  var hasWitness = false
  /// The digest of the directory of payout `lastPayout`, while that is missing; nil if it is not known.
  var lastDirectory: Int64?
  /// The names of other shops' ledgers, according to the operator.
  var others: Set<LedgerName> = []

  /// Whether no payout may be made before the operator has said which was the last.
  var needsWord: Bool { isMadeAgain && word == nil }

  /// Takes the name and the last payout that the lock file or the witness of a lost ledger says.
  mutating func adopt(_ known: LedgerSlot) {
    name = known.name
    if known.lastPayout >= lastPayout {
      (lastPayout, lastDirectory) = (known.lastPayout, known.payoutDirectory == 0 ? nil : known.payoutDirectory)
    }
    isMadeAgain = known.needsWord || known.isBesideDamage
  }

  /// Reads it; throws if it is not what was written.
  ///
  /// - Parameter isEarlier: whether the ledger is still of 1.0.0-rc.2. Its name is the beginning of its id.
  init(_ database: Database, isEarlier: Bool = false) throws {
    let row = try Self.row(database)
    id = try row.value("id")
    name = LedgerName(of: id)
    lastPayout = try row.value("lastPayout")
    if isEarlier || !row.hasColumn("digest") {
      isMadeAgain = try Bool.fetchOne(database, sql: LedgerSchema.madeAgain) ?? false
      return
    }
    guard try row.value("digest") == RowDigest.of([row]), let name = LedgerName(digits: try row.value("name")) else {
      throw Failure.damagedLedger("its id or name is not what was written")
    }
    self.name = name
    word = try row.value("word")
    isMadeAgain = try row.value("madeAgain")
    guard row.hasColumn("witness") else { return }
    hasWitness = try row.value("witness") ?? false
    lastDirectory = try row.value("lastDirectory")
    others = Set((try row.value("others") ?? "").split(separator: " ").compactMap { LedgerName(digits: String($0)) })
  }

  private static func row(_ database: Database) throws -> Row {
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM ledgerID")
    guard rows.count == 1 else { throw Failure.damagedLedger("it has lost its id") }
    return rows[0]
  }

  /// Writes it in place of what the ledger had.
  func write(_ database: Database) throws {
    try database.execute(
      sql: "UPDATE ledgerID SET id = ?, name = ?, lastPayout = ?, word = ?, madeAgain = ?",
      arguments: [id, name.digits, lastPayout, word, isMadeAgain])
    if try Self.row(database).hasColumn("witness") {
      // Null where nothing is known: so the digest of a ledger of an earlier version stays.
      let others = others.map(\.digits).sorted().joined(separator: " ")
      try database.execute(
        sql: "UPDATE ledgerID SET witness = ?, lastDirectory = ?, others = ?",
        arguments: [hasWitness ? true : nil, lastDirectory, others.isEmpty ? nil : others])
    }
    let digest = RowDigest.of([try Self.row(database)])
    try database.execute(sql: "UPDATE ledgerID SET digest = ?", arguments: [digest])
  }
}
