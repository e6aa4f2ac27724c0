import Documents
import ExactArithmetic
import Failures
import Ledger
import Money
import Records
import Text

/// A note whose changes a payout reads from files, books, and shows in a report.
protocol ListedNote: ChangeNote {
  associatedtype File: ListFile

  /// What a change is called in messages.
  static var noun: String { get }
  /// The report that shows the changes, sorted by their keys.
  static var report: PayoutReport { get }
  /// What each of the report's columns shows.
  static var columns: [ChangeColumn] { get }
  /// The code for a key that an earlier payout has booked in another way.
  static var bookedFault: InputFault.Code { get }
  /// This change, for messages: `return of P1-1`.
  var title: String { get }

  init(key: Key, reason: String)
  /// The key in a field of the report; nil if it is not one.
  static func key(_ field: Span<UInt8>) -> Key?
  /// The key in the form by which rows of files are sorted.
  static func bytes(of key: Key) -> [UInt8]
  /// What the ledger knows of a row by its key.
  static func find(
    _ key: [UInt8], _ lookup: PayoutLookup, before payout: PayoutEntry?
  ) throws(Failure) -> FoundKey
  /// What a row without faults says.
  ///
  /// - Parameter amount: the one that the ledger knows, if it does.
  static func change(_ file: File, _ row: Int, _ amount: AccountAmount?) -> Change<Self>
}

/// What the ledger knows of a listed change by its key.
enum FoundKey {
  /// Nothing: the row has the account and the amount.
  case inRow
  case amount(AccountAmount)
  case fault(InputFault.Code)
}

/// What a column of a report of changes shows.
enum ChangeColumn {
  case key, account, currency, amount, reason
}

extension ListedNote {
  /// Appends the row of a change to its report.
  static func append(_ change: Change<Self>, to text: inout TextBuffer) {
    var separator = ""
    for column in columns {
      text.append(separator)
      switch column {
      case .key: text.append("\(change.note.key)")
      case .account: text.append(change.amount.account)
      case .currency: text.append(change.amount.currency.code)
      case .amount: text.append("\(change.amount.amount)")
      case .reason: text.append(change.note.reason)
      }
      separator = ","
    }
    text.append("\n")
  }

  /// The change in a row of its report.
  ///
  /// - Parameter last: the key of the row before.
  static func change(_ row: ReportRow, after last: Key?) throws(RowFault) -> Change<Self> {
    var (key, account, reason) = (Key?.none, [UInt8](), "")
    var (currency, amount) = (Currency.all[0], ExactDecimal.zero)
    for (place, column) in columns.enumerated() {
      let name = report.allColumns[place].name
      func expect(_ isValid: Bool, _ expected: String) throws(RowFault) {
        if !isValid { throw RowFault(name, at: place, expected) }
      }
      switch column {
      case .key:
        key = self.key(row[place])
        try expect(
          key.map { key in last.map { $0 < key } ?? true } ?? false, "rows are sorted by \(name), and each comes once")
      case .account:
        account = [UInt8](row[place])
        try expect(keySaysAmount || Account.canonical(account) == account, "no report has such an account")
      case .currency:
        guard let found = Currency.find(row[place]) else {
          throw RowFault(name, at: place, "settle currencies lists no such code")
        }
        currency = found
      case .amount:
        let found = ReportField.amount(row[place], currency).flatMap { $0.isZero ? nil : $0 }
        let expected = keySaysAmount ? "an amount above zero with" : "an amount, not zero, with"
        try expect(
          found.map { !keySaysAmount || !$0.isNegative } ?? false, "expected \(expected) the currency's decimals")
        amount = found!
      case .reason:
        try expect(ListedWord.isValid(row[place]), "is not a reason")
        reason = String(decoding: row[place])
      }
    }
    return Change(
      Self(key: key!, reason: reason), AccountAmount(account: account, currency: currency, amount: amount))
  }
}
