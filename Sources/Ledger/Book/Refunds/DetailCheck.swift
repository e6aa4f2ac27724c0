import Claims
import Failures
import SQLite

/// Reads all details of settled payments: in a run that has details, each pay key must have them, and there are no
/// others.
struct DetailCheck {
  private let database: Database
  private let find: DetailLookup
  /// The number of details that each run states, at the index one below the run's number; nil if none.
  private let expected: [Int?]
  private let isRunDamaged: [Bool]
  /// The block of each run in which its last key was found: keys come in ascending order, segment by segment.
  private var blocks: [DetailBlock]
  private var found: [Int]
  private let isValid: (Span<UInt8>) -> Bool

  /// - Parameter isValid: whether the details of a payment are.
  init(_ database: Database, _ runs: [RunEntry?], isValid: @escaping (Span<UInt8>) -> Bool) throws {
    self.isValid = isValid
    self.database = database
    find = try DetailLookup(database)
    expected = runs.map { $0?.detailCount }
    isRunDamaged = runs.map { $0 == nil }
    blocks = runs.map { _ in DetailBlock() }
    found = runs.map { _ in 0 }
  }

  /// Checks a settled pay key.
  mutating func check(_ key: Fingerprint, run: Int) throws {
    guard expected[run - 1] != nil else { return }
    guard try find.details(of: SettledPayment(run: run, key: key), in: &blocks[run - 1], isValid) else {
      throw Failure.damagedLedger("the fees of a payment that run \(run) settled do not add up")
    }
    found[run - 1] += 1
  }

  /// Throws if there are details of other payments.
  func finish() throws {
    var stored = expected.map { _ in 0 }
    var block = DetailBlock()
    try BlockTable.details.between(database).forEach(.min, .max) { row in
      try block.read(row.bytes(1), id: row.number(0))
      let run = Int(BlockTable.details.owner(of: block.id))
      guard stored.indices.contains(run - 1), expected[run - 1] != nil || isRunDamaged[run - 1] else {
        throw Failure.damagedLedger("it has details of payments that belong to no run")
      }
      stored[run - 1] += block.lows.count
      return true
    }
    for place in expected.indices {
      guard let expected = expected[place], expected != found[place] || expected != stored[place] else { continue }
      throw Failure.damagedLedger(
        "run \(place + 1) has details of \(stored[place]) payments, not of \(expected)")
    }
  }
}
