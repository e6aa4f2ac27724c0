import BatchRun
import Failures
import Ledger

/// The ledger with which a batch in shards is settled.
extension LedgerReading {
  /// What `gather.json` keeps of it.
  func noted() throws(Failure) -> GatheredLedger { GatheredLedger(id: try id(), run: lastRun) }

  /// Throws if it is not the ledger of the plan and of `gather.json`.
  func expectSame(as plan: ShardPlan, _ noted: GatheredLedger) throws(Failure) {
    guard hash == plan.hash, try id() == noted.id else {
      throw .configuration("\(shown): is not the ledger that was planned; plan the batch again")
    }
  }
}

extension GatheredPlaces {
  /// The earlier settlements in the ledger as it was when the shards were gathered; nil without a ledger. Throws if
  /// another run was entered since (75).
  func openEarlier(_ work: ShardWork) throws(Failure) -> SettlementLookup? {
    guard let path = work.plan.ledger, let noted = ledger else { return nil }
    let planned = try LedgerReading(path: path)
    try planned.expectSame(as: work.plan, noted)
    guard planned.lastRun >= noted.run else {
      throw .inputOutput("\(planned.shown): has fewer runs than when the shards were gathered")
    }
    return try planned.earlier(before: noted.run + 1)
  }
}
