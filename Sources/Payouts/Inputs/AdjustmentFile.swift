import ExactArithmetic
import Ledger
import Money
import Records
import Rules
import Text

/// Reads a file of adjustments (`payouts.md`, Adjustments).
final class AdjustmentFile: ListFile {
  static let columns = ["key", "account", "currency", "amount", "reason"]
  static let headerFault = InputFault.Code.adjustmentsHeader
  static let duplicateFault = InputFault.Code.duplicateAdjustment

  /// What a row says, if it has no faults.
  struct Content: Equatable {
    let note: AdjustmentNote
    let change: BookedPayment
  }

  /// A row with a valid key.
  struct Row: ListRow {
    let key: String
    let line: Int
    let content: Content?
  }

  private(set) var faults = InputFaults()
  private(set) var rows: [Row] = []
  /// The valid accounts and currencies of all rows, and the lines.
  private(set) var accounts: [(account: [UInt8], currency: Currency, line: Int)] = []
  /// The lines of valid amounts above zero.
  private var linesAboveZero: [Int] = []

  init() {}

  func note(_ fault: InputFault) { faults.add(fault) }

  func take(_ fields: [UnsafeBufferPointer<UInt8>], line: Int) {
    let before = faults.count
    func check(_ column: Int, _ isValid: Bool, _ code: InputFault.Code) {
      if !isValid { note(InputFault(line: line, column: column, code: fields[column].isEmpty ? .missingField : code)) }
    }
    let isKey = ReturnedFile.isReason(fields[0])
    check(0, isKey, .invalidValue)
    let account = Account.canonical(fields[1])
    check(1, account != nil, .invalidAccount)
    let currency = Currency.find(fields[2].span)
    check(2, currency != nil, .currencyNotSupported)
    let amount = DecimalLimits.signedAmount(fields[3], currency)
    check(3, amount != nil, .invalidAmount)
    if let amount, !amount.isNegative { linesAboveZero.append(line) }
    check(4, ReturnedFile.isReason(fields[4]), .invalidValue)
    if let account, let currency { accounts.append((account, currency, line)) }
    guard isKey else { return }
    let key = String(decoding: fields[0], as: UTF8.self)
    var content: Content?
    if faults.count == before, let account, let currency, let amount {
      content = Content(
        note: AdjustmentNote(key: key, reason: String(decoding: fields[4], as: UTF8.self)),
        change: BookedPayment(account: account, currency: currency, amount: amount))
    }
    rows.append(Row(key: key, line: line, content: content))
  }

  func finish() {}

  /// Reports amounts that do not take from a balance: what a payout paid can only be that.
  func expectPayments() {
    for line in linesAboveZero { note(InputFault(line: line, column: 3, code: .invalidAmount, detail: .payment)) }
  }
}

extension DecimalLimits {
  /// An amount of the batch's form, which may have a `-` in front and is not zero, with the currency's decimals; nil for
  /// any other text. Without a valid currency only the form is checked.
  static func signedAmount(_ text: UnsafeBufferPointer<UInt8>, _ currency: Currency?) -> ExactDecimal? {
    let isBelowZero = text.first == UInt8(ascii: "-")
    guard let amount = decimal(Array(text.dropFirst(isBelowZero ? 1 : 0))), !amount.isZero, !amount.isNegative else {
      return nil
    }
    guard let currency else { return isBelowZero ? -amount : amount }
    return amount.exact(at: -currency.settlementExponent).map { isBelowZero ? -$0 : $0 }
  }
}
