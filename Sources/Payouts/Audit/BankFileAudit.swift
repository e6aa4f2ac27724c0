import Failures
import Ledger
import Documents
import Text

/// A file for the bank, compared with the payments of `payouts.csv`: payers and payees are read from the file, and the
/// whole file is written again from them and from the payments.
final class BankFileAudit {
  /// A row of `payouts.csv`.
  struct Payment {
    /// Counted from 1; its line is one higher.
    let number: Int
    /// In minor units.
    let amount: Int
    /// The four characters of `ending`, 0 if it is empty.
    let ending: UInt32

    static func ending(_ text: Span<UInt8>) -> UInt32 { text.indices.reduce(0) { $0 << 8 | UInt32(text[$1]) } }
  }

  private let summary: PayoutSummary
  private let file: PayoutFigures.File
  private let payments: [Payment]
  private let log: FindingLog
  private let payees = Payees()
  private var texts = PayeeTexts()
  /// The bank accounts of the payments, by their numbers.
  private(set) var accounts: [Int: BankAccountDigest] = [:]
  /// The index in `payees` of each payment's payee.
  private var places: [Int?]
  private let format: any BankFormat
  private var reader: any BankFileReader

  /// - Parameter payments: the payments that the file must have, in order.
  init(_ summary: PayoutSummary, _ file: PayoutFigures.File, _ payments: [Payment], _ log: FindingLog) {
    (self.summary, self.file, self.payments, self.log) = (summary, file, payments, log)
    places = payments.map { _ in nil }
    format = BankFormats.of(file.method)
    reader = format.reader()
  }

  // MARK: Reading

  /// Reads what only the file contains.
  func read(_ lines: ReportLines) throws(Failure) {
    while try lines.next() {
      let line = BankLine(lines.current)
      let isPaid =
        switch reader.read(line) {
        case .payment(let payment): compare(payment, of: line)
        case .invalidPayment: false
        case .block, .other: true
        }
      if !isPaid { log.add(file.name, line: lines.number, "is not a payment of payouts.csv to a valid bank account") }
    }
    if !fits { log.add(file.name, "has more payments, or more money, than such a file can have") }
    for (place, payment) in zip(places, payments) where place == nil {
      log.add(file.name, expected: "P\(summary.number)-\(payment.number)", "payouts.csv has this payment in the file")
    }
  }

  /// Records the payee of a payment; false if the payment does not belong to the file, or occurs twice.
  private func compare(_ payment: BankFilePayment, of line: BankLine) -> Bool {
    var text = TextBuffer()
    let name = line[payment.name]
    // The start of a name may have no letter or digit.
    let isCut = format.nameWidth < BankText.nameLimit
    guard name.allSatisfy({ $0 < 0x80 }), BankText.convert(name, into: &text) == nil || isCut,
      text.span.isEqual(to: name), name.count <= BankText.nameLimit,
      let reference = PaymentReference(line[payment.reference]), reference.payout == summary.number,
      let place = place(of: reference.number), places[place] == nil
    else { return false }
    let ending = BankAccount.ending(line[payment.number])
    if payments[place].ending != Payment.ending(ending) {
      log.add(
        PayoutReport.payouts.fileName, line: payments[place].number + 1, field: PayoutsReport.Column.ending.name,
        expected: String(decoding: ending),
        "the bank account that \(file.name) has")
    }
    texts.removeAll()
    texts.name.append(name)
    texts.number.append(line[payment.number])
    texts.bank.append(line[payment.bank])
    texts.address.append(payment.address)
    let row = payees.append(Payees.Head(method: UInt8(file.method.place), flags: payment.flags), texts)
    places[place] = row
    accounts[payments[place].number] = payees.bankAccount(row)
    return true
  }

  private func place(of number: Int) -> Int? {
    var (lower, upper) = (0, payments.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if payments[middle].number < number { lower = middle + 1 } else { upper = middle }
    }
    return lower < payments.count && payments[lower].number == number ? lower : nil
  }

  // MARK: Writing again

  /// Whether a file of this method can have such payments.
  private var fits: Bool {
    format.most.map { most in
      payments.count <= most.payments && payments.reduce(0) { $0 + $1.amount } <= most.sum
    } ?? true
  }

  /// Whether each payment was found.
  var canCompare: Bool { !payments.isEmpty && fits && places.allSatisfy { $0 != nil } }

  /// Compares the file with one written from its payments.
  func compare(_ lines: ReportLines) throws(Failure) {
    let compared = ComparedReport(lines, isSecret: true, "what payouts.csv and payouts.json make it", log)
    let output = TableFile(compared) { () throws(Failure) in try compared.finish() }
    let common = BankFiles.Common(
      payees: payees, payout: summary.number, ledgerID: summary.ledger, identity: summary.identity)
    let instructions = zip(places, payments).map { Instruction(payee: $0!, amount: $1.amount, number: $1.number) }
    let id = String(file.name.split(separator: "-", maxSplits: 1)[1].dropLast(4))
    let described = BankFile(common: common, currency: file.currency, id: id, placeInDay: reader.placeInDay)
    _ = try reader.terms.write(instructions, described, to: output)
    try output.finish()
  }
}
