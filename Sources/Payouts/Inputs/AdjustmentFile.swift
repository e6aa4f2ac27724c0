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

  func take(_ record: borrowing CSVRecord, line: Int) {
    let before = faults.count
    func check(_ column: Int, _ field: Span<UInt8>, _ isValid: Bool, _ code: InputFault.Code) {
      if !isValid { note(InputFault(line: line, column: column, code: field.isEmpty ? .missingField : code)) }
    }
    let isKey = ReturnedFile.isReason(record[0])
    check(0, record[0], isKey, .invalidValue)
    let account = Account.canonical([UInt8](record[1]))
    check(1, record[1], account != nil, .invalidAccount)
    let currency = Currency.find(record[2])
    check(2, record[2], currency != nil, .currencyNotSupported)
    let amount = DecimalLimits.signedAmount(record[3], currency)
    check(3, record[3], amount != nil, .invalidAmount)
    if let amount, !amount.isNegative { linesAboveZero.append(line) }
    check(4, record[4], ReturnedFile.isReason(record[4]), .invalidValue)
    if let account, let currency { accounts.append((account, currency, line)) }
    guard isKey else { return }
    let key = String(decoding: record[0])
    var content: Content?
    if faults.count == before, let account, let currency, let amount {
      content = Content(
        note: AdjustmentNote(key: key, reason: String(decoding: record[4])),
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
  static func signedAmount(_ text: Span<UInt8>, _ currency: Currency?) -> ExactDecimal? {
    let isBelowZero = !text.isEmpty && text[0] == UInt8(ascii: "-")
    let digits = [UInt8](text.extracting(droppingFirst: isBelowZero ? 1 : 0))
    guard let amount = decimal(digits), !amount.isZero, !amount.isNegative else { return nil }
    guard let currency else { return isBelowZero ? -amount : amount }
    return amount.exact(at: -currency.settlementExponent).map { isBelowZero ? -$0 : $0 }
  }
}
