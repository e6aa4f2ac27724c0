import BatchRun
import ExactArithmetic
import FileSystem
import FoundationEssentials
import Ledger
import Money
import Reports
import Text

/// What a payout came to.
public enum PayoutResult: Sendable {
  /// It is made, entered and published.
  case made(PayoutFigures)
  /// An earlier payout is the same; if its files were not at the output, they are there now. The figures are nil if the
  /// files cannot be read again.
  case alreadyMade(PayoutEntry, isPublishedAgain: Bool, PayoutFigures?)
  /// The same payout was made before into another directory, or its files are gone or changed: nothing was written.
  case madeBefore(PayoutEntry, filesStand: Bool, unpaid: [UnpaidBalances])
  /// The files that it reads have faults; nothing was done.
  case faulty([FileFaults])
  /// The ledger may lack payouts, whose money would be paid again; nothing was done.
  case lacking(MissingPayouts.Refusal)

  /// The process's exit code: 1 if a balance waits for someone to act, 3 if nothing was written, 74 if the ledger may
  /// lack payouts, 78 if a file has faults.
  public var exitCode: Int32 {
    switch self {
    case .made(let figures): figures.exitCode
    case .alreadyMade(let payout, _, _): payout.exitCode
    case .madeBefore: 3
    case .faulty: 78
    case .lacking: 74
    }
  }
}

/// Turns the balances of a ledger into payments and bank files (`payouts.md`).
public struct Payout {
  /// What a payout should do.
  public struct Options: Sendable {
    /// The ledger's file; it must exist.
    public var ledger: String
    /// The payees file.
    public var payees: String
    /// The day of the payout, as `YYYY-MM-DD`.
    public var date: String
    /// The day the bank is to pay, in the same form.
    public var executionDate: String
    /// The run it is made up to; nil for the last one.
    public var untilRun: Int?
    /// The first run that counts, in the first payout; nil for the first with balances.
    public var since: Int?
    /// The least balances paid; an amount has its currency's decimals.
    public var minimums: [Currency: ExactDecimal] = [:]
    /// The files of payments that came back.
    public var returned: [String] = []
    /// The file of the accounts that pay; without it there are no files for the bank.
    public var debtor: String?
    /// The directory to make.
    public var output: String
    /// Whether a payout that was made before is published here again.
    public var republishes = false

    /// Options with the required values.
    public init(ledger: String, payees: String, date: String, executionDate: String, output: String) {
      (self.ledger, self.payees, self.date) = (ledger, payees, date)
      (self.executionDate, self.output) = (executionDate, output)
    }
  }

  let options: Options
  let ledger: RunLedger
  let files: PayoutFiles
  let note: (String) -> Void

  /// Makes a payout, all or nothing; the directory is published when it returns.
  ///
  /// - Parameter note: called with what was cleaned up after an earlier run or payout.
  public static func make(_ options: Options, note: @escaping (String) -> Void) throws(RunFailure) -> PayoutResult {
    let ledger = try open(options.ledger, note: note)
    guard ledger.ledger.lastRun > 0 else { throw .usage("\(ledger.shown): the ledger has no run yet") }
    if let refusal = try MissingPayouts.refusal(of: ledger, output: options.output, note: note) {
      return .lacking(refusal)
    }
    return try Payout(
      options: options, ledger: ledger,
      files: PayoutFiles(payees: options.payees, returned: options.returned, debtor: options.debtor), note: note
    ).make()
  }

  /// Opens a ledger that must exist, and cleans up after an interrupted run or payout.
  static func open(_ path: String, note: (String) -> Void) throws(RunFailure) -> RunLedger {
    let isGone = OutputPlace.isGone(path)
    if isGone, OutputPlace.isGone(path + "-lock") {
      throw .unreadable("\(OutputPlace.shown(path)): there is no such ledger")
    }
    do throws(RunFailure) {
      // A lock file without a ledger means that the ledger is lost.
      let ledger = try RunLedger(path, mustHaveRuns: isGone)
      try ledger.recover(note: note)
      return ledger
    } catch .configuration(let text) {
      throw .inputOutput(text)
    }
  }

  private func make() throws(RunFailure) -> PayoutResult {
    let all = try ledger.calling(ledger.ledger.payouts())
    let until = options.untilRun ?? ledger.ledger.lastRun
    if let earlier = files.identity(options, until: until).flatMap({ identity in all.first { $0.isSame(as: identity) } }
    ) {
      if try stands(earlier) {
        // Files that an interrupted payout could not remove.
        let place = try asRunFailure(OutputPlace(path: options.output))
        try LedgerNote.resolve(place, except: ledger, note: note)
        try? SettlementDirectory.clearAway(place)
        return .alreadyMade(earlier, isPublishedAgain: false, try figures(of: earlier))
      }
      guard options.republishes else {
        return .madeBefore(earlier, filesStand: earlier.isPublished, unpaid: try unpaid())
      }
      return try publishAgain(earlier, Array(all.prefix { $0.number != earlier.number }))
    }
    if options.republishes { throw notMade(all.last, until: until) }
    let firstRun = try firstRun(all, until: until)
    let place = try freePlace()
    if let faulty = try readFaults(before: .max) { return faulty }
    let number = try ledger.calling(ledger.ledger.lastKnownPayout()) + 1
    guard number <= Self.mostPayouts else {
      throw .configuration(
        "TOO_MANY_PAYOUTS: the next payout would be \(number); the most of a ledger is \(Self.mostPayouts). Settle "
          + "later nights with a new ledger, and pay by hand what this one still owes: settle history --ledger "
          + "\(ledger.shown) --payouts")
    }
    let identity = files.identity(options, until: until)!
    let name = try ledger.calling(ledger.ledger.name()).digits
    return try ledger.making(place, replaces: false) { () throws(RunFailure) in
      let directory = try newDirectory()
      let lists = try PayoutLists(beside: directory.place)
      let subject = subject(number, identity, firstRun: firstRun, ledgerID: name, earlier: all)
      let (figures, entry) = try make(subject, in: directory, lists)
      _ = try ledger.publish(.payout, directory, exitCode: figures.exitCode, note: note) { () throws(LedgerFailure) in
        try lists.enter(entry, in: ledger.ledger)
      }
      return .made(figures)
    }
  }

