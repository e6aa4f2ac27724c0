import ExactArithmetic
import Failures
import Ledger
import Money
import Documents
import Text

/// The making of one payout: goes through all balances once, and writes what happens to each.
final class PayoutMaking {
  /// Which payout it is.
  struct Subject {
    let number: Int
    let identity: PayoutIdentity
    /// The first run that counts.
    let firstRun: Int
    /// The ledger's name in its files.
    let ledgerID: String
    let minimums: [Currency: ExactDecimal]
    /// The payouts before it, in book order.
    let earlier: [PayoutEntry]
    /// The payout as it was entered, if it is made again.
    var entered: PayoutEntry?
    /// The ledger's path, for messages.
    let shownLedger: String
  }

  private let subject: Subject
  private let files: PayoutFiles
  private let makeFile: TableFile.Maker
  private let paidReport: TableFile
  private let carriedReport: TableFile
  private let bank: BankFiles?
  private let lists: PayoutLists?
  private let decided: ((Decision) throws(Failure) -> Void)?
  private let said: SaidReturned?
  private var paymentBrake: PaymentBrake?
  private var brake: Brake?
  private var changed: ChangedAccounts?
  private var holdings: Holdings?
  private var crossings = Crossings()
  private var totals: RunningTotals
  private var count = 0

  /// What happens to a balance.
  struct Decision {
    /// The account, currency and balance; valid until the next one.
    let book: BookReading
    /// What terms hold of it; nil without terms.
    let held: HeldAmounts?
    /// Nil if nothing is paid.
    var method: PayoutMethod?
    /// Nil if all is paid.
    var reason: CarriedReason?

    /// What may be paid.
    var free: ExactDecimal { held?.free ?? book.closing }
  }

  /// - Parameters:
  ///   - lists: receive what the ledger should keep; nil if it has the payout.
  ///   - said: the balances that a directory says came back, if the ledger cannot know all of them.
  ///   - decided: called with each balance in order.
  init(
    _ subject: Subject, _ files: PayoutFiles, lists: PayoutLists? = nil, said: SaidReturned? = nil,
    decided: ((Decision) throws(Failure) -> Void)? = nil, makeFile: @escaping TableFile.Maker
  ) throws(Failure) {
    (self.subject, self.files, self.lists, self.makeFile) = (subject, files, lists, makeFile)
    (self.decided, self.said) = (decided, said)
    let hasTerms = subject.identity.terms != nil
    totals = RunningTotals(isEarlierForm: subject.rule == .withoutAdjustments, hasTerms: hasTerms)
    paidReport = try Self.table(.payouts, makeFile)
    carriedReport = try makeFile(PayoutReport.carried.fileName)
    let columns = CarriedReport.columns(hasTerms: hasTerms)
    try carriedReport.write { $0.append(columns.map(\.name).joined(separator: ",") + "\n") }
    let date = subject.identity.date
    let filesBefore = subject.earlier.filter { $0.identity.date == date }.reduce(0) { $0 + $1.achFiles }
    bank = (subject.identity.hasNoPayments ? nil : files.debtor).map { [payees = files.payees.content.payees] in
      BankFiles(
        $0.content.debtor, payees, payout: subject.number, ledgerID: subject.ledgerID, identity: subject.identity,
        filesBefore: filesBefore, makeFile: makeFile)
    }
  }

  private static func table(_ report: PayoutReport, _ makeFile: TableFile.Maker) throws(Failure) -> TableFile {
    let file = try makeFile(report.fileName)
    try file.write { $0.append(report.header) }
    return file
  }

