import ExactArithmetic
import Failures
import Ledger
import Money
import Documents

/// A payment on its way to a file for the bank.
struct Instruction: BitwiseCopyable {
  /// Where the payee's row is.
  let payee: Int
  /// In minor units.
  let amount: Int
  /// The payment's number in the payout.
  let number: Int
}

/// What files for the bank are numbered by.
struct BankFileKind: Hashable, Comparable {
  let currency: Currency
  let method: PayoutMethod

  static func < (left: BankFileKind, right: BankFileKind) -> Bool {
    (left.currency, left.method.place) < (right.currency, right.method.place)
  }
}

/// The files for the bank. Takes payments in the order of `payouts.csv`, and writes each file once it is full.
final class BankFiles {
  let debtor: Debtor
  /// The files written; once all are, in the order of currency, method and number.
  private(set) var written: [PayoutFigures.File] = []
  /// The number of payments that the bank may refuse because they have no address.
  private(set) var withoutAddress = 0

  /// The unfinished file of a kind.
  private struct Open {
    var number: Int
    let name: String
    var sum = 0
    var instructions: [Instruction] = []

    init(_ kind: BankFileKind, number: Int) {
      (self.number, name) = (number, PayoutReport.bankFile(kind.method, kind.currency, number))
    }
  }

  /// What all files of the payout share.
  struct Common {
    let payees: Payees
    let payout: Int
    let ledgerID: String
    let identity: PayoutIdentity
  }

  private let common: Common
  private let makeFile: TableFile.Maker
  private var open: [BankFileKind: Open] = [:]
  /// The number of files of this date so far, in formats that have a limit for it.
  private var filesOfDay: Int

  init(
    _ debtor: Debtor, _ payees: Payees, payout: Int, ledgerID: String, identity: PayoutIdentity, filesBefore: Int,
    makeFile: @escaping TableFile.Maker
  ) {
    (self.debtor, self.makeFile, filesOfDay) = (debtor, makeFile, filesBefore)
    common = Common(payees: payees, payout: payout, ledgerID: ledgerID, identity: identity)
  }

  /// Adds a payment.
  ///
  /// - Returns: the name of the file that contains it.
  func add(_ payee: Int, _ currency: Currency, _ amount: Int, number: Int) throws(Failure) -> String {
    let kind = BankFileKind(currency: currency, method: common.payees.head(payee).payoutMethod!)
    let mostSum = BankFormats.of(kind.method).most?.sum ?? .max
    var file = open.removeValue(forKey: kind) ?? Open(kind, number: 1)
    if file.instructions.count == debtor.terms[kind]!.maximum || file.sum > mostSum - amount {
      try write(file, kind)
      file = Open(kind, number: file.number + 1)
    }
    file.instructions.append(Instruction(payee: payee, amount: amount, number: number))
    file.sum += amount
    defer { open[kind] = file }
    return file.name
  }

  /// Writes the unfinished files.
  func finish() throws(Failure) {
    for (kind, file) in open.sorted(by: { $0.key < $1.key }) { try write(file, kind) }
    written.sort { $0.kind < $1.kind }
  }

  private func write(_ file: Open, _ kind: BankFileKind) throws(Failure) {
    let output = try makeFile(file.name)
    let mostOfDay = BankFormats.of(kind.method).mostFilesOfDay
    if let mostOfDay, filesOfDay == mostOfDay {
      throw .configuration(
        "TOO_MANY_ACH_FILES: \(common.identity.date) would have more than \(mostOfDay) NACHA files, the most that a day "
          + "can have. Nothing was made; give a later --date, or make fewer files with a larger maximum in the debtor's "
          + "ACH terms")
    }
    let described = BankFile(
      common: common, currency: kind.currency, id: PayoutReport.fileID(kind.currency, file.number),
      placeInDay: filesOfDay)
    withoutAddress += try debtor.terms[kind]!.write(file.instructions, described, to: output)
    if mostOfDay != nil { filesOfDay += 1 }
    try output.finish()
    written.append(
      PayoutFigures.File(
        name: file.name, currency: kind.currency, method: kind.method, instructions: file.instructions.count,
        amount: ExactDecimal(file.sum, exponent: -kind.currency.settlementExponent)))
  }
}

extension PayoutFigures.File {
  var kind: BankFileKind { BankFileKind(currency: currency, method: method) }
}

extension [PayoutFigures.File] {
  /// The number of files in formats that limit the files of a day.
  var countOfDay: Int { count { BankFormats.of($0.method).mostFilesOfDay != nil } }
}