  static let mostPayouts = 99_999

  func subject(
    _ number: Int, _ identity: PayoutIdentity, firstRun: Int, ledgerID: String, earlier: [PayoutEntry]
  ) -> PayoutMaking.Subject {
    PayoutMaking.Subject(
      number: number, identity: identity, firstRun: firstRun, ledgerID: ledgerID, minimums: options.minimums,
      earlier: earlier, shownLedger: ledger.shown)
  }

  /// Writes all files of a payout, complete under the directory's temporary name.
  ///
  /// - Returns: its figures, and what the ledger should keep of it.
  func make(
    _ subject: PayoutMaking.Subject, in directory: SettlementDirectory, _ lists: PayoutLists
  ) throws(RunFailure) -> (PayoutFigures, PayoutEntry) {
    let making = try PayoutMaking(subject, files, lists: lists, makeFile: TableFile.maker(in: directory))
    let again = try ledger.calling(ledger.ledger.payouts()).first { $0.number == subject.number }
    var figures = try making.make { () throws(LedgerFailure) in
      try ledger.ledger.balances(
        until: again?.bookedRun ?? subject.identity.untilRun, before: again, returns: lists.returns,
        firstRun: subject.firstRun)
    }
    try date(&figures.oldestDebt)
    try directory.complete()
    let entry = try PayoutEntry(
      number: subject.number, time: Date.now.formatted(.iso8601), engine: BatchRun.version, identity: subject.identity,
      firstRun: subject.firstRun, ledger: subject.ledgerID, isAdopted: false, exitCode: figures.exitCode,
      achFiles: figures.files.countOfDay, totals: figures.totals,
      directory: FileName.bytes(asRunFailure(directory.place.absolutePath())), sums: directory.sums)
    return (figures, entry)
  }

  /// Completes a debt with the time at which its run was entered.
  func date(_ debt: inout (run: Int, time: String)?) throws(RunFailure) {
    guard let run = debt?.run else { return }
    debt = try ledger.calling(ledger.ledger.run(number: run)).map { (run, $0.time) }
  }

  func newDirectory() throws(RunFailure) -> SettlementDirectory {
    try asRunFailure(
      SettlementDirectory(path: options.output, replaces: false, leastFiles: PayoutReport.allCases.count))
  }

  /// The first run that counts; throws if `--until` or `--since` does not fit the ledger.
  private func firstRun(_ payouts: [PayoutEntry], until: Int) throws(RunFailure) -> Int {
    let last = ledger.ledger.lastRun
    let least = try max(1, ledger.calling(ledger.ledger.lastBookedRun()))
    guard least...last ~= until else {
      throw .usage("--until takes a run of the ledger, \(least) to \(last), not \(until)")
    }
    let first = try ledger.calling(ledger.ledger.firstRun())
    if !payouts.isEmpty {
      guard options.since == nil else { throw .usage("--since is only for the first payout of a ledger") }
      return first
    }
    guard let since = options.since else {
      guard until - first < 1 else {
        throw .usage(
          "the first payout of a ledger would pay runs \(first) to \(until); say with --since RUN which run is the first "
            + "that is not paid yet. All runs before RUN were paid by hand, and count zero for good, debts too; "
            + "--since \(first) pays all of them")
      }
      return first
    }
    guard since >= first, since <= until + 1 else {
      throw .usage("--since takes a run from \(first), the first with balances, to \(until + 1), not \(since)")
    }
    return since
  }

  /// The output, which must be free.
  func freePlace() throws(RunFailure) -> OutputPlace {
    let place = try asRunFailure(OutputPlace(path: options.output))
    try asRunFailure(place.expectNothing())
    try LedgerNote.resolve(place, except: ledger, note: note)
    try asRunFailure(place.expectNothing())
    return place
  }

  /// The faults of the files, after looking up the returns, or nil.
  ///
  /// - Parameter number: only payouts with a lower number count.
  func readFaults(before number: Int) throws(RunFailure) -> PayoutResult? {
    if let failure = files.failure { throw failure }
    try asRunFailure(ledger: ledger.shown, files.returned.resolve(ledger.ledger.paymentLookup(), until: number - 1))
    if files.returned.skipped > 0 {
      note("returned payments that are booked already, with the same reason: \(files.returned.skipped), skipped")
    }
    let faults = files.faults
    return faults.isEmpty ? nil : .faulty(faults)
  }
}

extension PayoutEntry {
  /// Whether it is the payout with an identity. For an adopted payout it is not known whether `--since` was given.
  func isSame(as identity: PayoutIdentity) -> Bool {
    var other = identity
    if isAdopted, identity.since == self.firstRun { other.since = nil }
    return self.identity == other
  }
}
