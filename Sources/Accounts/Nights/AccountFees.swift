import Digests
import ExactArithmetic
import Money
import Text

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
    package private(set) var sums: Sums

    /// No fees of any account.
    package init(_ currency: Currency, name: [UInt8]) {
      (account, self.currency, self.name, sums) = ([], currency, name, Sums(currency))
    }

    fileprivate init(_ key: Span<UInt8>, _ sums: Sums) {
      let end = key.place(of: 0)!
      (account, name) = ([UInt8](key.extracting(first: end)), [UInt8](key.extracting(droppingFirst: end + 2)))
      (currency, self.sums) = (Currency(index: Int(key[end + 1]))!, sums)
    }

    /// Adds what another row has.
    package mutating func add(_ other: Row) { sums.add(other.sums) }
  }

  /// Numbers of fees, and their sums; returned ones are above zero.
  package struct Sums {
    package fileprivate(set) var payments = 0
    package fileprivate(set) var refunds = 0
    package fileprivate(set) var fee, vat, feeReturned, vatReturned: ExactDecimal

    /// What is left of fees and VAT.
    package var total: ExactDecimal { fee + vat - feeReturned - vatReturned }

    fileprivate init(_ currency: Currency) {
      let zero = ExactDecimal.zero(at: -currency.settlementExponent)
      (fee, vat, feeReturned, vatReturned) = (zero, zero, zero, zero)
    }

    fileprivate mutating func add(_ other: Sums) {
      payments += other.payments
      refunds += other.refunds
      fee.add(other.fee)
      vat.add(other.vat)
      feeReturned.add(other.feeReturned)
      vatReturned.add(other.vatReturned)
    }
  }

  /// The keys of all rows, one after the other. A key is the account, a zero byte, the index of the currency, and the
  /// name, so that keys sort as rows do.
  private var keys: [UInt8] = []
  /// Where each row's key ends.
  private var ends: [Int] = []
  private var sums: [Sums] = []
  /// The numbers of the rows in their order.
  private var order: [Int] = []
  /// The key that is looked for.
  private var key: [UInt8] = []
  /// A slot is 0 or the number of a row, from 1. The search for a row begins at its hash.
  private var slots = [UInt32](repeating: 0, count: 1 << 10)
  private let isSelected: ([UInt8]) -> Bool

  /// - Parameter isSelected: whether an account is asked for.
  init(isSelected: @escaping ([UInt8]) -> Bool) { self.isSelected = isSelected }

  /// Adds a fee of a payment; of a refund, it is below zero and came back.
  mutating func add(
    _ fee: ExactDecimal, vat: ExactDecimal, of account: Span<UInt8>, _ currency: Currency, name: Span<UInt8>,
    isRefund: Bool
  ) {
    guard let row = row(of: account, currency, name) else { return }
    if isRefund {
      sums[row].refunds += 1
      sums[row].feeReturned.subtract(fee)
      sums[row].vatReturned.subtract(vat)
    } else {
      sums[row].payments += 1
      sums[row].fee.add(fee)
      sums[row].vat.add(vat)
    }
  }

  /// The number of a row, which is made if there is none; nil if no one asks for the account.
  private mutating func row(of account: Span<UInt8>, _ currency: Currency, _ name: Span<UInt8>) -> Int? {
    key.removeAll(keepingCapacity: true)
    key.append(account)
    key.append(0)
    key.append(currency.index)
    key.append(name)
    var slot = slot(of: key.span)
    while slots[slot] != 0 {
      let row = Int(slots[slot]) - 1
      if keys.span.extracting(place(of: row)).isEqual(to: key.span) { return row }
      slot = (slot + 1) & (slots.count - 1)
    }
    guard isSelected([UInt8](account)) else { return nil }
    keys += key
    ends.append(keys.count)
    sums.append(Sums(currency))
    slots[slot] = UInt32(ends.count)
    if ends.count * 4 > slots.count * 3 { grow() }
    return ends.count - 1
  }

  private func place(of row: Int) -> Range<Int> { (row == 0 ? 0 : ends[row - 1])..<ends[row] }

  private func slot(of key: Span<UInt8>) -> Int {
    Int(truncatingIfNeeded: XXH3.checksum(of: key)) & (slots.count - 1)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for row in ends.indices {
      var slot = slot(of: keys.span.extracting(place(of: row)))
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(row + 1)
    }
  }

  /// Puts the rows in their order. They can be read afterwards.
  mutating func sort() {
    var prefixed = ends.indices.map { (prefix: keys.span.extracting(place(of: $0)).prefix, row: $0) }
    prefixed.sort { left, right in
      left.prefix == right.prefix
        ? keys.span.extracting(place(of: left.row)).precedes(keys.span.extracting(place(of: right.row)))
        : left.prefix < right.prefix
    }
    order = prefixed.map(\.row)
  }

  package var isEmpty: Bool { ends.isEmpty }

  package func makeIterator() -> some IteratorProtocol<Row> {
    order.lazy.map { Row(keys.span.extracting(place(of: $0)), sums[$0]) }.makeIterator()
  }
}
