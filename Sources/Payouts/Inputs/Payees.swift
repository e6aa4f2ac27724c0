import Ledger
import Money
import Documents

/// The payees, in the order of account and currency: about 80 bytes each, and 16 more if the file has another order.
final class Payees {
  /// The texts of a row, in their order.
  enum Text: Int, CaseIterable {
    case account, name
    /// The IBAN, or the account number.
    case number
    /// The BIC, which may be empty, or the routing number.
    case bank
    /// Its parts, with `PostalAddress.separator` between; empty without one.
    case address
    /// The reference of the payment that may be paid again; empty without one.
    case retry
    /// The name of the locale of its pages; empty without one.
    case language
  }

  /// The head of a payee's row in memory, which its texts follow.
  struct Head {
    /// The lengths of the texts, a byte each; the first one is the lowest.
    var lengths: UInt64 = 0
    var line: UInt32 = 0
    var currency: UInt8 = 0
    /// The place of the method; `noMethod` if the payee has none.
    var method = noMethod
    var flags: UInt8 = 0

    static let noMethod = UInt8.max
    static let (isOnHold, isSEPA, isSavings, isCompany) = (UInt8(1), UInt8(2), UInt8(4), UInt8(8))
    /// The bytes of a head.
    static let length = 15
    /// The bytes of the whole row.
    var rowLength: Int { start(of: Text.allCases.count) }

    var payoutMethod: PayoutMethod? { method == Self.noMethod ? nil : PayoutMethod.all[Int(method)] }

    func length(of text: Int) -> Int { Int(lengths >> UInt64(8 * text) & 0xFF) }

    func isEmpty(_ text: Text) -> Bool { length(of: text.rawValue) == 0 }

    /// Where a text begins in the row.
    func start(of text: Int) -> Int { (0..<text).reduce(Self.length) { $0 + length(of: $1) } }
  }

  private var rows = PayeeRows()
  private(set) var count = 0
  /// Whether the rows came in ascending order.
  private var isSorted = true
  private var last: Int?
  /// The rows in ascending order; not used if they came in that order.
  private var order: [(word: UInt64, row: Int)] = []
  /// The next row, by its place among all.
  private var next = 0
  /// Where it is, if the rows came in order.
  private var nextRow = 0

  /// Adds a payee; a faulty one only with its account and currency.
  ///
  /// - Parameter head: its lengths need not be set.
  /// - Returns: its row.
  func append(_ head: Head, _ texts: borrowing PayeeTexts) -> Int {
    let row = rows.end
    rows.append(head, texts)
    if let last, rows.compare(last, row) >= 0 { isSorted = false }
    last = row
    count += 1
    return row
  }

  // MARK: Rows

  func head(_ row: Int) -> Head { rows.head(row) }

  /// Calls `body` with a text of a row.
  func with<Result>(_ text: Text, of row: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    rows.with(text, of: row, body)
  }

  /// The payment that may be paid to the same bank account again.
  func retry(_ row: Int) -> PaymentReference? { with(.retry, of: row) { PaymentReference($0) } }

  /// The bank account as the ledger keeps it; nil if the payee has none.
  func bankAccount(_ row: Int) -> BankAccountDigest? {
    head(row).payoutMethod.map { method in
      let number = with(.number, of: row) { [UInt8]($0) }
      let bank = with(.bank, of: row) { [UInt8]($0) }
      return BankAccountDigest(method, number: number, bank: bank)
    }
  }

  // MARK: Order

  /// Sorts the rows, once all are added.
  ///
  /// - Parameter isRepeated: called with each line that repeats the account and currency of an earlier line.
  func sort(isRepeated: (Int) -> Void) {
    guard !isSorted else { return }
    order = rows.withWords(count: count)
    order.sort { left, right in
      if left.word != right.word { return left.word < right.word }
      let order = rows.compare(left.row, right.row)
      return order == 0 ? left.row < right.row : order < 0
    }
    for (left, right) in zip(order, order.dropFirst())
    where left.word == right.word && rows.compare(left.row, right.row) >= 0 { isRepeated(Int(head(right.row).line)) }
  }

  /// Makes `find` begin with the first row again.
  func startAgain() { (next, nextRow) = (0, 0) }

  /// The rows of an account, by currency. Call in ascending order.
  func rows(of account: Span<UInt8>) -> [Int] {
    var found: [Int] = []
    while next < count {
      let row = isSorted ? nextRow : order[next].row
      let order = rows.text(.account, row).compare(account)
      if order > 0 { break }
      if order == 0 { found.append(row) }
      next += 1
      nextRow += isSorted ? head(row).rowLength : 0
    }
    return found
  }

  /// The row of an account and currency, or nil. Call in ascending order.
  func find(_ account: Span<UInt8>, _ currency: Currency) -> Int? {
    while next < count {
      let row = isSorted ? nextRow : order[next].row
      let order = rows.compare(row, account, currency.index)
      if order > 0 { return nil }
      if order == 0 { return row }
      next += 1
      nextRow += isSorted ? head(row).rowLength : 0
    }
    return nil
  }
}

extension BankAccountDigest {
  /// The digest of a bank account, in any letter case.
  package init(_ method: PayoutMethod, number: [UInt8], bank: [UInt8]) {
    let fields = BankFormats.of(method).accountFields(number: number, bank: bank)
    let text = ([Array(method.name.utf8)] + fields).joined(separator: [UInt8(ascii: ",")])
    self.init(text.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 })
  }
}
