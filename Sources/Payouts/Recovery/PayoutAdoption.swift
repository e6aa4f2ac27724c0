import Bookkeeping
import ExactArithmetic
import Failures
import FileSystem
import FoundationEssentials
import Ledger
import Text

/// Enters a payout whose directory exists in a ledger that lacks it (`payouts.md`).
public struct PayoutAdoption {
  /// What came of it.
  public struct Outcome: Sendable {
    /// The payout's number.
    public let number: Int
    /// Whether the ledger had it already.
    public let wasEntered: Bool
    /// The run after which it counts, if its payments do not fit the balances after the run it was made up to.
    public fileprivate(set) var bookedRun: Int?
    /// The returns and adjustments that are left out, because another payout has booked them, as messages name them.
    public fileprivate(set) var leftOut: [String] = []
    /// The adjustments that are booked under another key, as messages name them.
    public fileprivate(set) var renamed: [String] = []
    /// The accounts that it concerns and that are below zero now, as messages show them: `anna@shop.example, EUR -1.00`.
    public fileprivate(set) var owing: [String] = []

    /// What someone should look at.
    public var warnings: [String] {
      var warnings: [String] = []
      if !leftOut.isEmpty {
        warnings.append("payout \(number): left out, because it is booked already: \(leftOut.joined(separator: "; "))")
      }
      if !renamed.isEmpty {
        warnings.append(
          "payout \(number): adjustments whose keys are booked with another row have another key: "
            + renamed.joined(separator: "; "))
      }
      if let bookedRun {
        warnings.append(
          "payout \(number) does not fit the balances after the run it was made up to, and counts after run \(bookedRun)"
            + (leftOut.isEmpty
              ? ". A night seems to be missing, or to be in another order: settle run --adopt enters it" : ""))
      }
      if !owing.isEmpty { warnings.append("payout \(number): now below zero: \(owing.joined(separator: "; "))") }
      return warnings
    }
  }

  private let place: OutputPlace
  private let path: String
  private let ledger: RunLedger
  private let audit: PayoutAudit
  private let shown: String

  /// Enters the payout in a directory, under its own number.
  ///
  /// Throws if the directory does not verify, is another ledger's, or if its turn has not come.
  public static func adopt(
    _ path: String, ledger: String, witness: String? = nil, note: @escaping (String) -> Void
  ) throws(Failure) -> Outcome {
    let ledger = try Payout.open(ledger, witness: witness, note: note)
    guard ledger.ledger.lastRun > 0 else { throw .usage("\(ledger.shown): the ledger has no run yet") }
    guard let place = try RunLedger.standing(at: path) else {
      throw .unreadable("\(OutputPlace.shown(path)): there is no such directory")
    }
    let outcome = try PayoutAdoption(
      place: place, path: path, ledger: ledger, audit: PayoutAudit(path: path),
      shown: OutputPlace.shown(path)
    ).adopt(note: note)
    ledger.keepWitness(note: note)
    return outcome
  }

  private func adopt(note: (String) -> Void) throws(Failure) -> Outcome {
    let lists = try PayoutLists(beside: place)
    try audit.read()
    let book = try ledger.ledger.payouts()
    if let number = audit.summary?.number, let payout = book.first(where: { $0.number == number }) {
      guard audit.log.count == 0, audit.files.sums == payout.sums else {
        throw unfit(
          "the ledger has another payout \(number), in \(OutputPlace.shown(FileName.string(payout.directory)))")
      }
      return Outcome(number: number, wasEntered: true)
    }
    try expectSound()
    let said = audit.summary!
    let name = try expectTurn(said, book, note: note)
    let firstRun = try expectFirstRun(said, book)
    let (changes, returnsFit) = try changes(of: said.number)
    try lists[.returns].finish(with: changes.returns)
    try lists[.adjustments].finish(with: changes.adjustments)
    if said.number == 1, firstRun > (try ledger.ledger.firstRun()) { try expectNights(said, lists) }
    try audit.enterPayments(lists)
    let last = ledger.ledger.lastRun
    let earliest = try ledger.ledger.lastBookedRun()
    var run = said.identity.untilRun
    var result: Result?
    if returnsFit, earliest...max(earliest, last) ~= run {
      result = try booked(lists, changes, after: run, firstRun, closings: nil)
    }
    let isInPlace = result?.fits ?? false
    if !isInPlace { run = last }
    result = try booked(lists, changes, after: run, firstRun, closings: lists[.closings])
    try lists[.closings].finish()
    var entry = try PayoutEntry(
      number: said.number, time: Date.now.formatted(.iso8601), engine: said.engine, identity: said.identity,
      firstRun: firstRun,
      ledger: said.ledger, isAdopted: true, exitCode: audit.exitCode,
      achFiles: said.files.countOfDay, totals: [],
      directory: FileName.bytes(place.absolutePath()), sums: audit.files.sums)
    entry.content.changedAccounts = said.changedAccounts
    entry.totals = result!.totals.figures(said.number, after: book.last, []).totals
    for place in entry.totals.indices where said.hasTerms {
      let own = said.totals.first { $0.currency == entry.totals[place].currency }
      for figure in PayoutTotal.held { entry.totals[place][keyPath: figure.path] = own?[keyPath: figure.path] }
      entry.totals[place].setHeld()
    }
    _ = try ledger.making(place, replaces: false, adopts: true) { () throws(Failure) in
      try ledger.publish(.payout, nil, exitCode: 0, note: note) { () throws(Failure) in
        try lists.enter(entry, bookedRun: isInPlace ? nil : run, name: name, in: ledger.ledger)
      }
    }
    return Outcome(
      number: said.number, wasEntered: false, bookedRun: isInPlace ? nil : run, leftOut: changes.leftOut,
      renamed: changes.renamed, owing: isInPlace && changes.leftOut.isEmpty ? [] : result!.owing)
  }

