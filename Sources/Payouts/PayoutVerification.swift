import Failures
import JSON
import Ledger
import Records
import Documents

/// The result of going through a payout's directory.
public struct PayoutVerdict: VerifiedFolder {
  public let verdict: FolderVerdict
  /// The number of payments.
  public let payments: Int
  /// The number of balances that are not paid.
  public let carried: Int
  /// The number of files for the bank.
  public let files: Int
}

/// Goes through a published payout and compares its files with each other, with the balances of the ledger, and with
/// the files that making the payout again produces.
///
/// Files for the bank are compared with `payouts.csv` by writing them again. What only they contain (names and bank
/// accounts) is read from them, everything else from `payouts.csv` and `payouts.json`. Findings show nothing from these
/// files.
public enum PayoutVerification {
  /// The files that the payout was made from, by their paths.
  public struct Inputs {
    let files: PayoutFiles

    /// The payees, and the other files if the payout had them.
    public init(payees: String, returned: [String], adjustments: [String], terms: String? = nil, debtor: String?) {
      files = PayoutFiles(payees: payees, returned: returned, adjustments: adjustments, terms: terms, debtor: debtor)
    }
  }

  /// Whether a directory belongs to a payout; throws if it cannot be opened.
  public static func isPayout(_ path: String) throws(Failure) -> Bool { try ReportFolder(path: path).hasPayout }

  /// Verifies a directory. What is wrong with it is the result, not a failure.
  ///
  /// - Parameters:
  ///   - ledger: the payout's ledger; without it, balances are not checked.
  ///   - inputs: the files for making the payout again; they need the ledger.
  public static func verify(
    _ path: String, ledger: String? = nil, inputs: Inputs? = nil
  ) throws(Failure) -> PayoutVerdict {
    let audit = try PayoutAudit(path: path)
    if let ledger {
      try compare(audit, LedgerReading(path: ledger), inputs)
    } else {
      try audit.read()
    }
    return PayoutVerdict(
      verdict: audit.files.verdict, payments: audit.paid, carried: audit.carried,
      files: audit.summary?.files.count ?? 0)
  }

  /// Compares a payout with its ledger, and with the result of its input files.
  private static func compare(_ audit: PayoutAudit, _ known: LedgerReading, _ inputs: Inputs?) throws(Failure) {
    let files = inputs?.files
    var entered: PayoutEntry?
    var areOthers = false
    try audit.read { said throws(Failure) in
      guard let payout = known.history.payouts.first(where: { $0.number == said.number }) else {
        audit.log.add(
          PayoutReport.summary.fileName, field: "payout.number", found: "\(said.number)",
          "the ledger has no such payout")
        return (nil, nil)
      }
      entered = payout
      if let files { areOthers = try compareInputs(audit.log, files, payout) }
      let lookup = try known.payoutLookup()
      try compare(audit.returns, lookup, payout, audit.log)
      try compare(audit.adjustments, lookup, payout, audit.log)
      // One that was adopted may count at another place than the one it was made at, with other balances.
      if payout.isAdopted, said.totals != payout.totals { return (nil, nil) }
      let book = try known.balances(of: payout)
      let last = known.history.payouts.prefix { $0.number != payout.number }.last
      return (BalanceComparison(book, shown: known.shown), last)
    }
    if let entered { try compareFiles(audit, known, entered, files, areOthers: areOthers) }
    if audit.summary != nil { try known.expectUnchanged() }
  }

  /// Compares the directory's digests with the ledger's, and its files with those that the payout's inputs make.
  ///
  /// - Parameter areOthers: whether any input is another one than the payout's.
  private static func compareFiles(
    _ audit: PayoutAudit, _ known: LedgerReading, _ payout: PayoutEntry, _ files: PayoutFiles?, areOthers: Bool
  ) throws(Failure) {
    let sums = ComparedReport(
      try audit.folder.open(ReportKind.sums, FindingLog()), "what the ledger has of payout \(payout.number)", audit.log)
    try sums.write(payout.sums)
    try sums.finish()
    guard let files else { return }
    guard !payout.isAdopted || audit.summary?.totals == payout.totals else {
      throw .usage(
        "payout \(payout.number) was adopted after other runs and payouts than it was made after, so it cannot be made "
          + "again; verify it without --payees")
    }
    let (first, last) = (payout.firstRun, payout.bookedRun)
    let lookup = try known.payoutLookup()
    try files.resolve(lookup, before: payout, runs: first...max(first, last))
    if let fault = files.faults.first?.listed.first {
      // Another file than the payout's may have faults.
      if areOthers { return }
      throw .configuration("\(fault.file)\(fault.line.map { ":\($0)" } ?? ""): \(fault.text)")
    }
    let earlier = Array(known.history.payouts.prefix { $0.number != payout.number })
    try makeAgain(audit, files, known, lookup, payout, earlier)
  }

