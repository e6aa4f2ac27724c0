import BatchRun
import FileSystem
import FoundationEssentials
import Ledger
import Money
import Reports
import Verification

extension Payout {
  /// Enters the payout in a directory, under its own number, to make a lost ledger again.
  ///
  /// Throws if the directory does not verify, or if a return or payment does not fit the balances.
  /// - Returns: the payout's number.
  public static func adopt(
    _ path: String, ledger: String, note: @escaping (String) -> Void
  ) throws(RunFailure) -> Int {
    let ledger = try open(ledger, note: note)
    guard ledger.ledger.lastRun > 0 else { throw .usage("\(ledger.shown): the ledger has no run yet") }
    guard let place = try RunLedger.standing(at: path) else {
      throw .unreadable("\(OutputPlace.shown(path)): there is no such directory")
    }
    let lists = try PayoutLists(beside: place)
    let (entry, number) = try PayoutAdoption(path, place, ledger, lists).read()
    return try ledger.making(place, replaces: false, adopts: true) { () throws(RunFailure) in
      try ledger.publishPayout(nil, exitCode: 0, note: note) { () throws(LedgerFailure) in
        try lists.enter(entry, number: number, in: ledger.ledger)
      }
    }
  }
}

/// A published payout that is compared with the balances of a ledger.
private struct PayoutAdoption {
  private let place: OutputPlace
  private let ledger: RunLedger
  private let lists: PayoutLists
  private let audit: PayoutAudit
  private let shown: String

  init(_ path: String, _ place: OutputPlace, _ ledger: RunLedger, _ lists: PayoutLists) throws(RunFailure) {
    (self.place, self.ledger, self.lists, shown) = (place, ledger, lists, OutputPlace.shown(path))
    audit = PayoutAudit(try ReportFolder(path: path))
  }

  private func unfit(_ what: String) -> RunFailure { .inputOutput("\(shown): \(what); nothing was entered") }

  private func expectSound() throws(RunFailure) {
    guard audit.log.count > 0 else { return }
    throw audit.log.failure(shown) { .inputOutput("\($0); nothing was entered") }
  }

  /// What the ledger should keep of the payout. This fills its lists.
  func read() throws(RunFailure) -> (PayoutEntry, number: Int) {
    try audit.readSummary()
    try audit.readReturns()
    try expectSound()
    let said = audit.summary!
    let earlier = try ledger.calling(ledger.ledger.payouts())
    try expectPlace(said, earlier)
    try expectReturns(until: earlier.last?.number ?? 0)
    try lists.takeReturns(audit.returns)
    let book = try ledger.calling(
      ledger.ledger.balances(until: said.identity.untilRun, returns: lists.returns, firstRun: said.firstRun))
    try audit.readBalances(BalanceComparison(book, shown: ledger.shown), lists)
    try audit.finish(after: earlier.last)
    try expectSound()
    let entry = try PayoutEntry(
      time: Date.now.formatted(.iso8601), engine: said.engine, identity: said.identity, firstRun: said.firstRun,
      ledger: said.ledger, isAdopted: true, exitCode: audit.exitCode,
      achFiles: said.files.count { $0.method == .ach }, totals: said.totals,
      directory: FileName.bytes(asRunFailure(place.absolutePath())), sums: audit.sums)
    return (entry, said.number)
  }

  /// Throws unless the payout comes after those of the ledger, directly after a run in the ledger.
  private func expectPlace(_ said: PayoutSummary, _ earlier: [NumberedPayout]) throws(RunFailure) {
    let last = earlier.last
    guard last?.number ?? 0 < said.number, said.number <= Payout.mostPayouts else {
      throw unfit("it holds payout \(said.number), and the ledger has payout \(last?.number ?? 0)")
    }
    guard (last?.entry.untilRun ?? 1)...ledger.ledger.lastRun ~= said.identity.untilRun else {
      throw unfit("it was made up to run \(said.identity.untilRun), and the ledger has run \(ledger.ledger.lastRun)")
    }
    let first = try ledger.calling(ledger.ledger.firstRun())
    guard last == nil ? said.firstRun >= first : said.firstRun == first else {
      throw unfit("it counts runs from \(said.firstRun) on, and the ledger from \(first) on")
    }
  }

  /// Throws unless each return is of an earlier payment that did not come back before.
  private func expectReturns(until last: Int) throws(RunFailure) {
    let lookup = try ledger.calling(ledger.ledger.paymentLookup())
    var booked = Set<PaymentReference>()
    try asRunFailure(
      ledger: ledger.shown, lookup.forEachReturn(until: last) { note, _, _ in booked.insert(note.reference) })
    for (note, payment) in audit.returns {
      guard !booked.contains(note.reference),
        try asRunFailure(ledger: ledger.shown, lookup.payment(note.reference)) == payment
      else { throw unfit("the return of \(note.reference.text) does not fit the payments of the ledger") }
    }
  }
}
