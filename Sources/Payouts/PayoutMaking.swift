import BatchRun
import ExactArithmetic
import FileSystem
import FoundationEssentials
import Ledger
import Money
import Reports
import Text

/// One payout while it is made: goes once through all balances, and writes what becomes of each.
final class PayoutMaking {
  /// The lists that the ledger keeps of it.
  let payments: AccountEntries
  let returns: AccountEntries
  let closings: AccountEntries

  private let options: Payout.Options
  private let files: PayoutFiles
  private let ledger: RunLedger
  private let identity: PayoutIdentity
  private let firstRun: Int
  private let ledgerID: String
  private let directory: SettlementDirectory
  /// The payouts before it.
  private let earlier: [NumberedPayout]
  private let number: Int
  private var totals = RunningTotals()
  private let paidReport: TableFile
  private let carriedReport: TableFile
  private let bank: BankFiles?
  private var count = 0

  init(
    _ payout: Payout, identity: PayoutIdentity, number: Int, firstRun: Int, ledgerID: String,
    earlier: [NumberedPayout], _ directory: SettlementDirectory
  ) throws(RunFailure) {
    (options, files, ledger) = (payout.options, payout.files, payout.ledger)
    (self.identity, self.number, self.firstRun, self.ledgerID) = (identity, number, firstRun, ledgerID)
    (self.earlier, self.directory) = (earlier, directory)
    payments = try asRunFailure(AccountEntries(beside: directory.place))
    returns = try asRunFailure(AccountEntries(beside: directory.place, hasNotes: true))
    closings = try asRunFailure(AccountEntries(beside: directory.place, hasNotes: true))
    paidReport = try TableFile(.payouts, in: directory)
    carriedReport = try TableFile(.carried, in: directory)
    let achBefore = earlier.filter { $0.entry.identity.date == identity.date }.reduce(0) { $0 + $1.entry.achFiles }
    bank = files.debtor.map { [payees = payout.files.payees.content.payees] in
      BankFiles(
        $0.content.debtor, payees, payout: number, ledgerID: ledgerID, identity: identity, achBefore: achBefore,
        directory)
    }
  }

  /// Writes all files but `SHA256SUMS`, and proves that the figures add up.
  func make() throws(RunFailure) -> PayoutFigures {
    try takeReturns()
    let book = try asRunFailure(
      ledger: ledger.shown,
      ledger.ledger.balances(until: identity.untilRun, before: number, returns: returns, firstRun: firstRun))
    while try asRunFailure(ledger: ledger.shown, book.next()) { try take(book) }
    try bank?.finish()
    for list in [payments, closings] { try asRunFailure(list.finish()) }
    try paidReport.finish()
    try carriedReport.finish()
    let figures = totals.figures(number, after: earlier.last, bank?.written ?? [])
    try prove(figures)
    let summary = try directory.makeFile(PayoutReport.summary.fileName)
    try summary.write("\(summaryTree(figures))\n")
    directory.finish(summary, name: PayoutReport.summary.fileName)
    return figures
  }

  // MARK: Returns

  private func takeReturns() throws(RunFailure) {
    let report = try TableFile(.returned, in: directory)
    let all = files.returned?.content.returns ?? []
    for (note, payment) in all {
      try report.write { text in
        text.append("\(note.reference.text),\(note.reason),")
        text.append(payment.account, count: payment.account.count)
        text.append(",\(payment.currency.code),\(payment.amount)\n")
      }
    }
    try report.finish()
    try returns.append(all)
  }

  // MARK: Balances

  private func take(_ book: BookReading) throws(RunFailure) {
    totals.take(book)
    if book.balance.isZero { return }
    let payees = files.payees.content.payees
    let payee = payees.find(book.account, book.currency)
    if let reason = reason(book, payee.map(payees.head)) {
      try carry(book, reason)
    } else {
      try pay(book, payee!)
    }
  }

