import Documents
import ExactArithmetic
import Failures
import Ledger

/// Goes through the directory of a payout: its rows, figures and files for the bank. The directory may contain anything.
final class PayoutAudit {
  /// The balances of a ledger to compare with, and the payout before; none without a ledger.
  typealias Book = (balances: BalanceComparison?, last: PayoutEntry?)

  let files: FolderAudit<PayoutReport>
  /// What `payouts.json` says; nil if it is not a summary.
  private(set) var summary: PayoutSummary?
  /// The rows of `returned.csv`.
  private(set) var returns: [Change<ReturnNote>] = []
  /// The rows of `adjusted.csv`.
  private(set) var adjustments: [Change<AdjustmentNote>] = []
  /// The bank accounts of payments that the files for the bank have, by the number of the payment.
  private(set) var accounts: [Int: BankAccountDigest] = [:]
  private var totals = RunningTotals(isEarlierForm: true)
  /// The payments of each file for the bank; those without a file are under an empty name.
  private var payments: [String: [BankFileAudit.Payment]] = [:]
  private(set) var (paid, carried) = (0, 0)
  private var isWhole = true
  private var hasBook = false

  var folder: ReportFolder { files.folder }
  var log: FindingLog { files.log }

  init(path: String) throws(Failure) { files = try FolderAudit(path: path) }

  /// Reads all files, and compares them with each other and with a ledger.
  ///
  /// - Parameter book: asked once the summary, returns and adjustments are read; not without a summary.
  func read(
    _ book: (PayoutSummary) throws(Failure) -> Book = { _ throws(Failure) in (nil, nil) }
  ) throws(Failure) {
    try readSummary()
    try readChanges()
    let book: Book = try summary.map(book) ?? (nil, nil)
    try readBalances(book.balances)
    try finish(after: book.last)
  }

  /// Reads the summary and the balances, and compares these with a ledger's.
  func readBalances(comparing balances: BalanceComparison? = nil) throws(Failure) {
    try readSummary()
    try readBalances(balances)
  }

  // MARK: Summary

  /// Reads `payouts.json`; without it, little else can be checked.
  private func readSummary() throws(Failure) {
    summary = try files.readObject(.summary, as: PayoutSummary.self)
    if let summary {
      totals = RunningTotals(isEarlierForm: summary.isEarlierForm, hasTerms: summary.hasTerms)
    }
    try files.checkNames((summary?.files.map(\.name) ?? []) + reports.map(\.fileName))
  }

  /// The files that the directory must have, apart from those for the bank.
  private var reports: [PayoutReport] {
    PayoutReport.allCases.filter { $0 != .adjusted || !(summary?.isEarlierForm ?? false) }
  }

  // MARK: Returns and adjustments

  /// Reads `returned.csv` and `adjusted.csv`.
  private func readChanges() throws(Failure) {
    try readChanges(into: &returns)
    if reports.contains(.adjusted) { try readChanges(into: &adjustments) }
  }

  private func readChanges<Note: ListedNote>(into changes: inout [Change<Note>]) throws(Failure) {
    let hasFile = try files.readRows(of: Note.report) { row throws(RowFault) in
      changes.append(try Note.change(row, after: changes.last?.note.key))
    }
    if !hasFile { isWhole = false }
  }

  // MARK: Balances

  /// Reads `payouts.csv` and `carried.csv` together.
  ///
  /// - Parameter book: the balances in the ledger; nil if no ledger is given.
  private func readBalances(_ book: BalanceComparison?) throws(Failure) {
    hasBook = book != nil
    if book == nil {
      for change in returns { totals.add(change) }
      for change in adjustments { totals.add(change) }
    }
    guard let summary, let paidLines = try files.open(PayoutReport.payouts.fileName),
      let carriedLines = try files.open(PayoutReport.carried.fileName)
    else {
      isWhole = false
      return
    }
    let rules = BalanceRules(summary)
    let paid = try rules.payments(paidLines, log)
    let carried = try rules.carried(carriedLines, log)
    var (hasPaid, hasCarried) = (try paid.next(), try carried.next())
    while hasPaid || hasCarried {
      let order = !hasPaid ? 1 : !hasCarried ? -1 : paid.compare(carried)
      if order == 0, reason(carried) != .notFree {
        log.add(PayoutReport.carried.fileName, line: carried.line, "the balance is paid, too")
        isWhole = false
        hasCarried = try carried.next()
        continue
      }
      try book?.compare(order <= 0 ? paid : nil, order >= 0 ? carried : nil, &totals, log)
      if order <= 0 {
        count(payment: paid)
        hasPaid = try paid.next()
      }
      if order >= 0 {
        count(balance: carried, rules)
        hasCarried = try carried.next()
      }
    }
    try book?.finish(&totals, log)
    isWhole = isWhole && paid.isWhole && carried.isWhole
    for lines in [paidLines, carriedLines] { try files.finish(lines) }
  }

