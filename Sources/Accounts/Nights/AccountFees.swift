import Digests
import Documents
import ExactArithmetic
import Money
import Rules

/// What accounts were charged in some nights, by account, currency and name of the fee, in this order (`fees.md`,
/// "`settle fees`").
///
/// Memory grows with these rows, not with the payments.
package struct AccountFees: Sequence {
  /// What an account was charged under a name in a currency, and what of it came back.
  package struct Row {
    /// Who bore it; empty for a sender that is not given.
    package let account: [UInt8]
    package let currency: Currency
    package let name: [UInt8]
    package private(set) var payments: Int
    package private(set) var refunds: Int
    package private(set) var sums: FeeSums

    /// What is left of fees and VAT.
    package var total: ExactDecimal { sums.fee + sums.vat - sums.feeReturned - sums.vatReturned }

    /// No fees of any account.
    package init(_ currency: Currency, name: [UInt8]) {
      (account, self.currency, self.name, payments, refunds) = ([], currency, name, 0, 0)
      sums = FeeSums(exponent: -currency.settlementExponent)
    }

    fileprivate init(account: Span<UInt8>, name: Span<UInt8>, _ charged: Charged) {
      (self.account, currency, self.name) = ([UInt8](account), charged.currency, [UInt8](name))
      (payments, refunds, sums) = (charged.payments, charged.refunds, charged.sums)
    }

    /// Adds what another row has.
    package mutating func add(_ other: Row) {
      payments += other.payments
      refunds += other.refunds
      sums.add(other.sums)
    }
  }

  /// The figures of a row, and where its key is.
  fileprivate struct Charged {
    let key: Range<Int>
    let accountLength: Int
    let currency: Currency
    var payments = 0
    var refunds = 0
    var sums: FeeSums
  }

  /// The keys of all rows, one after the other: `account,name,currency`, as in `fees.csv`.
  private var keys: [UInt8] = []
  private var charged: [Charged] = []
  /// The numbers of the rows in their order.
  private var order: [Int] = []
  /// The key of a fee without a name.
  private var plainKey: [UInt8] = []
  /// A slot is 0 or the number of a row, from 1. The search for a row begins at its hash.
  private var slots = [UInt32](repeating: 0, count: 1 << 10)
  private let isSelected: ([UInt8]) -> Bool

  /// - Parameter isSelected: whether an account is asked for.
  init(isSelected: @escaping ([UInt8]) -> Bool) { self.isSelected = isSelected }

  // MARK: Adding

  private static let comma = UInt8(ascii: ",")
  /// What follows the account in the key of a fee without a name.
  private static let plainName = [comma] + FeeSchedule.plainName + [comma]

  /// Adds a row of `fees.csv`; false if it is not one.
  mutating func add(named row: Span<UInt8>) -> Bool {
    guard let start = Self.end(of: 2, in: row, from: 0), let end = Self.end(of: 3, in: row, from: start + 1),
      let feeEnd = Self.end(of: 1, in: row, from: end + 1), let vatEnd = Self.end(of: 1, in: row, from: feeEnd + 1)
    else { return false }
    return add(
      row.extracting(start + 1..<end), fee: row.extracting(end + 1..<feeEnd), vat: row.extracting(feeEnd + 1..<vatEnd),
      isRefund: vatEnd + 1 < row.count)
  }

  /// Adds a row of `settlement.csv`, if it has a fee that is not zero; false if it is not one.
  mutating func add(unnamed row: Span<UInt8>) -> Bool {
    guard let start = Self.end(of: 3, in: row, from: 0), let accountEnd = Self.end(of: 1, in: row, from: start + 1),
      let end = Self.end(of: 1, in: row, from: accountEnd + 1), let feeStart = Self.end(of: 2, in: row, from: end + 1),
      let feeEnd = Self.end(of: 1, in: row, from: feeStart + 1), let last = Self.end(of: 1, in: row, from: feeEnd + 1)
    else { return false }
    let fee = row.extracting(feeStart + 1..<feeEnd)
    if fee.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }) { return true }
    var key = plainKey
    plainKey = []
    key.removeAll(keepingCapacity: true)
    key.append(row.extracting(start + 1..<accountEnd))
    key += Self.plainName
    key.append(row.extracting(accountEnd + 1..<end))
    defer { plainKey = key }
    return add(key.span, fee: fee, vat: row.extracting(first: 0), isRefund: last + 1 < row.count)
  }

  /// The place of the comma after some fields; nil if there are fewer.
  @inline(__always)
  private static func end(of fields: Int, in row: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    for field in 0..<fields {
      guard let end = row.place(of: comma, from: place) else { return nil }
      place = field == fields - 1 ? end : end + 1
    }
    return place
  }

  /// Adds a fee to the row of a key, which is new if the account is asked for and has none yet; false if something is
  /// not as a run writes it.
  private mutating func add(_ key: Span<UInt8>, fee: Span<UInt8>, vat: Span<UInt8>, isRefund: Bool) -> Bool {
    var slot = slot(of: key)
    while slots[slot] != 0 {
      let row = Int(slots[slot]) - 1
      if keys.span.extracting(charged[row].key).isEqual(to: key) { return add(fee, vat, isRefund, to: row) }
      slot = (slot + 1) & (slots.count - 1)
    }
    guard let end = key.place(of: Self.comma), let currency = Currency.find(key.extracting(last: 3)) else {
      return false
    }
    guard isSelected([UInt8](key.extracting(first: end))) else { return true }
    let start = keys.count
    keys.append(key)
    charged.append(
      Charged(
        key: start..<keys.count, accountLength: end, currency: currency,
        sums: FeeSums(exponent: -currency.settlementExponent)))
    slots[slot] = UInt32(charged.count)
    if charged.count * 4 > slots.count * 3 { grow() }
    return add(fee, vat, isRefund, to: charged.count - 1)
  }

  @inline(__always)
  private mutating func add(_ fee: Span<UInt8>, _ vat: Span<UInt8>, _ isRefund: Bool, to row: Int) -> Bool {
    let currency = charged[row].currency
    guard let fee = ReportField.amount(fee, currency),
      let vat = vat.isEmpty ? .zero(at: -currency.settlementExponent) : ReportField.amount(vat, currency)
    else { return false }
    if isRefund {
      charged[row].refunds += 1
      charged[row].sums.feeReturned.subtract(fee)
      charged[row].sums.vatReturned.subtract(vat)
    } else {
      charged[row].payments += 1
      charged[row].sums.fee.add(fee)
      charged[row].sums.vat.add(vat)
    }
    return true
  }

  private func slot(of key: Span<UInt8>) -> Int {
    Int(truncatingIfNeeded: XXH3.checksum(of: key)) & (slots.count - 1)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for row in charged.indices {
      var slot = slot(of: keys.span.extracting(charged[row].key))
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(row + 1)
    }
  }

  // MARK: Reading

  private func account(of row: Int) -> Range<Int> {
    let start = charged[row].key.lowerBound
    return start..<start + charged[row].accountLength
  }

  private func name(of row: Int) -> Range<Int> { account(of: row).upperBound + 1..<charged[row].key.upperBound - 4 }

  /// Puts the rows in their order. They can be read afterwards.
  mutating func sort() {
    var prefixed = charged.indices.map { (prefix: keys.span.extracting(account(of: $0)).prefix, row: $0) }
    prefixed.sort { left, right in
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      let order = keys.span.extracting(account(of: left.row)).compare(keys.span.extracting(account(of: right.row)))
      if order != 0 { return order < 0 }
      let (one, other) = (charged[left.row].currency, charged[right.row].currency)
      return one == other
        ? keys.span.extracting(name(of: left.row)).precedes(keys.span.extracting(name(of: right.row))) : one < other
    }
    order = prefixed.map(\.row)
  }

  package var isEmpty: Bool { charged.isEmpty }

  package func makeIterator() -> some IteratorProtocol<Row> {
    order.lazy.map { row in
      Row(
        account: keys.span.extracting(account(of: row)), name: keys.span.extracting(name(of: row)), charged[row])
    }.makeIterator()
  }
}
