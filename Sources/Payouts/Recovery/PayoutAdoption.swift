import BatchRun
import ExactArithmetic
import Failures
import FileSystem
import FoundationEssentials
import Ledger
import LedgerRuns
import Money
import Reports
import Text
import Verification

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
    /// The accounts that it paid and that are below zero now, as messages show them: `anna@shop.example, EUR -1.00`.
    public fileprivate(set) var owing: [String] = []
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
    _ path: String, ledger: String, note: @escaping (String) -> Void
  ) throws(Failure) -> Outcome {
    let ledger = try Payout.open(ledger, note: note)
    guard ledger.ledger.lastRun > 0 else { throw .usage("\(ledger.shown): the ledger has no run yet") }
    guard let place = try RunLedger.standing(at: path) else {
      throw .unreadable("\(OutputPlace.shown(path)): there is no such directory")
    }
    return try PayoutAdoption(
      place: place, path: path, ledger: ledger, audit: PayoutAudit(try ReportFolder(path: path)),
      shown: OutputPlace.shown(path)
    ).adopt(note: note)
  }

  private func adopt(note: (String) -> Void) throws(Failure) -> Outcome {
    let lists = try PayoutLists(beside: place)
    try audit.readSummary()
    try audit.readChanges()
    try audit.readBalances(nil)
    try audit.finish()
    let book = try ledger.ledger.payouts()
    if let number = audit.summary?.number, let payout = book.first(where: { $0.number == number }) {
      guard audit.log.count == 0, audit.sums == payout.sums else {
        throw unfit(
          "the ledger has another payout \(number), in \(OutputPlace.shown(FileName.string(payout.directory)))")
      }
      return Outcome(number: number, wasEntered: true)
    }
    try expectSound()
    let said = audit.summary!
    let name = try expectTurn(said, book, note: note)
    let firstRun = try expectFirstRun(said, book)
    let returnsFit = try checkReturns(before: said.number)
    try checkAdjustments()
    try lists.takeReturns(audit.returns)
    try lists.takeAdjustments(audit.adjustments)
    try audit.enterPayments(lists)
    let last = ledger.ledger.lastRun
    let earliest = try ledger.ledger.lastBookedRun()
    var run = said.identity.untilRun
    var result: Booking?
    if returnsFit, earliest...max(earliest, last) ~= run {
      result = try booked(lists, after: run, firstRun, closings: nil)
    }
    let isInPlace = result?.fits ?? false
    if !isInPlace { run = last }
    result = try booked(lists, after: run, firstRun, closings: lists.closings)
    try lists.closings.finish()
    var entry = try PayoutEntry(
      number: said.number, time: Date.now.formatted(.iso8601), engine: said.engine, identity: said.identity,
      firstRun: firstRun,
      ledger: said.ledger, isAdopted: true, exitCode: audit.exitCode,
      achFiles: said.files.countOfDay, totals: [],
      directory: FileName.bytes(place.absolutePath()), sums: audit.sums)
    entry.totals = result!.totals.figures(said.number, after: book.last, []).totals
    _ = try ledger.making(place, replaces: false, adopts: true) { () throws(Failure) in
      try ledger.publish(.payout, nil, exitCode: 0, note: note) { () throws(Failure) in
        try lists.enter(entry, bookedRun: isInPlace ? nil : run, name: name, in: ledger.ledger)
      }
    }
    return Outcome(
      number: said.number, wasEntered: false, bookedRun: isInPlace ? nil : run,
      owing: isInPlace ? [] : result!.owing)
  }

  private func unfit(_ what: String) -> Failure { .inputOutput("\(shown): \(what); nothing was entered") }

  private func expectSound() throws(Failure) {
    guard audit.log.count > 0 else { return }
    throw audit.log.failure(shown) { text in
      let number = audit.summary.map { "\($0.number)" } ?? "N"
      let ledger = ShellWord.quoted(ledger.shown)
      return .inputOutput(
        """
        \(text); nothing was entered. Put the directory back as it was published. If it is lost, move it away, and \
        give its number up:
          settle ledger adopt \(ledger) --give-up \(number)        (if it was never sent; with --payments FILE if it \
        was)
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
    if said.ledger != name.digits, !book.contains(where: { $0.ledger == said.ledger }) {
      let (word, needsWord) = try (ledger.ledger.word(), ledger.ledger.needsWord())
      guard book.isEmpty, word != nil || needsWord, let digits = LedgerName(digits: said.ledger) else {
        throw unfit(
          "it is payout \(said.number) of the ledger \(said.ledger), and this ledger's name is \(name.digits)"
            + (book.isEmpty
              ? ". If it is the payout of a lost ledger that this one replaces, say first which payout was the last:\n"
                + "  settle ledger adopt \(ShellWord.quoted(ledger.shown)) --last-payout N\n" : ""))
      }
      taken = digits
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

  /// The first run that counts; throws if the payout counts from another run on than the ledger.
  private func expectFirstRun(_ said: PayoutSummary, _ book: [PayoutEntry]) throws(Failure) -> Int {
    let first = try ledger.ledger.firstRun()
    guard said.firstRun > 1 else { return first }
    let possible = book.isEmpty ? first...max(first, ledger.ledger.lastRun + 1) : first...first
    guard possible ~= said.firstRun else {
      throw unfit(
        "payout \(said.number) counts runs from \(said.firstRun) on, and the ledger "
          + (book.isEmpty ? "has runs \(first) to \(ledger.ledger.lastRun)" : "counts from run \(first) on")
          + ". Enter the nights that are missing first")
    }
    return said.firstRun
  }

  /// Whether each return is of a payment that the ledger has, or of a payout that is given up. Throws if one is booked
  /// already: its money would come back twice.
  private func checkReturns(before number: Int) throws(Failure) -> Bool {
    let lookup = try ledger.ledger.paymentLookup()
    var booked = Set<PaymentReference>()
    try lookup.forEachReturn { note, _, _ in booked.insert(note.reference) }
    let givenUp = Set(try ledger.ledger.givenUp().map(\.number))
    var allFit = true
    for (note, payment) in audit.returns {
      if booked.contains(note.reference) {
        throw unfit("the return of \(note.reference.text) is booked by another payout already")
      }
      if givenUp.contains(note.reference.payout) { continue }
      if try lookup.payment(note.reference) != payment { allFit = false }
    }
    return allFit
  }

  /// Throws if an adjustment is booked already: it would count twice.
  private func checkAdjustments() throws(Failure) {
    let booked = try ledger.ledger.adjustmentLookup().adjustments()
    for (note, _) in audit.adjustments where booked[note.key] != nil {
      throw unfit("its adjustment \(note.key) is booked already")
    }
  }

  // MARK: Booking

  private struct Booking {
    var totals: RunningTotals
    /// Whether each payment takes the whole balance.
    var fits = true
    var owing: [String] = []
  }

  /// Books the returns and payments after a run.
  ///
  /// - Parameter closings: receives the balances that are left.
  private func booked(
    _ lists: PayoutLists, after run: Int, _ firstRun: Int, closings: AccountEntries?
  ) throws(Failure) -> Booking {
    let book = try ledger.ledger.balances(
      until: run, returns: lists.returns, adjustments: lists.adjustments, payments: lists.payments,
      firstRun: firstRun)
    var booking = Booking(totals: RunningTotals(isEarlierForm: audit.summary!.isEarlierForm))
    while try book.next() {
      booking.totals.take(book)
      if !book.paid.isZero {
        booking.totals.pay(book.paid, book.currency)
        if !book.balance.isZero { booking.fits = false }
      }
      if book.balance.isZero { continue }
      booking.totals.carry(book.balance, book.currency, nil, since: book.since)
      if book.balance.isNegative, !book.paid.isZero || !book.returned.isZero || !book.adjusted.isZero {
        booking.owing.append("\(MessageText.identifier(book.account)), \(book.currency.code) \(book.balance)")
      }
      if let closings {
        let holder = book.account
        try closings.append(holder.span, book.currency, book.balance, note: AccountBook.sinceNote(book.since))
      }
    }
    return booking
  }
}
