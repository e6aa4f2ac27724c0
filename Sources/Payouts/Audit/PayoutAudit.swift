import BatchRun
import ExactArithmetic
import JSON
import Ledger
import Money
import Reports
import Text
import Verification

/// Goes through the directory of a payout, file by file, and records findings. The directory may contain anything.
final class PayoutAudit {
  let folder: ReportFolder
  let log = FindingLog()
  /// What `payouts.json` says; nil if it is not a summary.
  private(set) var summary: PayoutSummary?
  /// The rows of `returned.csv`.
  private(set) var returns: [(note: ReturnNote, payment: BookedPayment)] = []
  /// What `SHA256SUMS` must be, once everything is read.
  private(set) var sums = ""
  /// The SHA-256 of each file read.
  private var digests: [String: String] = [:]
  private var totals = RunningTotals()
  /// The payments of each file for the bank; those without a file are under an empty name.
  private var payments: [String: [BankFileAudit.Payment]] = [:]
  private(set) var (paid, carried) = (0, 0)
  private var isWhole = true
  private var hasBook = false

  init(_ folder: ReportFolder) { self.folder = folder }

  private func read(_ name: String, _ body: (ReportLines) throws(RunFailure) -> Void) throws(RunFailure) -> Bool {
    guard let lines = try folder.open(name, log) else { return false }
    try body(lines)
    try lines.finish()
    for file in lines.digests { digests[file.name] = file.digest }
    return true
  }

  // MARK: Summary

  /// Reads `payouts.json`; without it, little else can be checked.
  func readSummary() throws(RunFailure) {
    let name = PayoutReport.summary.fileName
    _ = try read(name) { lines throws(RunFailure) in
      guard let (text, tree) = try log.tree(of: lines) else { return }
      guard let said = PayoutSummary(tree) else { return log.add(name, "does not describe a payout") }
      let written = Array("\(said.tree)\n".utf8)
      written.withUnsafeBufferPointer { log.checkForm(name, text, tree, $0, said.tree) }
      summary = said
    }
    let known = Set((summary?.files.map(\.name) ?? []) + PayoutReport.allCases.map(\.fileName) + [ReportKind.sums])
    for name in try folder.names(expected: known.count) where !known.contains(String(decoding: name, as: UTF8.self)) {
      log.add(
        "", field: "a file", found: MessageText.identifier(name),
        "the directory of a payout holds what payouts.json lists, its reports, SHA256SUMS and nothing else")
    }
  }

  // MARK: Returns

  func readReturns() throws(RunFailure) {
    typealias Column = ReturnedReport.Column
    let hasFile = try read(PayoutReport.returned.fileName) { lines throws(RunFailure) in
      try lines.takeHeader(log)
      var row = ReportRow()
      while try lines.next() {
        guard lines.split(into: &row, log) else {
          isWhole = false
          continue
        }
        do throws(RowFault) { returns.append(try Self.returned(row, after: returns.last?.note.reference)) } catch {
          lines.note(error, in: row, log)
          isWhole = false
        }
      }
    }
    if !hasFile { isWhole = false }
  }

  private static func returned(
    _ row: ReportRow, after last: PaymentReference?
  ) throws(RowFault) -> (note: ReturnNote, payment: BookedPayment) {
    typealias Column = ReturnedReport.Column
    guard let reference = PaymentReference(row[Column.reference]), last.map({ $0 < reference }) ?? true else {
      throw RowFault(Column.reference, "rows are sorted by reference, and each comes once")
    }
    guard ReturnedFile.isReason(row[Column.reason]) else { throw RowFault(Column.reason, "is not a reason") }
    guard let currency = Currency.find(row[Column.currency]) else {
      throw RowFault(Column.currency, "settle currencies lists no such code")
    }
    guard let amount = ReportField.amount(row[Column.amount], currency), !amount.isZero, !amount.isNegative else {
      throw RowFault(Column.amount, "expected an amount above zero with the currency's decimals")
    }
    let reason = String(decoding: row[Column.reason], as: UTF8.self)
    return (
      ReturnNote(reference: reference, reason: reason),
      BookedPayment(account: Array(row[Column.account]), currency: currency, amount: amount)
    )
  }

  // MARK: Balances

