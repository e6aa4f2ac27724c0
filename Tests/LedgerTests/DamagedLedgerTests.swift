import Claims
@testable import SQLite
import Failures
import TestSupport
import Testing

@testable import Ledger

@Suite("What changed on the disk is named by a check, and reported to a run that reads it")
struct DamagedLedgerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A night with details, refunds and agreements; the first has the agreement that the others use.
  private func night(_ number: Int) -> Night {
    let keys = (0..<500).map { Fingerprint(low: UInt64($0), high: UInt64(number * 1000 + $0) << 50).ofPayKey }
    var night = Night(number, keys: keys)
    night.details = Dictionary(uniqueKeysWithValues: keys.map { ($0, Array(repeating: 7, count: 90)) })
    night.rules = ["fees": [1, 2, 3], "taxes": [UInt8(number)]]
    night.refunds = keys.prefix(3).map { RefundEntry(refundKey: "r\(number)-\($0.low)", payment: $0, taken: [1, 2]) }
    night.agreements = [
      AgreementEntry(preapprovalKey: "new-\(number)", records: [[1], [2]]),
      AgreementEntry(
        preapprovalKey: "old", records: number == 1 ? [[1]] : [],
        uses: [AgreementEntry.Use(period: 0, payments: 1, amount: "1.00")]),
    ]
    return night
  }

  /// Changes that a flipped bit on the disk may make, and the message for each.
  static let damages = [
    "UPDATE run SET rejected = 9 WHERE number = 2": "its entry of run 2 is not what was written",
    "UPDATE run SET time = '2026-11-21T22:00:01Z' WHERE number = 1": "its entry of run 1 is not what was written",
    "UPDATE runTotal SET fees = '2.01' WHERE run = 3": "its entry of run 3 is not what was written",
    "UPDATE runFile SET bytes = bytes + 1 WHERE run = 2": "its entry of run 2 is not what was written",
    "DELETE FROM runFile WHERE run = 2": "its entry of run 2 is not what was written",
    "UPDATE run SET directory = x'2f' WHERE number = 3": "its entry of run 3 is not what was written",
    "UPDATE run SET digest = 0 WHERE number = 3": "its entry of run 3 is not what was written",
    "DELETE FROM run WHERE number = 2": "run 2 is gone",
    "UPDATE keySegment SET shard = shard + 1 WHERE id = 3": "a segment of pay keys is not what was written",
    "UPDATE keySegment SET filter = zeroblob(length(filter)) WHERE id = 3":
      "a filter of pay keys is not what was written",
    "DELETE FROM keyBlock WHERE id = (SELECT min(id) FROM keyBlock)": "are not what was written",
    "INSERT INTO keyBlock (id, entries) VALUES (9000000000000000000, x'00')": "belong to no run",
    "UPDATE hashKey SET key1 = key1 + 1": "the key of its fingerprints is not what was written",
    "DELETE FROM detailBlock WHERE id = (SELECT min(id) FROM detailBlock)":
      "lost details of payments that run 1 settled",
    "UPDATE detailBlock SET entries = zeroblob(length(entries)) WHERE id > 2 << 40":
      "details of settled payments are not what was written",
    "INSERT INTO detailBlock SELECT id + (7 << 40), entries FROM detailBlock LIMIT 1":
      "details of settled payments are not what was written",
    "UPDATE run SET details = 7 WHERE number = 2": "its entry of run 2 is not what was written",
    "UPDATE run SET day = 5 WHERE number = 2": "its entry of run 2 is not what was written",
    "UPDATE runTotal SET refunded = '5.00' WHERE run = 2": "its entry of run 2 is not what was written",
    "UPDATE run SET pruned = 2 WHERE number = 2": "its entry of run 2 is not what was written",
    "UPDATE ruleText SET content = x'010204' WHERE length(content) = 3": "a rule does not match its digest",
    "DELETE FROM ruleText WHERE content = x'02'": "a rule of run 2 is missing",
    "DELETE FROM runRule WHERE run = 3 AND name = 'taxes'": "its entry of run 3 is not what was written",
    "UPDATE runRule SET digest = zeroblob(32) WHERE run = 3": "a rule of run 3 is missing",
    "INSERT INTO ruleText VALUES (x'2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6', x'63')":
      "it has a rule that belongs to no run",
    "UPDATE refund SET taken = x'0103' WHERE id = 2 << 32": "a refund is not what was written",
    "UPDATE refund SET refundKey = 'r' WHERE id = 2 << 32": "a refund is not what was written",
    "DELETE FROM refund WHERE id = 2 << 32": "a refund is not what was written",
    """
    DELETE FROM refund WHERE id = (2 << 32) + 2; DELETE FROM refundByKey WHERE id = (2 << 32) + 2;
    DELETE FROM refundByPayment WHERE id = (2 << 32) + 2
    """: "run 2 made 3 refunds, and has 2 refunds",
    "DELETE FROM refundByKey WHERE id = 2 << 32": "the index refundByKey is inconsistent",
    "UPDATE refundByPayment SET hash = hash + 1 WHERE id = 2 << 32":
      "the index refundByPayment is inconsistent",
    "INSERT INTO refundByPayment VALUES (1, 2)": "the index refundByPayment is inconsistent",
    "DELETE FROM agreementRecord WHERE agreement = 2": "an agreement is not what was written",
    "UPDATE agreementUse SET amount = '0.00' WHERE run = 2": "an agreement is not what was written",
    "UPDATE agreement SET preapprovalKey = 'none' WHERE id = 1": "an agreement is not what was written",
    "DELETE FROM agreement WHERE id = 1": "it has entries that belong to no agreement",
    "DELETE FROM agreementByKey WHERE id = 1": "the index agreementByKey is inconsistent",
    "UPDATE ledgerID SET id = zeroblob(16)": "its id or name is not what was written",
    "UPDATE ledgerID SET lastPayout = 7": "its id or name is not what was written",
    "UPDATE runFile SET digest = 'x' WHERE run = 2": "its entry of run 2 is not what was written",
    "UPDATE runRule SET digest = x'00' WHERE run = 2": "its entry of run 2 is not what was written",
    "CREATE INDEX broken ON run (held); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'broken'":
      "SQLite",
  ]

  @Test("a check names what is damaged", arguments: damages)
  func checks(sql: String, says: String) throws {
    for number in 1...3 { try night(number).enter(folder.ledger()) }
    #expect(try LedgerCheck(ledger: folder.path("ledger")).findings == [])
    let database = try Database(path: folder.path("ledger"))
    try database.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)")
    database.close()
    let findings: [String]
    do { findings = try LedgerCheck(ledger: folder.path("ledger")).findings } catch { findings = ["\(error)"] }
    #expect(findings.contains { $0.contains(says) }, "\(findings)")
  }

  /// Damage to what a run reads, with the message for each.
  static let readDamages = [
    "DELETE FROM detailBlock WHERE id < 2 << 40": "lost details of payments that run 1 settled",
    "UPDATE detailBlock SET entries = zeroblob(length(entries)) WHERE id < 2 << 40":
      "details of settled payments are not what was written",
    "UPDATE detailBlock SET id = id - 1": "details of settled payments are not what was written",
    "UPDATE run SET details = NULL WHERE number = 1": "its entry of run 1 is not what was written",
    "UPDATE refund SET taken = x'00'": "a refund is not what was written",
    "DELETE FROM refund": "a refund is not what was written",
    "UPDATE agreementUse SET payments = 0": "an agreement is not what was written",
    "DELETE FROM agreementUse WHERE run = 2": "an agreement is not what was written",
    "DELETE FROM agreement": "an agreement is not what was written",
  ]

  @Test("a run that reads damaged content gets an error", arguments: readDamages)
  func tells(sql: String, says: String) throws {
    for number in 1...2 { try night(number).enter(folder.ledger()) }
    let database = try Database(path: folder.path("ledger"))
    try database.write { try $0.execute(sql: sql) }
    database.close()
    let entries = try folder.ledger().entryLookup()
    var found: [String] = []
    func tell(_ body: () throws(Failure) -> Void) {
      do throws(Failure) { try body() } catch { if error.kind == .damaged { found.append(error.text) } }
    }
    let key = Fingerprint(low: 0, high: 1000 << 50).ofPayKey
    tell { () throws(Failure) in _ = try entries.details(of: SettledPayment(run: 1, key: key)) }
    tell { () throws(Failure) in _ = try entries.run(ofRefund: "r1-0") }
    tell { () throws(Failure) in try entries.refunds(ofPayments: [key]) { _, _ in } }
    tell { () throws(Failure) in _ = try entries.agreement("old") }
    #expect(!found.isEmpty && found.allSatisfy { $0.contains(says) }, "\(found)")
    entries.close()
  }
}