  /// Writes all files except `SHA256SUMS`, and proves that the figures add up.
  ///
  /// - Parameters:
  ///   - lookup: the payments of the ledger.
  ///   - hold: returns what terms hold of balances.
  ///   - open: returns the balances, once the returns and adjustments are in the lists.
  func decideAll(
    _ lookup: PayoutLookup, holding hold: (Terms) throws(Failure) -> Holdings, _ open: () throws(Failure) -> BookReading
  ) throws(Failure) -> PayoutFigures {
    try write(files.returned, lists?[.returns])
    if subject.rule != .withoutAdjustments { try write(files.adjusted, lists?[.adjustments]) }
    switch subject.rule {
    case .withoutAdjustments: break
    case .lastPayment: paymentBrake = try PaymentBrake(lookup, before: subject.entered, files.returned.all)
    case .bankAccounts:
      let refused = try lookup.refusals(before: subject.number)
      brake = try Brake(refused, files.returned.all.map { BookedChange($0, payout: subject.number) }, lookup)
      changed = ChangedAccounts(try lookup.lastPayments(before: subject.number))
    }
    let book = try open()
    if let terms = files.terms?.content.terms { holdings = try hold(terms) }
    while try book.next({ change in
      crossings.add(change, to: book)
      holdings?.add(change)
    }) { try decide(book) }
    try holdings?.finish()
    try bank?.finish()
    if let brake { try lists?.finish(brake.left) }
    try paidReport.finish()
    try carriedReport.finish()
    var figures = totals.figures(subject.number, after: subject.earlier.last, bank?.written ?? [])
    figures.withoutAddress = bank?.withoutAddress ?? 0
    figures.changedAccounts = said.map(\.changedAccounts) ?? changed?.found.count
    if let brake { (figures.stopped, figures.wrongRetries) = (brake.stopped, brake.wrongRetries) }
    (figures.changed, figures.crossings) = (changed?.found ?? FirstTen(), crossings)
    try prove(figures)
    let said = PayoutSummary(
      figures, identity: subject.identity, firstRun: subject.firstRun, ledger: subject.ledgerID,
      payees: files.payees.stored!, returned: files.returned.list.stored!,
      adjustments: subject.rule == .withoutAdjustments ? nil : files.adjusted.list.stored!, terms: files.terms?.stored,
      debtor: files.debtor?.stored)
    let summary = try makeFile(PayoutReport.summary.fileName)
    try summary.write { text in
      said.json.write(to: &text)
      text.append("\n")
    }
    try summary.finish()
    return figures
  }

  // MARK: Changes

  private func write<Note>(_ changes: ChangeFiles<Note>, _ entries: AccountEntries?) throws(Failure) {
    let report = try Self.table(Note.report, makeFile)
    try changes.forEach { change throws(Failure) in try report.write { Note.append(change, to: &$0) } }
    try report.finish()
    if let entries { try changes.enter(in: entries) }
  }

  // MARK: Balances

  private func decide(_ book: BookReading) throws(Failure) {
    totals.add(book)
    let held = try holdings?.held(of: book)
    if book.closing.isZero { return }
    let payees = files.payees.content.payees
    let payee = payees.find(book.account.span, book.currency)
    let account = book.closing.isNegative ? nil : payee.flatMap(payees.bankAccount)
    var decision = Decision(book: book, held: held)
    if let reason = try reason(decision, payee, account) {
      decision.reason = reason
      try carry(decision, book.closing, reason)
    } else {
      decision.method = payees.head(payee!).payoutMethod
      try pay(decision, payee!, account!)
      let rest = book.closing - decision.free
      if !rest.isZero {
        decision.reason = .notFree
        try carry(decision, rest, .notFree)
      }
    }
    try decided?(decision)
  }

  /// Why nothing of a balance is paid; nil if what is free is paid.
  private func reason(
    _ decision: Decision, _ place: Int?, _ account: BankAccountDigest?
  ) throws(Failure) -> CarriedReason? {
    let (book, free) = (decision.book, decision.free)
    if book.closing.isNegative { return .owes }
    if subject.identity.hasNoPayments { return .notPaid }
    let payees = files.payees.content.payees
    let payee = place.map(payees.head)
    if subject.rule == .withoutAdjustments, !book.sum(.returns).isZero { return .returned }
    if let payee, payee.flags & Payees.Head.isOnHold != 0 { return .onHold }
    let retry = place.flatMap(payees.retry)
    let holder = book.account
    if let paymentBrake, try paymentBrake.stops(holder.span, book.currency, bank: account, retry: retry) {
      return .returned
    }
    guard let payee else { return .noPayee }
    if let brake,
      try said?.isReturned(book) ?? brake.stops(holder.span, book.currency, bank: account, retry: retry)
    {
      return .returned
    }
    let method = payee.payoutMethod!
    if let bank, bank.debtor.terms[BankFileKind(currency: book.currency, method: method)] == nil { return .noDebtor }
    if free.isZero { return .notFree }
    if let minimum = subject.minimums[book.currency], free < minimum { return .belowMinimum }
    return free.inlineCoefficient.map { $0 > method.maximum } ?? true ? .aboveMaximum : nil
  }

