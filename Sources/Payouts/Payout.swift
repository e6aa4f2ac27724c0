import Bookkeeping
import Text
import ExactArithmetic
import Failures
import FileSystem
import FoundationEssentials
import Ledger
import Money
import Publication
import Documents
import Version

/// What a payout came to.
public enum PayoutResult: Sendable {
  /// It is made, entered and published.
  case made(PayoutFigures)
  /// An earlier payout is the same. If its files are at the output, with their figures, unless they cannot be read
  /// again; if not, with what is unpaid now.
  case earlier(FoundEntry<PayoutContent>, PayoutFigures?, unpaid: [UnpaidBalances])
  /// The files that it reads have faults; nothing was done.
  case faulty([FileFaults])
  /// The ledger may lack payouts, whose money would be paid again; nothing was done.
  case lacking(MissingPayouts.Refusal)
  /// It would come to this; nothing was done.
  case tried(PayoutFigures)

  /// The process's exit code: 1 if a balance waits for someone to act, 3 if nothing was written, 74 if the ledger may
  /// lack payouts, 78 if a file has faults.
  public var exitCode: Int32 {
    switch self {
    case .made(let figures), .tried(let figures): figures.exitCode
    case .earlier(let earlier, _, _): earlier.exitCode
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
    /// The ledger's witness; nil if none is given. Without an output it is only read.
    public var witness: String?
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
    /// The files of adjustments.
    public var adjustments: [String] = []
    /// The file of the accounts that pay; without it there are no files for the bank.
    public var debtor: String?
    /// The file of terms, which hold money that is not free yet; nil without terms.
    public var terms: String?
    /// Whether it books returns and adjustments, and pays no one.
    public var hasNoPayments = false
    /// The directory to make, or only to look at; nil without one.
    public var output: String?
    /// Whether nothing is made or changed.
    public var isTrial = false
    /// Whether a payout that was made before is published here again.
    public var republishes = false

    /// Options with the required values.
    public init(ledger: String, payees: String, date: String, executionDate: String, output: String?) {
      (self.ledger, self.payees, self.date) = (ledger, payees, date)
      (self.executionDate, self.output) = (executionDate, output)
    }
  }

  let options: Options
  let ledger: RunLedger
  let files: PayoutFiles
  let note: (String) -> Void
  let show: ([UInt8]) throws(Failure) -> Void

  /// Makes a payout, all or nothing; the directory is published when it returns.
  ///
  /// - Parameters:
  ///   - note: called with what was cleaned up after an earlier run or payout, and what someone should look at.
  ///   - witnessed: called with whether the witness could not be written, if one is given.
  ///   - show: without an output, called with the bytes of a table of what would happen to each balance.
  public static func make(
    _ options: Options, note: @escaping (String) -> Void, witnessed: (_ isBehind: Bool) -> Void = { _ in },
    show: @escaping ([UInt8]) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> PayoutResult {
    let ledger =
      try options.isTrial
      ? openKept(options.ledger, witness: options.witness)
      : open(options.ledger, witness: options.witness, note: note)
    guard ledger.ledger.lastRun > 0 else { throw .usage("\(ledger.shown): the ledger has no run yet") }
    let result = try Payout(
      options: options, ledger: ledger,
      files: PayoutFiles(
        payees: options.payees, returned: options.returned, adjustments: options.adjustments, terms: options.terms,
        debtor: options.debtor),
      note: note, show: show
    ).result()
    ledger.keepWitness(note: note)
    if let isBehind = ledger.isWitnessBehind { witnessed(isBehind) }
    return result
  }

  /// Opens a ledger that must exist, and cleans up after an interrupted run or payout.
  ///
  /// - Parameter witness: its witness; nil if none is given.
  static func open(_ path: String, witness: String? = nil, note: (String) -> Void) throws(Failure) -> RunLedger {
    try Failure.opening(path, witness: witness) { mustHaveRuns throws(Failure) in
      let ledger = try RunLedger(path, mustHaveRuns: mustHaveRuns, witness: witness)
      try ledger.recover(note: note)
      return ledger
    }
  }

  /// Opens a ledger that must exist, and changes nothing.
  private static func openKept(_ path: String, witness: String?) throws(Failure) -> RunLedger {
    try Failure.opening(path, witness: witness) { mustHaveRuns throws(Failure) in
      let ledger = try RunLedger(path, mustHaveRuns: mustHaveRuns, witness: witness, isKept: true)
      if let entered = try ledger.ledger.attempt()?.entered {
        throw .busy(
          "\(ledger.shown): \(entered) was interrupted while it was entered; the next run or payout completes or withdraws "
            + "it. A dry run changes nothing")
      }
      return ledger
    }
  }

  /// An earlier payout of the same identity.
  private enum Standing {
    /// No payout has this identity.
    case none
    /// Nothing is asked of its directory, or it has other files.
    case elsewhere(FoundEntry<PayoutContent>)
    /// Its files are at the output.
    case published(FoundEntry<PayoutContent>)
    /// Its files are to be published again.
    case lost(PayoutEntry)
  }

  private func result() throws(Failure) -> PayoutResult {
    let all = try ledger.ledger.payouts()
    let until = options.untilRun ?? ledger.ledger.lastRun
    let identity = files.identity(options, until: until)
    let earlier = identity.flatMap { identity in all.first { $0.isSame(as: identity) } }
    GoneDirectories(all, ledger: ledger.shown, witness: ledger.witness).warnings(except: earlier?.number).forEach(note)
    switch try standing(of: earlier) {
    case .none:
      if options.republishes { throw notMade(all.last, until: until) }
      return try makeNew(identity, after: all, until: until)
    case .elsewhere(let earlier): return .earlier(earlier, nil, unpaid: try unpaid())
    case .published(let earlier):
      if !options.isTrial { try clearAway() }
      return .earlier(earlier, try figures(of: earlier.entry), unpaid: [])
    case .lost(let payout): return try publishAgain(payout, Array(all.prefix { $0.number != payout.number }))
    }
  }

  private func standing(of earlier: PayoutEntry?) throws(Failure) -> Standing {
    guard let earlier else { return .none }
    if options.isTrial { try show(Array(trialHeader.utf8)) }
    guard let output = options.output else {
      return .elsewhere(FoundEntry(earlier, .elsewhere(stand: earlier.mayStand)))
    }
    guard let found = try ledger.earlier(earlier, at: output, republishes: options.republishes) else {
      return .lost(earlier)
    }
    return found.files == .inPlace ? .published(found) : .elsewhere(found)
  }

  /// Removes files that an interrupted payout could not remove.
  private func clearAway() throws(Failure) {
    let place = try OutputPlace(path: options.output!)
    try LedgerNote.resolve(place, except: ledger, note: note)
    try? SettlementDirectory.clearAway(place)
  }

  /// Makes the next payout, or shows its sums.
  ///
  /// - Parameter identity: nil if a file was not read completely, which is one of its faults.
  private func makeNew(
    _ identity: PayoutIdentity?, after all: [PayoutEntry], until: Int
  ) throws(Failure) -> PayoutResult {
    if let refusal = try MissingPayouts.refusal(of: ledger, output: options.output, note: note) {
      return .lacking(refusal)
    }
    let firstRun = try firstRun(all, until: until)
    let place = try options.output.map { _ throws(Failure) in try freePlace() }
    if let faulty = try readFaults(before: nil, firstRun: firstRun, until: until) { return faulty }
    let subject = subject(
      try nextNumber(), identity!, firstRun: firstRun, ledgerID: try ledger.ledger.name().digits, earlier: all)
    guard let place, !options.isTrial else { return try tried(subject) }
    return try ledger.making(place, replaces: false) { () throws(Failure) in
      let directory = try newDirectory()
      let lists = try PayoutLists(beside: directory.place, hasTerms: options.terms != nil)
      let (figures, entry) = try write(subject, in: directory, lists)
      _ = try ledger.publish(.payout, directory, exitCode: figures.exitCode, note: note) { () throws(Failure) in
        try lists.enter(entry, in: ledger.ledger)
      }
      return .made(figures)
    }
  }

  private func nextNumber() throws(Failure) -> Int {
    let number = try ledger.ledger.lastKnownPayout() + 1
    guard number <= Self.mostPayouts else {
      throw .configuration(
        "TOO_MANY_PAYOUTS: the next payout would be \(number); the most of a ledger is \(Self.mostPayouts). Settle "
          + "later nights with a new ledger, and pay by hand what this one still owes: settle history --ledger "
          + "\(ShellWord.quoted(ledger.shown)) --payouts")
    }
    return number
  }

  static let mostPayouts = 99_999

  func subject(
    _ number: Int, _ identity: PayoutIdentity, firstRun: Int, ledgerID: String, earlier: [PayoutEntry],
    entered: PayoutEntry? = nil
  ) -> PayoutMaking.Subject {
    PayoutMaking.Subject(
      number: number, identity: identity, firstRun: firstRun, ledgerID: ledgerID, minimums: options.minimums,
      earlier: earlier, entered: entered, shownLedger: ledger.shown)
  }

  /// Writes all files of a payout, complete under the directory's temporary name.
  ///
  /// - Returns: its figures, and what the ledger should keep of it.
  func write(
    _ subject: PayoutMaking.Subject, in directory: SettlementDirectory, _ lists: PayoutLists
  ) throws(Failure) -> (PayoutFigures, PayoutEntry) {
    let making = try PayoutMaking(subject, files, lists: lists, makeFile: TableFile.maker(in: directory))
    let figures = try decide(making, subject, lists)
    try directory.complete()
    var entry = try PayoutEntry(
      number: subject.number, time: Date.now.formatted(.iso8601), engine: SettleVersion.number,
      identity: subject.identity,
      firstRun: subject.firstRun, ledger: subject.ledgerID, isAdopted: false, exitCode: figures.exitCode,
      achFiles: figures.files.countOfDay, totals: figures.totals,
      directory: FileName.bytes(directory.place.absolutePath()), sums: directory.sums)
    entry.content.changedAccounts = figures.changedAccounts
    return (figures, entry)
  }

  /// Goes through the balances.
  func decide(
    _ making: PayoutMaking, _ subject: PayoutMaking.Subject, _ lists: PayoutLists
  ) throws(Failure) -> PayoutFigures {
    let lookup = try ledger.ledger.payoutLookup()
    var figures = try making.decideAll(lookup) { terms throws(Failure) in
      try Holdings(terms, subject, ledger.ledger, lists: lists.held)
    } _: { () throws(Failure) in
      try ledger.ledger.balances(
        until: subject.entered?.bookedRun ?? subject.identity.untilRun, before: subject.entered,
        new: lists.changes, firstRun: subject.firstRun)
    }
    try date(&figures.oldestDebt)
    return figures
  }

  /// Completes a debt with the time at which its run was entered.
  func date(_ debt: inout (run: Int, time: String)?) throws(Failure) {
    guard let run = debt?.run else { return }
    debt = try ledger.ledger.run(number: run).map { (run, $0.time) }
  }

  func newDirectory() throws(Failure) -> SettlementDirectory {
    try SettlementDirectory(path: options.output!, replaces: false, leastFiles: PayoutReport.allCases.count)
  }

  /// The output, which must be free.
  func freePlace() throws(Failure) -> OutputPlace {
    let place = try OutputPlace(path: options.output!)
    try place.expectNothing()
    if options.isTrial { return place }
    try LedgerNote.resolve(place, except: ledger, note: note)
    try place.expectNothing()
    return place
  }

  /// The faults of the files, after looking up returns and adjustments, or nil.
  ///
  /// - Parameter payout: the payout that is made again; nil for the next one.
  func readFaults(
    before payout: PayoutEntry?, firstRun: Int, until: Int
  ) throws(Failure) -> PayoutResult? {
    if let failure = files.failure { throw failure }
    try files.resolve(
      ledger.ledger.payoutLookup(), before: payout, runs: firstRun...max(firstRun, until))
    if files.returned.skipped > 0 {
      note("returned payments that are booked already, with the same reason: \(files.returned.skipped), skipped")
    }
    if files.adjusted.skipped > 0 {
      note("adjustments that are booked already, and the same: \(files.adjusted.skipped), skipped")
    }
    let faults = files.faults
    if faults.isEmpty { try noteTermsAlone(before: payout, runs: firstRun...max(firstRun, until)) }
    return faults.isEmpty ? nil : .faulty(faults)
  }
}

extension Payout {
  /// Names the accounts with terms that neither the payees nor the ledger know.
  private func noteTermsAlone(before payout: PayoutEntry?, runs: ClosedRange<Int>) throws(Failure) {
    let unknown = try files.accountsOfTermsAlone(ledger.ledger.payoutLookup(), before: payout, runs: runs)
    guard let first = unknown.first else { return }
    note(
      "accounts in the terms file that neither the ledger nor the payees file has: \(unknown.count), the first "
        + "\(MessageText.identifier(first)). A misspelt account is paid without its terms")
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
