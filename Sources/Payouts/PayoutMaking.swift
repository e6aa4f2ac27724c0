import BatchRun
import ExactArithmetic
import JSON
import Ledger
import Money
import Reports
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
  private var totals = RunningTotals()
  private var count = 0

  /// - Parameter lists: receive what the ledger should keep; nil if it has the payout.
  init(
    _ subject: Subject, _ files: PayoutFiles, lists: PayoutLists? = nil, makeFile: @escaping TableFile.Maker
  ) throws(RunFailure) {
    (self.subject, self.files, self.lists, self.makeFile) = (subject, files, lists, makeFile)
    paidReport = try Self.table(.payouts, makeFile)
    carriedReport = try Self.table(.carried, makeFile)
    let date = subject.identity.date
    let filesBefore = subject.earlier.filter { $0.identity.date == date }.reduce(0) { $0 + $1.achFiles }
    bank = files.debtor.map { [payees = files.payees.content.payees] in
      BankFiles(
        $0.content.debtor, payees, payout: subject.number, ledgerID: subject.ledgerID, identity: subject.identity,
        filesBefore: filesBefore, makeFile: makeFile)
    }
  }

  private static func table(_ report: PayoutReport, _ makeFile: TableFile.Maker) throws(RunFailure) -> TableFile {
    let file = try makeFile(report.fileName)
    try file.write { $0.append(report.header) }
    return file
  }

  /// Writes all files except `SHA256SUMS`, and proves that the figures add up.
  ///
  /// - Parameter open: returns the balances, once the returns are in the lists.
  func make(_ open: () throws(LedgerFailure) -> BookReading) throws(RunFailure) -> PayoutFigures {
    try takeReturns()
    let book = try asRunFailure(ledger: subject.shownLedger, open())
    while try asRunFailure(ledger: subject.shownLedger, book.next()) { try take(book) }
    try bank?.finish()
    try lists?.finish()
    try paidReport.finish()
    try carriedReport.finish()
    let figures = totals.figures(subject.number, after: subject.earlier.last, bank?.written ?? [])
    try prove(figures)
    let said = PayoutSummary(
      figures, identity: subject.identity, firstRun: subject.firstRun, ledger: subject.ledgerID,
      payees: files.payees.stored!, returned: files.returned.stored!, debtor: files.debtor?.stored)
    let summary = try makeFile(PayoutReport.summary.fileName)
    try summary.write { text in
      said.tree.write(to: &text)
      text.append("\n")
    }
    try summary.finish()
    return figures
  }

  // MARK: Returns

  private func takeReturns() throws(RunFailure) {
    let report = try Self.table(.returned, makeFile)
    let all = files.returned.returns
    for (note, payment) in all {
      try report.write { text in
        text.append("\(note.reference.text),\(note.reason),")
        text.append(payment.account, count: payment.account.count)
        text.append(",\(payment.currency.code),\(payment.amount)\n")
      }
    }
    try report.finish()
    try lists?.takeReturns(all)
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

  /// Why a balance is not paid; nil if it is paid.
  private func reason(_ book: BookReading, _ payee: Payees.Head?) -> CarriedReason? {
    if book.balance.isNegative { return .owes }
    if !book.returned.isZero { return .returned }
    guard let payee else { return .noPayee }
    if payee.flags & Payees.Head.isOnHold != 0 { return .onHold }
    let method = payee.payoutMethod!
    if let bank, bank.debtor.terms[BankFileKind(currency: book.currency, method: method)] == nil { return .noDebtor }
    if let minimum = subject.minimums[book.currency], book.balance < minimum { return .belowMinimum }
    return book.balance.inlineCoefficient.map { $0 > method.maximum } ?? true ? .aboveMaximum : nil
  }

  private func carry(_ book: BookReading, _ reason: CarriedReason) throws(RunFailure) {
    totals.carry(book.balance, book.currency, reason, since: book.since)
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
    guard let lists else { return }
    try asRunFailure(
      lists.closings.append(book.account, book.currency, book.balance, note: AccountBook.sinceNote(book.since)))
  }

  private func pay(_ book: BookReading, _ payee: Int) throws(RunFailure) {
    count += 1
    guard count <= Self.mostPayments else {
      throw .configuration(
        "TOO_MANY_PAYOUTS: a payout has at most \(Self.mostPayments) payments. Nothing was made; pay fewer balances at "
          + "once with an earlier --until or a larger --minimum")
    }
    totals.pay(book.balance, book.currency)
    let payees = files.payees.content.payees
    let file = try bank?.take(payee, book.currency, book.balance.inlineCoefficient!, number: count)
    try paidReport.write { text in
      text.append(reference: subject.number, count)
      text.append(",")
      text.append(book)
      text.append(",")
      text.append(book.balance)
      text.append(",")
      text.append(payees.head(payee).payoutMethod!.name)
      text.append(",")
      text.append(BankAccount.ending(payees.number(payee)))
      text.append(",")
      if let file { text.append(file) }
      text.append("\n")
    }
    if let lists { try asRunFailure(lists.payments.append(book.account, book.currency, book.balance)) }
  }

  private static let mostPayments = 99_999_999

  // MARK: Figures

  /// Throws unless the books balance.
  private func prove(_ figures: PayoutFigures) throws(RunFailure) {
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

extension TextBuffer {
  /// Appends the current account and currency of a book.
  fileprivate mutating func append(_ book: BookReading) {
    append(book.account.baseAddress!, count: book.account.count)
    append(",")
    let (first, second, third) = book.currency.codeBytes
    append(first)
    append(second)
    append(third)
  }
}