  /// Why a balance is not paid; nil if it is.
  private func reason(_ book: BookReading, _ payee: Payees.Head?) -> CarriedReason? {
    if book.balance.isNegative { return .owes }
    if !book.returned.isZero { return .returned }
    guard let payee else { return .noPayee }
    if payee.flags & Payees.Head.isOnHold != 0 { return .onHold }
    let method: PayoutMethod = payee.flags & Payees.Head.isACH == 0 ? .iban : .ach
    if let bank, !bank.debtor.has(method, book.currency) { return .noDebtor }
    if let minimum = options.minimums[book.currency], book.balance < minimum { return .belowMinimum }
    return book.balance.inlineCoefficient.map { $0 > method.maximum } ?? true ? .aboveMaximum : nil
  }

  private func carry(_ book: BookReading, _ reason: CarriedReason) throws(RunFailure) {
    totals.carry(book, reason)
    try carriedReport.write { text in
      text.append(book)
      text.append(",")
      text.append(book.balance)
      text.append(",")
      text.append(reason.rawValue)
      text.append(",")
      text.append(number: book.since)
      text.append("\n")
    }
    try asRunFailure(
      closings.append(book.account, book.currency, book.balance, note: AccountBook.sinceNote(book.since)))
  }

  private func pay(_ book: BookReading, _ payee: Int) throws(RunFailure) {
    count += 1
    guard count <= Self.mostPayments else {
      throw .configuration("TOO_MANY_PAYOUTS: a payout has at most \(Self.mostPayments) payments")
    }
    totals.pay(book)
    let payees = files.payees.content.payees
    let file = try bank?.take(payee, book.currency, book.balance.inlineCoefficient!, number: count)
    try paidReport.write { text in
      text.append("P")
      text.append(number: number)
      text.append("-")
      text.append(number: count)
      text.append(",")
      text.append(book)
      text.append(",")
      text.append(book.balance)
      text.append(payees.head(payee).flags & Payees.Head.isACH == 0 ? ",IBAN," : ",ACH,")
      let account = payees.number(payee)
      if account.count >= 8 { text.append(account.baseAddress! + account.count - 4, count: 4) }
      text.append(",")
      if let file { text.append(file) }
      text.append("\n")
    }
    try asRunFailure(payments.append(book.account, book.currency, book.balance))
  }

  private static let mostPayments = 99_999_999

  // MARK: Figures

  /// Throws unless the books balance.
  private func prove(_ figures: PayoutFigures) throws(RunFailure) {
    let before = Dictionary(
      uniqueKeysWithValues: (earlier.last?.entry.totals ?? []).map { ($0.currency, $0.closing) })
    for total in figures.totals {
      let code = total.currency.code
      let opening = before[code].map { ExactDecimal($0)! } ?? .zero
      let sent = figures.files.filter { $0.currency == total.currency }.reduce(ExactDecimal.zero) { $0 + $1.amount }
      guard total.opening + total.settled + total.returned == total.paid + total.closing,
        total.opening == opening, bank == nil || sent == total.paid
      else {
        throw .inputOutput(
          "\(ledger.shown): the books do not balance in \(code): opening \(total.opening) (last closing \(opening)), "
            + "settled \(total.settled), returned \(total.returned), paid \(total.paid), closing \(total.closing), "
            + "in bank files \(sent). Nothing was published")
      }
    }
  }

  /// What the ledger keeps of it, once its directory is complete.
  func entry(_ figures: PayoutFigures) throws(RunFailure) -> PayoutEntry {
    PayoutEntry(
      time: Date.now.formatted(.iso8601), engine: BatchRun.version, identity: identity, firstRun: firstRun,
      ledger: ledgerID, isAdopted: false, exitCode: figures.exitCode,
      achFiles: figures.files.count { $0.method == .ach }, totals: figures.totals.map(\.entry),
      directory: FileName.bytes(try asRunFailure(directory.place.absolutePath())), sums: directory.sums)
  }

  private func summaryTree(_ figures: PayoutFigures) -> PayoutSummary {
    PayoutSummary(
      figures, identity: identity, firstRun: firstRun, ledgerID: ledgerID, minimums: options.minimums,
      payees: files.payees.stored!, returned: files.returned?.stored, debtor: files.debtor?.stored)
  }
}

extension TextBuffer {
  /// Appends the account and currency that a book is at.
  fileprivate mutating func append(_ book: BookReading) {
    append(book.account.baseAddress!, count: book.account.count)
    append(",")
    let (first, second, third) = book.currency.codeBytes
    append(first)
    append(second)
    append(third)
  }
}