  /// Compares the files with those that the payout was made from.
  ///
  /// - Returns: whether any is another one, which is a finding.
  private static func compareInputs(
    _ log: FindingLog, _ files: PayoutFiles, _ payout: PayoutEntry
  ) throws(Failure) -> Bool {
    let identity = payout.identity
    for (option, wasGiven, isGiven) in [
      ("--returned", identity.returned != nil, !files.returned.list.files.isEmpty),
      ("--adjustments", identity.adjustments != nil, !files.adjusted.list.files.isEmpty),
      ("--terms", identity.terms != nil, files.terms != nil), ("--debtor", identity.debtor != nil, files.debtor != nil),
    ] where wasGiven != isGiven {
      throw .usage("payout \(payout.number) was made with\(wasGiven ? "" : "out") \(option)")
    }
    if let failure = files.failure { throw failure }
    let others = [
      ("the payees file", files.payees.stored?.sha256, identity.payees),
      (
        "the file of returned payments", PayoutIdentity.joined(files.returned.list.stored?.map(\.sha256) ?? []),
        identity.returned
      ),
      (
        "the file of adjustments", PayoutIdentity.joined(files.adjusted.list.stored?.map(\.sha256) ?? []),
        identity.adjustments
      ),
      ("the terms file", files.terms?.stored?.sha256, identity.terms),
      ("the debtor file", files.debtor?.stored?.sha256, identity.debtor),
    ].filter { $0.1 != $0.2 }
    for (name, _, _) in others {
      log.add(
        "",
        "\(name) is not the one of payout \(payout.number), which may explain all that follows; verify with the file "
          + "that it was made from")
    }
    return !others.isEmpty
  }

  /// Compares the changes in a report with those that the ledger has of the payout.
  private static func compare<Note: ListedNote>(
    _ changes: [Change<Note>], _ lookup: PayoutLookup, _ payout: PayoutEntry, _ log: FindingLog
  ) throws(Failure) {
    // By the keys that its files have.
    var booked: [Note.Key: Change<Note>] = [:]
    try lookup.forEach(Note.self) { entered in
      let note = entered.change.note
      if entered.payout == payout.number { booked[note.listedKey ?? note.key] = entered.change }
    }
    // What an adopted payout left out, because it was booked already.
    let earlier = payout.isAdopted ? try lookup.all(Note.self, before: payout) : [:]
    let file = Note.report.fileName
    for change in changes {
      let entered = booked.removeValue(forKey: change.note.key)
      if let entered, entered.isListed(as: change), entered.amount == change.amount { continue }
      if entered == nil, earlier[change.note.key]?.change.isSame(as: change) ?? false { continue }
      log.add(
        file, field: Note.report.allColumns[0].name, found: "\(change.note.key)",
        "the ledger has no such \(Note.noun) in this payout")
    }
    for key in booked.keys.sorted() {
      log.add(file, expected: "\(key)", "the ledger has this \(Note.noun) in this payout")
    }
  }

  /// What the directory says came back, if the ledger does not know where all earlier payments went.
  private static func saidReturned(
    _ audit: PayoutAudit, _ lookup: PayoutLookup, _ payout: PayoutEntry
  ) throws(Failure) -> SaidReturned? {
    guard payout.rule == .bankAccounts, let said = audit.summary,
      try lookup.hasUnknownBankAccounts(before: payout.number)
    else { return nil }
    return try SaidReturned(said, audit.folder)
  }

  // MARK: Again

  /// Makes the payout again, and compares each file while it is written.
  private static func makeAgain(
    _ audit: PayoutAudit, _ files: PayoutFiles, _ known: LedgerReading, _ lookup: PayoutLookup,
    _ payout: PayoutEntry, _ earlier: [PayoutEntry]
  ) throws(Failure) {
    let (said, identity) = (audit.summary!, payout.identity)
    let subject = PayoutMaking.Subject(
      number: payout.number, identity: identity, firstRun: payout.firstRun, ledgerID: payout.ledger,
      minimums: said.minimums, earlier: earlier, entered: payout, shownLedger: known.shown)
    let comparer = TableFile.comparer(
      with: audit.folder, audit.log, "what making the payout again gives",
      summary: (PayoutReport.summary.fileName, said.json), isSecret: { PayoutReport(rawValue: $0) == nil }
    ) { tree in
      var made = try? PayoutSummary(reading: JSONNode(tree))
      made?.engine = said.engine
      return made?.json
    }
    let making = try PayoutMaking(
      subject, files, said: try saidReturned(audit, lookup, payout), makeFile: comparer)
    _ = try making.decideAll(lookup) { terms throws(Failure) in
      let runs = known.history.runs.filter(subject.counts)
      return try Holdings(terms, on: CalendarDay(identity.date)!, runs, known)
    } _: { () throws(Failure) in
      try known.balances(of: payout)
    }
  }
}
