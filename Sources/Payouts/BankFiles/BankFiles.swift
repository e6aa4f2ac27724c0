import BatchRun
import ExactArithmetic
import Failures
import Ledger
import Money
import Reports

/// A payment on its way to a file for the bank.
struct Instruction: BitwiseCopyable {
  /// Where the payee's row is.
  let payee: Int
  /// In minor units.
  let amount: Int
  /// The payment's number in the payout.
  let number: Int
}

/// The files for the bank. Takes payments in the order of `payouts.csv`, and writes each file once it is full.
final class BankFiles {
  let debtor: Debtor
  /// The files written; once all are, in the order of currency, method and number.
  private(set) var written: [PayoutFigures.File] = []

  /// The unfinished file of a currency and method.
  private struct Open {
    var number = 1
    var name = ""
    var sum = 0
    var instructions: [Instruction] = []
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
  private var open: [Open]
  /// The number of NACHA files of this date so far.
  private var achFiles: Int

  init(
    _ debtor: Debtor, _ payees: Payees, payout: Int, ledgerID: String, identity: PayoutIdentity, achBefore: Int,
    makeFile: @escaping TableFile.Maker
  ) {
    (self.debtor, self.makeFile, achFiles) = (debtor, makeFile, achBefore)
    common = Common(payees: payees, payout: payout, ledgerID: ledgerID, identity: identity)
    open = (0..<2 * Currency.count).map { _ in Open() }
    for place in open.indices { open[place].name = name(place, 1) }
  }

  private func name(_ place: Int, _ number: Int) -> String {
    PayoutReport.bankFile(Self.method(place), Self.currency(place), number)
  }

  private static func method(_ place: Int) -> PayoutMethod { place % 2 == 0 ? .iban : .ach }
  private static func currency(_ place: Int) -> Currency { Currency(index: place / 2)! }

  /// Adds a payment.
  ///
  /// - Returns: the name of the file that contains it.
  func take(_ payee: Int, _ currency: Currency, _ amount: Int, number: Int) throws(Failure) -> String {
    let isACH = common.payees.head(payee).flags & Payees.Head.isACH != 0
    let place = 2 * Int(currency.index) + (isACH ? 1 : 0)
    let maximum = isACH ? debtor.entries[currency]!.maximum : debtor.transfers[currency]!.maximum
    if open[place].instructions.count == maximum || isACH && open[place].sum + amount > NACHAFile.mostCents {
      try write(place)
    }
    open[place].instructions.append(Instruction(payee: payee, amount: amount, number: number))
    open[place].sum += amount
    return open[place].name
  }

  /// Writes the unfinished files.
  func finish() throws(Failure) {
    for place in open.indices where !open[place].instructions.isEmpty { try write(place) }
    written.sort {
      ($0.currency, $0.method.rawValue == "ACH" ? 1 : 0) < ($1.currency, $1.method.rawValue == "ACH" ? 1 : 0)
    }
  }

  private func write(_ place: Int) throws(Failure) {
    let currency = Self.currency(place)
    let file = open[place]
    let output = try makeFile(file.name)
    let id = PayoutReport.fileID(currency, file.number)
    switch Self.method(place) {
    case .iban:
      try PainFile(common, debtor.transfers[currency]!, currency, id: id).write(file.instructions, to: output)
    case .ach:
      guard achFiles < NACHAFile.modifiers.count else {
        throw .configuration(
          "TOO_MANY_ACH_FILES: \(common.identity.date) would have more than \(NACHAFile.modifiers.count) NACHA files, "
            + "the most that a day can have. Nothing was made; give a later --date, or make fewer files with a larger "
            + "maximum in the debtor's ACH terms")
      }
      try NACHAFile(common, debtor.entries[currency]!, modifier: NACHAFile.modifiers[achFiles])
        .write(file.instructions, to: output)
      achFiles += 1
    }
    try output.finish()
    written.append(
      PayoutFigures.File(
        name: file.name, currency: currency, method: Self.method(place), instructions: file.instructions.count,
        amount: ExactDecimal(file.sum, exponent: -currency.settlementExponent)))
    open[place].number += 1
    open[place].name = name(place, open[place].number)
    open[place].sum = 0
    open[place].instructions.removeAll(keepingCapacity: true)
  }
}
