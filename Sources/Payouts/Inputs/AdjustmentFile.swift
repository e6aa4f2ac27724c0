import ExactArithmetic
import Ledger
import Money
import Records
import Text

/// Reads a file of adjustments (`payouts.md`, Adjustments).
final class AdjustmentFile: ListFile {
  static let columns = ["key", "account", "currency", "amount", "reason"]
  static let headerFault = InputFault.Code.adjustmentsHeader
  static let duplicateFault = InputFault.Code.duplicateAdjustment

  private(set) var faults = InputFaults()
  /// Each a key; the account and the place of the currency, which are valid even if something else is not; amount and
  /// reason.
  let rows = PackedRows(texts: Text.allCases.count)

  /// The texts of a row, in their order.
  enum Text: Int, CaseIterable {
    case key, account, currency, amount, reason
  }

  static let holder = [Text.account.rawValue, Text.currency.rawValue]

  /// The lines of valid amounts above zero, as few ranges as possible.
  private var linesAboveZero: [ClosedRange<Int>] = []

  init() {}

  func note(_ fault: InputFault) { faults.add(fault) }

  func read(_ record: borrowing CSVRecord, line: Int) {
    let before = faults.count
    func check(_ column: Int, _ field: Span<UInt8>, _ isValid: Bool, _ code: InputFault.Code) {
      if !isValid { note(InputFault(line: line, column: column, code: field.isEmpty ? .missingField : code)) }
    }
    let isKey = ListedWord.isValid(record[0])
    check(0, record[0], isKey, .invalidValue)
    let account = Account.canonical([UInt8](record[1]))
    check(1, record[1], account != nil, .invalidAccount)
    let currency = Currency.find(record[2])
    check(2, record[2], currency != nil, .currencyNotSupported)
    let amount = DecimalLimits.signedAmount(record[3], currency)
    check(3, record[3], amount != nil, .invalidAmount)
    if let amount, !amount.isNegative { noteAboveZero(line) }
    check(4, record[4], ListedWord.isValid(record[4]), .invalidValue)
    let isSound = faults.count == before
    let hasHolder = account != nil && currency != nil
    guard isKey || hasHolder else { return }
    rows.append(
      line: line,
      [
        isKey ? [UInt8](record[0]) : [], hasHolder ? account! : [], hasHolder ? [currency!.index] : [],
        isSound ? Array(amount!.description.utf8) : [], isSound ? [UInt8](record[4]) : [],
      ])
  }

  /// What the sound rows say.
  var changes: [Change<AdjustmentNote>] {
    (0..<rows.count).filter { !rows.isEmpty(Text.reason.rawValue, of: $0) && !rows.isEmpty(Text.key.rawValue, of: $0) }
      .map(change)
  }

  /// What a sound row says.
  func change(_ row: Int) -> Change<AdjustmentNote> {
    func bytes(_ text: Text) -> [UInt8] { rows.bytes(text.rawValue, of: row) }
    return Change(
      AdjustmentNote(
        key: String(decoding: bytes(.key), as: UTF8.self), reason: String(decoding: bytes(.reason), as: UTF8.self)),
      AccountAmount(
        account: bytes(.account), currency: Currency.all[Int(bytes(.currency)[0])],
        amount: ExactDecimal(String(decoding: bytes(.amount), as: UTF8.self))!))
  }

  private func noteAboveZero(_ line: Int) {
    if let last = linesAboveZero.last, last.upperBound == line - 1 {
      linesAboveZero[linesAboveZero.count - 1] = last.lowerBound...line
    } else {
      linesAboveZero.append(line...line)
    }
  }

  func finish() {}

  /// Reports amounts that do not take from a balance: what a payout paid can only be that.
  func expectPayments() {
    for line in linesAboveZero.joined() {
      note(InputFault(line: line, column: 3, code: .invalidAmount, detail: .payment))
    }
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