  private var words: LedgerWords { LedgerWords(shown: ledger.shown, witness: ledger.witness) }

  private func unfit(_ what: String) -> Failure { .inputOutput("\(shown): \(what); nothing was entered") }

  /// Why it does not fit, with the command that enters a night.
  private func unfit(_ what: String, enter advice: String) -> Failure {
    .inputOutput("\(unfit(what).message). \(advice):\n  \(words.adoptingNight)")
  }

  private func expectSound() throws(Failure) {
    guard audit.log.count > 0 else { return }
    throw audit.log.failure(shown) { text in
      let number = audit.summary.map { "\($0.number)" } ?? "N"
      return .inputOutput(
        """
        \(text); nothing was entered. Put the directory back as it was published. If it is lost, move it away, and \
        give its number up:
          \(words.counting("--give-up \(number)"))        (if it was never sent; with --payments FILE if it was)
        """)
    }
  }

  /// Throws unless the payout is of this ledger, is not given up, and no payout with a lower number is missing.
  ///
  /// - Returns: the name that the ledger takes, if it takes another one.
  private func expectTurn(
    _ said: PayoutSummary, _ book: [PayoutEntry], note: (String) -> Void
  ) throws(Failure) -> LedgerName? {
    let name = try ledger.ledger.name()
    var taken: LedgerName?
    if said.ledger != name.digits, !book.contains(where: { $0.ledger == said.ledger }), try !isLast(said) {
      let (word, needsWord) = try (ledger.ledger.word(), ledger.ledger.needsWord())
      // An earlier version may have changed the digits.
      let mayBeOwn = book.isEmpty || book.contains(where: \.isWithoutAdjustments)
      guard mayBeOwn, word != nil || needsWord, let digits = LedgerName(digits: said.ledger) else {
        throw unfit(
          "it is payout \(said.number) of the ledger \(said.ledger), and this ledger's name is \(name.digits)"
            + (mayBeOwn
              ? ". If it is a payout of this shop, say first which payout was the last:\n  "
                + LedgerWords(shown: ledger.shown, witness: ledger.witness).counting("--last-payout N") + "\n" : ""))
      }
      taken = book.isEmpty ? digits : nil
    }
    if try ledger.ledger.givenUp().contains(where: { $0.number == said.number }) {
      throw unfit("the number of payout \(said.number) is given up")
    }
    guard said.number <= Payout.mostPayouts else { throw unfit("a ledger has at most \(Payout.mostPayouts) payouts") }
    let known = try MissingPayouts.Known(ledger)
    let traces = try known.traces(in: [MissingPayouts.parent(of: path)])
    if taken != nil {
      let own = try MissingPayouts(known, traces)
      if let payout = own.missing.first(where: { !$0.directories.isEmpty }) {
        throw unfit(
          "it is payout \(said.number) of the ledger \(said.ledger), and payouts of this ledger's name, \(name.digits), are "
            + "there: \(payout.directories[0])")
      }
    }
    let missing = try MissingPayouts(known, traces, takingName: taken?.digits)
    missing.warnings.forEach(note)
    if let message = missing.message(below: said.number) {
      throw .inputOutput("\(shown): is payout \(said.number), and earlier ones come first. \(message)")
    }
    return taken
  }

  /// Whether it is the last payout that the lock file or the witness named.
  private func isLast(_ said: PayoutSummary) throws(Failure) -> Bool {
    let (number, digest) = try (ledger.ledger.lastKnownPayout(), ledger.ledger.lastKnownDirectory())
    return said.number == number && DirectoryDigest(sums: audit.files.sums) == digest
  }