  /// Reads `payouts.csv` and `carried.csv` together.
  ///
  /// - Parameters:
  ///   - book: the balances in the ledger; nil if no ledger is given.
  ///   - lists: receive the payments, as long as nothing is wrong.
  func readBalances(
    _ book: BalanceComparison?, _ lists: PayoutLists? = nil
  ) throws(RunFailure) {
    hasBook = book != nil
    if book == nil { for (_, payment) in returns { totals.takeBack(payment.amount, payment.currency) } }
    guard let summary, let paidLines = try folder.open(PayoutReport.payouts.fileName, log),
      let carriedLines = try folder.open(PayoutReport.carried.fileName, log)
    else {
      isWhole = false
      return
    }
    let rules = BalanceRules(summary, returns)
    let paid = try rules.payments(paidLines, log)
    let carried = try rules.carried(carriedLines, log)
    var (hasPaid, hasCarried) = (try paid.next(), try carried.next())
    while hasPaid || hasCarried {
      let order = !hasPaid ? 1 : !hasCarried ? -1 : paid.compare(carried.account, carried.currency)
      if order == 0 {
        log.add(PayoutReport.carried.fileName, line: carried.line, "the balance is paid, too")
        isWhole = false
        hasCarried = try carried.next()
      } else if order < 0 {
        try book?.take(paid, PayoutReport.payouts, since: nil, &totals, log)
        try take(payment: paid, lists)
        hasPaid = try paid.next()
      } else {
        let since = ReportField.count(carried.row[CarriedReport.Column.since])
        try book?.take(carried, PayoutReport.carried, since: since, &totals, log)
        take(balance: carried)
        hasCarried = try carried.next()
      }
    }
    try book?.finish(&totals, log)
    isWhole = isWhole && paid.isWhole && carried.isWhole
    for lines in [paidLines, carriedLines] {
      try lines.finish()
      for file in lines.digests { digests[file.name] = file.digest }
    }
    if let lists { try asRunFailure(lists.payments.finish()) }
  }

  private func take(payment row: BalanceRows, _ lists: PayoutLists?) throws(RunFailure) {
    paid += 1
    totals.pay(row.amount, row.currency)
    let file = String(decoding: row.row[PayoutsReport.Column.file], as: UTF8.self)
    payments[file, default: []].append(
      BankFileAudit.Payment(
        number: paid, amount: row.amount.inlineCoefficient ?? 0,
        ending: BankFileAudit.Payment.ending(row.row[PayoutsReport.Column.ending])))
    if let lists, log.count == 0 { try asRunFailure(lists.payments.append(row.account, row.currency, row.amount)) }
  }

  private func take(balance row: BalanceRows) {
    carried += 1
    // Rows without a known reason or a run were dropped on reading.
    let reason = CarriedReason(rawValue: String(decoding: row.row[CarriedReport.Column.reason], as: UTF8.self))!
    let since = ReportField.count(row.row[CarriedReport.Column.since])!
    totals.carry(row.amount, row.currency, reason, since: since)
  }

  // MARK: Sums

  /// Compares the figures with the sums of the rows, and the files for the bank with the payments; then the digests.
  ///
  /// - Parameter last: the previous payout in the ledger.
  func finish(after last: PayoutEntry? = nil) throws(RunFailure) {
    if let summary {
      if isWhole { compareFigures(summary, after: last) }
      for file in summary.files {
        let audit = BankFileAudit(summary, file, payments[file.name] ?? [], log)
        let isThere = try read(file.name) { lines throws(RunFailure) in try audit.read(lines) }
        if isThere, audit.canCompare, let again = try folder.open(file.name, FindingLog()) { try audit.compare(again) }
      }
    }
    let others = PayoutReport.allCases.map(\.fileName).filter { digests[$0] == nil }
    for name in others where !log.findings.contains(where: { $0.file == name }) { _ = try read(name) { _ in } }
    sums = ReportKind.sumsText(digests)
    _ = try read(ReportKind.sums) { lines throws(RunFailure) in
      try ComparedReport.compareSums(lines, digests, log)
    }
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
        expected.totals.append(empty)
      }
      expected.totals.sort { $0.currency < $1.currency }
    }
    expected.reasons = Dictionary(uniqueKeysWithValues: figures.reasons.map { ($0.reason, $0.count) })
    expected.files = files(summary)
    let sources = "payouts.csv, carried.csv" + (hasBook ? ", returned.csv and the ledger" : " and returned.csv")
    _ = log.compare(PayoutReport.summary.fileName, summary.tree, expected.tree, "what \(sources) add up to")
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