  /// - Parameter amount: the balance, or what is not paid of it.
  private func carry(_ decision: Decision, _ amount: ExactDecimal, _ reason: CarriedReason) throws(Failure) {
    let book = decision.book
    totals.carry(amount, book.currency, reason, since: book.since, held: decision.held)
    try carriedReport.write { text in
      text.append(book)
      text.append(",")
      text.append(amount)
      text.append(",")
      text.append(reason.rawValue)
      text.append(",")
      text.append(number: book.since)
      text.append(decision.held)
      text.append("\n")
    }
    guard let lists else { return }
    let holder = book.account
    try lists[.closings].append(holder.span, book.currency, amount, note: AccountBook.sinceNote(book.since))
  }

  private func pay(_ decision: Decision, _ payee: Int, _ account: BankAccountDigest) throws(Failure) {
    let (book, amount) = (decision.book, decision.free)
    count += 1
    guard count <= Self.mostPayments else {
      throw .configuration(
        "TOO_MANY_PAYOUTS: a payout has at most \(Self.mostPayments) payments. Nothing was made; pay fewer balances at "
          + "once with an earlier --until or a larger --minimum")
    }
    totals.pay(amount, book.currency)
    let holder = book.account
    brake?.end(by: account, holder.span, book.currency)
    try changed?.check(account, holder.span, book.currency)
    let payees = files.payees.content.payees
    let file = try bank?.add(payee, book.currency, amount.inlineCoefficient!, number: count)
    try paidReport.write { text in
      text.append(reference: subject.number, count)
      text.append(",")
      text.append(book)
      text.append(",")
      text.append(amount)
      text.append(",")
      text.append(decision.method!.name)
      text.append(",")
      payees.with(.number, of: payee) { text.append(BankAccount.ending($0)) }
      text.append(",")
      if let file { text.append(file) }
      text.append("\n")
    }
    try lists?[.payments].append(holder.span, book.currency, amount, note: account.note)
  }

  private static let mostPayments = 99_999_999

  // MARK: Figures

  /// Throws unless the books balance.
  private func prove(_ figures: PayoutFigures) throws(Failure) {
    let before = Dictionary(
      uniqueKeysWithValues: (subject.earlier.last?.totals ?? []).map { ($0.currency, $0.closing) })
    for total in figures.totals {
      let code = total.currency.code
      let opening = before[total.currency] ?? .zero
      let sent = figures.files.filter { $0.currency == total.currency }.reduce(ExactDecimal.zero) { $0 + $1.amount }
      let adjusted = total.adjusted ?? .zero
      guard total.expectedClosing == total.closing, total.opening == opening, bank == nil || sent == total.paid
      else {
        throw .inputOutput(
          "\(subject.shownLedger): the books do not balance in \(code): opening \(total.opening) (last closing "
            + "\(opening)), settled \(total.settled), returned \(total.returned), adjusted \(adjusted), paid \(total.paid), closing "
            + "\(total.closing), in bank files \(sent). Nothing was published")
      }
    }
  }
}

extension PayoutMaking.Subject {
  /// The rule by which it is made.
  var rule: PayoutRule { entered?.rule ?? .bankAccounts }
}

extension TextBuffer {
  /// Appends the current account and currency of a book.
  mutating func append(_ book: BookReading) {
    append(book.account.span)
    append(",")
    let (first, second, third) = book.currency.codeBytes
    append(first)
    append(second)
    append(third)
  }
}