  /// Enters the payments of a sound payout in a list, with the bank accounts that its files for the bank have.
  func enterPayments(_ lists: PayoutLists) throws(Failure) {
    guard let lines = try folder.open(PayoutReport.payouts.fileName, log) else { return }
    let rows = try BalanceRules(summary!).payments(lines, log)
    // The list has all bank accounts or none.
    let isKnown = accounts.count == paid
    var number = 0
    while try rows.next() {
      number += 1
      let note = isKnown ? accounts[number]!.note : []
      try lists[.payments].append(rows.account.span, rows.currency, rows.amount, note: note)
    }
    try lists[.payments].finish()
  }

  private func count(payment row: BalanceRows) {
    paid += 1
    totals.pay(row.amount, row.currency)
    let fields = row.row
    let file = fields.text(PayoutsReport.Column.file)
    payments[file, default: []].append(
      BankFileAudit.Payment(
        number: paid, amount: row.amount.inlineCoefficient ?? 0,
        ending: BankFileAudit.Payment.ending(fields[PayoutsReport.Column.ending])))
  }

  private func count(balance row: BalanceRows, _ rules: BalanceRules) {
    carried += 1
    // Rows without a known reason, a run or amounts were dropped on reading.
    let held = try! rules.held(row)
    totals.carry(row.amount, row.currency, reason(row), since: row.since!, held: held)
  }

  private func reason(_ row: BalanceRows) -> CarriedReason {
    CarriedReason(rawValue: row.row.text(CarriedReport.Column.reason))!
  }

  /// The rows of `carried.csv` of a sound payout; nil if it is gone.
  func carriedRows() throws(Failure) -> BalanceRows? {
    guard let lines = try folder.open(PayoutReport.carried.fileName, log) else { return nil }
    return try BalanceRules(summary!).carried(lines, log)
  }

  // MARK: Sums

  /// Compares the figures with the sums of the rows, and the files for the bank with the payments; then the digests.
  ///
  /// - Parameter last: the previous payout in the ledger.
  private func finish(after last: PayoutEntry?) throws(Failure) {
    if let summary {
      if isWhole { compareFigures(summary, after: last) }
      for file in summary.files {
        let audit = BankFileAudit(summary, file, payments[file.name] ?? [], log)
        let isThere = try files.read(file.name) { lines throws(Failure) in try audit.read(lines) }
        accounts.merge(audit.accounts) { $1 }
        if isThere, audit.canCompare, let again = try folder.open(file.name, FindingLog()) { try audit.compare(again) }
      }
    }
    try files.compareSums(reports.map(\.fileName))
  }

  private func compareFigures(_ summary: PayoutSummary, after last: PayoutEntry?) {
    var expected = summary
    let figures = totals.figures(summary.number, after: last, summary.files)
    expected.totals = figures.totals
    if !hasBook {
      // Only the ledger knows these, and which currencies had entries before.
      for place in expected.totals.indices {
        let said = summary.totals.first { $0.currency == expected.totals[place].currency }
        expected.totals[place].opening = said?.opening ?? expected.totals[place].opening
        expected.totals[place].settled = said?.settled ?? expected.totals[place].settled
        expected.totals[place].adjusted = said?.adjusted
      }
      for said in summary.totals where !expected.totals.contains(where: { $0.currency == said.currency }) {
        var empty = PayoutTotal(said.currency)
        (empty.opening, empty.settled, empty.adjusted) = (said.opening, said.settled, said.adjusted)
        if summary.hasTerms { empty.setHeld() }
        expected.totals.append(empty)
      }
      expected.totals.sort { $0.currency < $1.currency }
    }
    expected.reasons = Dictionary(uniqueKeysWithValues: figures.reasons.map { ($0.reason, $0.count) })
    expected.files = files(summary)
    let sources =
      "payouts.csv, carried.csv, returned.csv" + (hasBook ? ", adjusted.csv and the ledger" : " and adjusted.csv")
    _ = log.compare(PayoutReport.summary.fileName, summary.json, expected.json, "what \(sources) add up to")
    for total in expected.totals {
      guard total.expectedClosing != total.closing else { continue }
      log.add(
        PayoutReport.summary.fileName, field: "totals.\(total.currency.code).closing", found: "\(total.closing)",
        expected: "\(total.expectedClosing)", "opening + settled + returned + adjusted - paid")
    }
  }

  /// The files for the bank according to the payments, numbered for each currency and method.
  private func files(_ summary: PayoutSummary) -> [PayoutFigures.File] {
    var numbers: [BankFileKind: Int] = [:]
    return summary.files.sorted { $0.kind < $1.kind }
      .map { file in
        let number = numbers[file.kind, default: 0] + 1
        numbers[file.kind] = number
        let payments = payments[file.name] ?? []
        return PayoutFigures.File(
          name: PayoutReport.bankFile(file.method, file.currency, number), currency: file.currency,
          method: file.method, instructions: payments.count,
          amount: payments.reduce(ExactDecimal.zero(at: -file.currency.settlementExponent)) { sum, payment in
            sum + ExactDecimal(payment.amount, exponent: -file.currency.settlementExponent)
          })
      }
  }

  /// The run since which the oldest debt exists; nil if no account owes.
  var oldestDebt: Int? { totals.oldestDebt }

  /// The payout's exit code.
  var exitCode: Int32 { totals.figures(0, after: nil, []).exitCode }
}
