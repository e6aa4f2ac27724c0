import ExactArithmetic
import Failures
import Money
import Records

/// The rows of a terms file, in the order of account, currency and day: 24 bytes each, 16 for a minimum, and the account.
package final class Terms {
  /// What a row says.
  struct Row {
    /// The place of what stays on the account.
    fileprivate let minimum: UInt32
    /// The first day on which it is in force, in days since 1970-01-01.
    let from: Int32
    fileprivate let line: UInt32
    /// Where the account is.
    fileprivate let start: UInt32
    fileprivate let length: UInt8
    let currency: UInt8
    private let delayDays: UInt16
    private let reserveDays: UInt16
    /// In hundredths of a per cent.
    private let percent: UInt16

    fileprivate init(
      from: CalendarDay, line: Int, start: Int, length: Int, _ currency: Currency, delay: Int, percent: Int,
      reserveDays: Int, minimum: Int
    ) {
      (self.from, self.line) = (Int32(from.number), UInt32(line))
      (self.start, self.length, self.currency) = (UInt32(start), UInt8(length), currency.index)
      (delayDays, self.percent, self.reserveDays) = (UInt16(delay), UInt16(percent), UInt16(reserveDays))
      self.minimum = UInt32(minimum)
    }

    /// For how many days it delays; 0 for none.
    var delay: Int { Int(delayDays) }
    /// For how many days it reserves; 0 for none.
    var reserve: Int { reserveDays == 0 ? 0 : Int(max(reserveDays, delayDays)) }

    /// What is reserved of an amount that a run earned, as long as it is.
    func reserved(of earned: ExactDecimal) -> ExactDecimal {
      ExactDecimal.quantizedProduct(
        earned, ExactDecimal(Int(percent), exponent: -4), to: earned.exponent, rounding: .down)
    }
  }

  /// The accounts of all rows, one after the other.
  private struct Accounts {
    var bytes: [UInt8] = []

    @_lifetime(borrow self)
    private func of(_ row: Row) -> Span<UInt8> {
      bytes.span.extracting(Int(row.start)..<Int(row.start) + Int(row.length))
    }

    /// Negative, zero or positive if a row's account and currency come before, equal, or come after others.
    func compare(_ row: Row, _ other: Span<UInt8>, _ currency: UInt8) -> Int {
      let order = of(row).compare(other)
      return order == 0 ? Int(row.currency) - Int(currency) : order
    }

    /// The same for two rows.
    func compare(_ left: Row, _ right: Row) -> Int { compare(left, of(right), right.currency) }

    func isOf(_ row: Row, _ account: [UInt8]) -> Bool { of(row).isEqual(to: account.span) }

    subscript(row: Row) -> [UInt8] { [UInt8](of(row)) }
  }

  /// The account of rows for all accounts.
  static let all: [UInt8] = [UInt8(ascii: "*")]

  private(set) var rows: [Row] = []
  private var accounts = Accounts()
  /// What stays on accounts, with the decimals of the currency; zero comes first.
  private var minimums = [ExactDecimal.zero]
  /// The rows for all accounts, by the place of their currency.
  private var general: [[Row]] = Currency.all.map { _ in [] }
  /// The numbers of days for which rows hold, each once.
  private(set) var days: [Int] = []
  /// Those of rows for all accounts.
  private(set) var generalDays: [Int] = []
  /// The next row.
  private var next = 0

  func append(
    _ account: [UInt8], _ currency: Currency, from: CalendarDay, delay: Int, percent: Int, reserveDays: Int,
    minimum: ExactDecimal, line: Int
  ) {
    if !minimum.isZero { minimums.append(minimum) }
    rows.append(
      Row(
        from: from, line: line, start: accounts.bytes.count, length: account.count, currency, delay: delay,
        percent: percent,
        reserveDays: reserveDays, minimum: minimum.isZero ? 0 : minimums.count - 1))
    accounts.bytes += account
  }

  /// Sorts the rows, once all are added.
  ///
  /// - Parameter isRepeated: called with each line that repeats the account, currency and day of an earlier line.
  func sort(isRepeated: (Int) -> Void) {
    rows.sort { left, right in
      let order = accounts.compare(left, right)
      return order == 0 ? (left.from, left.line) < (right.from, right.line) : order < 0
    }
    for (left, right) in zip(rows, rows.dropFirst()) where left.from == right.from && accounts.compare(left, right) == 0
    {
      isRepeated(Int(right.line))
    }
    for row in rows.prefix(while: { accounts.isOf($0, Self.all) }) { general[Int(row.currency)].append(row) }
    days = Self.days(of: rows)
    generalDays = Self.days(of: general.flatMap(\.self))
  }

  private static func days(of rows: [Row]) -> [Int] {
    var all = Set<Int>()
    for row in rows { all.formUnion([row.delay, row.reserve]) }
    return all.filter { $0 > 0 }.sorted()
  }

  // MARK: Looking up

  /// The rows of an account and currency, by day. Call in ascending order.
  func rows(of account: Span<UInt8>, _ currency: Currency) -> Range<Int> {
    while next < rows.count, accounts.compare(rows[next], account, currency.index) < 0 { next += 1 }
    var end = next
    while end < rows.count, accounts.compare(rows[end], account, currency.index) == 0 { end += 1 }
    return next..<end
  }

  /// The row in force on a day; nil without one.
  ///
  /// - Parameter own: the rows of the account and currency.
  func inForce(_ own: Range<Int>, _ currency: Currency, on day: CalendarDay) -> Row? {
    rows[own].last { $0.from <= day.number } ?? general[Int(currency.index)].last { $0.from <= day.number }
  }

  /// What stays on the account while a row is in force.
  func minimum(_ row: Row, _ currency: Currency) -> ExactDecimal {
    row.minimum == 0 ? .zero(at: -currency.settlementExponent) : minimums[Int(row.minimum)]
  }

  /// The accounts that have rows of their own, each once.
  func forEachAccount(_ take: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    var last = Self.all
    for row in rows where !accounts.isOf(row, last) {
      last = accounts[row]
      try take(last)
    }
  }
}

extension Terms {
  /// Reads a terms file.
  ///
  /// - Returns: the terms, and what is wrong with the file; nil if nothing is.
  package static func read(_ path: String) throws(Failure) -> (terms: Terms, faults: FileFaults?) {
    let file = TermsFile.read(path)
    if let failure = file.failure { throw failure }
    return (file.content.terms, file.reportedFaults)
  }
}
