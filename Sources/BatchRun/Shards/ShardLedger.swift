import FileSystem
import JSON
import Ledger

/// The ledger that a batch in shards is settled beside.
extension AskedLedger {
  /// What the shards' gathering keeps of it.
  func json() throws(RunFailure) -> JSONTree { ["id": .string(try id()), "run": .number(lastRun)] }

  private func id() throws(RunFailure) -> String { try asRunFailure(ledger: shown, reading.id()) }

  /// Throws if it is another ledger than the one that was planned and noted.
  func expectSame(as plan: ShardPlan, _ noted: ShardJSON) throws(RunFailure) {
    guard reading.hash == plan.hash, try id() == noted.string("id") else {
      throw .configuration("\(shown): is another ledger than the one that was planned; plan the batch anew")
    }
  }
}

extension GatheredPlaces {
  /// What the ledger tells, as it stood when the shards were gathered; nil without one. Throws if another run came
  /// between (75).
  func openEarlier(_ work: ShardWork) throws(RunFailure) -> EarlierSettlements? {
    guard let path = work.plan.ledger, let noted = ledger else { return nil }
    let planned = try AskedLedger(path)
    let run = try noted.number("run")
    try planned.expectSame(as: work.plan, noted)
    guard planned.lastRun >= run else {
      throw .inputOutput("\(planned.shown): has fewer runs than when the shards were gathered")
    }
    return try planned.earlier(before: run + 1)
  }
}
