import BatchRun
import CSystemCalls
import ExactArithmetic
import Failures
import Glibc
import Ledger
import Money
import Reports
import Text
import Verification

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

    static func ending(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 { text.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  private let summary: PayoutSummary
  private let file: PayoutFigures.File
  private let payments: [Payment]
  private let log: FindingLog
  private let payees = Payees()
  /// The index in `payees` of each payment's payee.
  private var places: [Int?]
  private var debtor = Debtor()
  private var modifier = UInt8(ascii: "A")

  /// - Parameter payments: the payments that the file must have, in order.
  init(_ summary: PayoutSummary, _ file: PayoutFigures.File, _ payments: [Payment], _ log: FindingLog) {
    (self.summary, self.file, self.payments, self.log) = (summary, file, payments, log)
    places = payments.map { _ in nil }
  }

  // MARK: Reading

  /// Reads what only the file contains.
  func read(_ lines: ReportLines) throws(Failure) {
    var isCompany = false
    var terms = (transfers: Debtor.Transfers(), entries: Debtor.Entries())
    while try lines.next() {
      let line = BankLine(lines.bytes)
      var isPaid = true
      switch file.method {
      case .iban:
        if line.begins("<PmtInf>") { terms.transfers.read(line) }
        if line.begins("<CdtTrfTxInf>") { isPaid = takeTransfer(line, &terms.transfers) }
      case .ach:
        if line.begins("1") { modifier = terms.entries.read(header: line) ?? modifier }
        if line.begins("5") { isCompany = terms.entries.read(batch: line) }
        if line.begins("6") { isPaid = takeEntry(line, isCompany) }
      }
      if !isPaid { log.add(file.name, line: lines.number, "is not a payment of payouts.csv to a valid bank account") }
    }
    terms.transfers.isSEPA = Array(terms.transfers.iban.utf8).withUnsafeBufferPointer { iban in
      BankAccount.fault(iban: iban) == nil && BankAccount.isSEPA(iban)
    }
    if !fits { log.add(file.name, "has more payments, or more money, than a NACHA file can have") }
    debtor.transfers[file.currency] = terms.transfers
    debtor.entries[file.currency] = terms.entries
    for (place, payment) in zip(places, payments) where place == nil {
      log.add(file.name, expected: "P\(summary.number)-\(payment.number)", "payouts.csv has this payment in the file")
    }
  }

  private func takeTransfer(_ line: BankLine, _ terms: inout Debtor.Transfers) -> Bool {
    guard let reference = line.text("<InstrId>", "</InstrId>"), let name = line.text("<Cdtr><Nm>", "</Nm>"),
      let iban = line.text("<CdtrAcct><Id><IBAN>", "</IBAN>"), let said = line.text("<Ustrd>", "</Ustrd>"),
      BankAccount.fault(iban: iban) == nil
    else { return false }
    let bic = line.text("<BICFI>", "</BICFI>") ?? UnsafeBufferPointer(rebasing: name[..<0])
    guard bic.isEmpty || BankAccount.isBIC(bic) else { return false }
    terms.text = String(decoding: said.dropLast(reference.count + 1), as: UTF8.self)
    let flags = BankAccount.isSEPA(iban) ? Payees.Head.isSEPA : 0
    return take(reference, name: name, number: iban, bank: bic, flags: flags)
  }

  private func takeEntry(_ line: BankLine, _ isCompany: Bool) -> Bool {
    guard let routing = line.field(3, 9), let number = line.field(12, 17), let reference = line.field(39, 15),
      let name = line.field(54, 22), BankAccount.isRouting(routing), BankAccount.isAccountNumber(number)
    else { return false }
    let savings = line.begins("632") ? Payees.Head.isSavings : 0
    let company = isCompany ? Payees.Head.isCompany : 0
    return take(reference, name: name, number: number, bank: routing, flags: Payees.Head.isACH | savings | company)
  }

  /// Records the payee of a payment; false if the payment does not belong to the file, or occurs twice.
  private func take(
    _ reference: UnsafeBufferPointer<UInt8>, name: UnsafeBufferPointer<UInt8>, number: UnsafeBufferPointer<UInt8>,
    bank: UnsafeBufferPointer<UInt8>, flags: UInt8
  ) -> Bool {
    var text = TextBuffer()
    // The start of a name that ACH accepts may have no letter or digit.
    guard name.allSatisfy({ $0 < 0x80 }), BankText.convert(name, into: &text) == nil || flags & Payees.Head.isACH != 0,
      text.all.elementsEqual(name), name.count <= BankText.nameLimit,
      let reference = PaymentReference(reference), reference.payout == summary.number,
      let place = place(of: reference.number), places[place] == nil
    else { return false }
    let ending = BankAccount.ending(number)
    if payments[place].ending != Payment.ending(ending) {
      log.add(
        PayoutReport.payouts.fileName, line: payments[place].number + 1, field: PayoutsReport.Column.ending.name,
        expected: String(decoding: ending, as: UTF8.self),
        "the bank account that \(file.name) has")
    }
    var head = Payees.Head()
    (head.flags, head.name, head.number, head.bank) = (flags, UInt8(name.count), UInt8(number.count), UInt8(bank.count))
    places[place] = payees.append(
      head, account: UnsafeBufferPointer(rebasing: name[..<0]), name: name, number: number, bank: bank)
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
    file.method == .iban
      || payments.count <= NACHAFile.mostEntries && payments.reduce(0) { $0 + $1.amount } <= NACHAFile.mostCents
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
    switch file.method {
    case .iban:
      try PainFile(common, debtor.transfers[file.currency]!, file.currency, id: id).write(instructions, to: output)
    case .ach:
      try NACHAFile(common, debtor.entries[file.currency]!, modifier: modifier).write(instructions, to: output)
    }
    try output.finish()
  }
}

/// A line of a file for the bank.
private struct BankLine {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  func begins(_ text: StaticString) -> Bool {
    bytes.count >= text.utf8CodeUnitCount && memcmp(bytes.baseAddress!, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// The text between two texts; nil if they are not in the line.
  func text(_ before: StaticString, _ after: StaticString) -> UnsafeBufferPointer<UInt8>? {
    guard let start = place(of: before, from: 0).map({ $0 + before.utf8CodeUnitCount }),
      let end = place(of: after, from: start)
    else { return nil }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  func string(_ before: StaticString, _ after: StaticString) -> String {
    text(before, after).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func place(of text: StaticString, from start: Int) -> Int? {
    let line = bytes.baseAddress!
    return settle_find(text.utf8Start, text.utf8CodeUnitCount, line + start, bytes.count - start)
      .map { $0 - UnsafeRawPointer(line) }
  }

  /// A field of fixed width, without spaces at its ends; nil if the line is shorter, or the field is empty.
  func field(_ start: Int, _ width: Int) -> UnsafeBufferPointer<UInt8>? {
    guard bytes.count >= start + width else { return nil }
    var field = bytes[start..<start + width]
    while field.last == 0x20 { field.removeLast() }
    while field.first == 0x20 { field.removeFirst() }
    return field.isEmpty ? nil : UnsafeBufferPointer(rebasing: field)
  }

  /// The same as a string, empty if it is not ASCII: then it would not fit into the field again.
  func string(_ start: Int, _ width: Int) -> String {
    field(start, width).flatMap { $0.allSatisfy { $0 < 0x80 } ? String(decoding: $0, as: UTF8.self) : nil } ?? ""
  }
}

extension Debtor.Transfers {
  /// Reads the line before a block's payments.
  fileprivate mutating func read(_ line: BankLine) {
    name = line.string("<Dbtr><Nm>", "</Nm>")
    iban = line.string("<DbtrAcct><Id><IBAN>", "</IBAN>")
    bic = line.string("<BICFI>", "</BICFI>")
  }
}

extension Debtor.Entries {
  /// Reads the file's first line.
  ///
  /// - Returns: the character that distinguishes the files of a day.
  fileprivate mutating func read(header line: BankLine) -> UInt8? {
    destination = line.string(4, 9)
    origin = line.string(13, 10)
    destinationName = line.string(40, 23)
    originName = line.string(63, 23)
    return line.field(33, 1)?.first.flatMap { NACHAFile.modifiers.contains($0) ? $0 : nil }
  }

  /// Reads the line before a batch's entries; true if the batch pays companies.
  fileprivate mutating func read(batch line: BankLine) -> Bool {
    name = line.string(4, 16)
    company = line.string(40, 10)
    description = line.string(53, 10)
    odfi = line.string(79, 8)
    return line.string(50, 3) == "CCD"
  }
}