  /// The first run that counts; throws if the payout counts from another run on than the ledger.
  private func expectFirstRun(_ said: PayoutSummary, _ book: [PayoutEntry]) throws(Failure) -> Int {
    let first = try ledger.ledger.firstRun()
    guard said.firstRun > 1 else { return first }
    let possible = book.isEmpty ? first...max(first, ledger.ledger.lastRun + 1) : first...first
    guard possible ~= said.firstRun else {
      throw unfit(
        "payout \(said.number) counts runs from \(said.firstRun) on, and the ledger "
          + (book.isEmpty ? "has runs \(first) to \(ledger.ledger.lastRun)" : "counts from run \(first) on"),
        enter: "Enter the nights that are missing first, each in its turn")
    }
    return said.firstRun
  }

  /// Throws unless the balances from `since` on are those that a first payout was made of. What earlier runs earned was
  /// paid by hand and counts zero: if the nights are in another order, that of another night would.
  private func expectNights(_ said: PayoutSummary, _ lists: PayoutLists) throws(Failure) {
    let (since, until) = (said.firstRun, said.identity.untilRun)
    guard ledger.ledger.lastRun >= until else {
      throw unfit(
        "payout \(said.number) counts runs \(since) to \(until), and the ledger has runs up to "
          + "\(ledger.ledger.lastRun)", enter: "Enter the nights that are missing first, each in its turn")
    }
    let book = try ledger.ledger.balances(until: until, new: lists.changes, firstRun: since)
    let comparison = try PayoutAudit(path: path)
    try comparison.readBalances(comparing: BalanceComparison(book, shown: ledger.shown, comparesRuns: false))
    if comparison.log.count == 0 { return }
    let runs = until > since ? "runs \(since) to \(until) do" : "run \(since) does"
    throw unfit(
      "payout \(said.number) counts from run \(since) on, because earlier runs were paid by hand, and \(runs) not have "
        + "the balances that it was made of. So the nights are in another order, or one is missing",
      enter:
        "Move the ledger and its lock file away, and make the ledger again, with all nights in their old order. (If "
        + "a night is lost for good, move the payout away instead, and give its number up with what it paid.)")
  }

  /// What is booked of its returns and adjustments, and whether each return is of a payment that the ledger has, or of a
  /// payout that is given up.
  private func changes(of number: Int) throws(Failure) -> (AdoptedChanges, returnsFit: Bool) {
    let lookup = try ledger.ledger.payoutLookup()
    let changes = try AdoptedChanges(
      of: number, audit.returns, booked: lookup.all(ReturnNote.self), audit.adjustments,
      booked: lookup.all(AdjustmentNote.self))
    let givenUp = Set(try ledger.ledger.givenUp().map(\.number))
    var allFit = true
    for change in changes.returns where !givenUp.contains(change.note.reference.payout) {
      if try lookup.payment(change.note.reference) != change.amount { allFit = false }
    }
    return (changes, allFit)
  }

  // MARK: Booking

  private struct Result {
    var totals: RunningTotals
    /// Whether each balance that is paid is its payment and what is carried of it.
    var fits = true
    var owing: [String] = []
  }

  /// Books the returns and payments after a run.
  ///
  /// - Parameter closings: receives the balances that are left.
  private func booked(
    _ lists: PayoutLists, _ changes: AdoptedChanges, after run: Int, _ firstRun: Int, closings: AccountEntries?
  ) throws(Failure) -> Result {
    let book = try ledger.ledger.balances(
      until: run, new: lists.changes + [lists[.payments]], firstRun: firstRun)
    let said = audit.summary!
    var result = Result(totals: RunningTotals(isEarlierForm: said.isEarlierForm))
    let rows = said.hasTerms ? try audit.carriedRows() : nil
    var hasRow = try rows?.next() ?? false
    while try book.next() {
      result.totals.add(book)
      let paid = -book.sum(.payments)
      if !paid.isZero {
        result.totals.pay(paid, book.currency)
        let account = book.account
        while hasRow, rows!.compare(account.span, book.currency) < 0 { hasRow = try rows!.next() }
        let isCarried = hasRow && rows!.compare(account.span, book.currency) == 0
        if isCarried ? book.closing != rows!.amount : !book.closing.isZero { result.fits = false }
      }
      if book.closing.isZero { continue }
      result.totals.carry(book.closing, book.currency, nil, since: book.since)
      let isConcerned = [ListKind.payments, .returns, .adjustments].contains { !book.sum($0).isZero }
      if book.closing.isNegative, isConcerned || changes.accounts.contains(book.account) {
        result.owing.append("\(MessageText.identifier(book.account)), \(book.currency.code) \(book.closing)")
      }
      if let closings {
        let holder = book.account
        try closings.append(holder.span, book.currency, book.closing, note: AccountBook.sinceNote(book.since))
      }
    }
    return result
  }
}
