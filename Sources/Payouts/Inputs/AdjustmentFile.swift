import ExactArithmetic
import Ledger
import Money
import Records
import Rules
import Text

/// Reads a file of adjustments: here what a payout that was given up had paid (`ledger.md`).
final class AdjustmentFile: RecordFile {
  static let columns = ["key", "account", "currency", "amount", "reason"]
  static let headerFault = InputFault.Code.adjustmentsHeader

  /// An adjustment without faults of its own.
  struct Row {
    let line: Int
    let note: AdjustmentNote
    let change: BookedPayment
  }

  private(set) var faults = InputFaults()
  /// The adjustments, in the order of the file until `resolve`, then by account, currency and key.
  private(set) var rows: [Row] = []
  /// The lines that have a key, by key.
  private var keys: [String: Int] = [:]

  init() {}

  func note(_ fault: InputFault) { faults.add(fault) }

  func take(_ fields: [UnsafeBufferPointer<UInt8>], line: Int) {
    let before = faults.count
    func check(_ column: Int, _ isValid: Bool, _ code: InputFault.Code) {
      if !isValid { note(InputFault(line: line, column: column, code: fields[column].isEmpty ? .missingField : code)) }
    }
    let isKey = ReturnedFile.isReason(fields[0])
    let key = String(decoding: fields[0], as: UTF8.self)
    check(0, isKey, .invalidValue)
    if isKey, keys.updateValue(line, forKey: key) != nil {
      note(InputFault(line: line, column: 0, code: .duplicateAdjustment))
    }
    let account = Self.account(fields[1])
    check(1, account != nil, .invalidAccount)
    let currency = Currency.find(fields[2].span)
    check(2, currency != nil, .currencyNotSupported)
    let amount = DecimalLimits.signedAmount(fields[3], currency)
    check(3, amount != nil, .invalidAmount)
    check(4, ReturnedFile.isReason(fields[4]), .invalidValue)
    guard faults.count == before, let account, let currency, let amount else { return }
    rows.append(
      Row(
        line: line, note: AdjustmentNote(key: key, reason: String(decoding: fields[4], as: UTF8.self)),
        change: BookedPayment(account: account, currency: currency, amount: amount)))
  }

  func finish() {}

  /// The account in lower case; nil if it is not an account.
  private static func account(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    Account.canonical(text)
  }

  /// Compares the keys with those of the ledger, and sorts the adjustments as the ledger keeps them.
  ///
  /// - Parameter booked: the adjustments that the ledger has, by key.
  func resolve(_ booked: [String: BookedAdjustment]) {
    for row in rows where booked[row.note.key] != nil {
      note(InputFault(line: row.line, column: 0, code: .alreadyAdjusted))
    }
    rows.sort { left, right in
      if left.change.account != right.change.account {
        return left.change.account.lexicographicallyPrecedes(right.change.account)
      }
      return (left.change.currency, left.note.key) < (right.change.currency, right.note.key)
    }
  }
}

extension DecimalLimits {
  /// An amount of the batch's form below zero, with the currency's decimals; nil for any other text. Without a valid
  /// currency only the form is checked.
  static func signedAmount(_ text: UnsafeBufferPointer<UInt8>, _ currency: Currency?) -> ExactDecimal? {
    guard text.first == UInt8(ascii: "-"), let amount = decimal(Array(text.dropFirst())), !amount.isZero,
      !amount.isNegative
    else { return nil }
    guard let currency else { return -amount }
    return amount.exact(at: -currency.settlementExponent).map { -$0 }
  }
}
