import Glibc
import Money
import Reports
import Text

/// The payees, in the order of account and currency: about 80 bytes each, and 16 more if the file has another order.
final class Payees {
  /// A payee's row in memory: the head, the account, the name, then IBAN and BIC, or routing and account number.
  struct Head: BitwiseCopyable {
    var line: UInt32 = 0
    var currency: UInt8 = 0
    var flags: UInt8 = 0
    /// The lengths of the texts.
    var account: UInt8 = 0
    var name: UInt8 = 0
    var number: UInt8 = 0
    var bank: UInt8 = 0

    static let (isACH, isOnHold, isSEPA, isSavings, isCompany) = (UInt8(1), UInt8(2), UInt8(4), UInt8(8), UInt8(16))
    static let length = MemoryLayout<Head>.size
    var length: Int { Self.length + Int(account) + Int(name) + Int(number) + Int(bank) }
  }

  private var rows = TextBuffer(capacity: 1 << 16)
  private(set) var count = 0
  /// Whether the rows came in ascending order.
  private var isSorted = true
  private var last: Int?
  /// Where the rows are, in ascending order; not used if they came in that order.
  private var order: [(word: UInt64, offset: Int)] = []
  /// The next row, by its place among all.
  private var next = 0
  /// Where it is, if the rows came in order.
  private var offset = 0

  /// Adds a payee; only account and currency if it is faulty.
  ///
  /// - Returns: where its row is.
  func append(
    _ head: Head, account: UnsafeBufferPointer<UInt8>, name: UnsafeBufferPointer<UInt8>,
    number: UnsafeBufferPointer<UInt8>, bank: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let start = rows.count
    let place = UnsafeMutableRawPointer(rows.reserve(head.length))
    place.storeBytes(of: head, as: Head.self)
    rows.advance(by: Head.length)
    for text in [account, name, number, bank] where !text.isEmpty { rows.append(text.baseAddress!, count: text.count) }
    if let last, !precedes(last, start) { isSorted = false }
    last = start
    count += 1
    return start
  }

  // MARK: Rows

  func head(_ offset: Int) -> Head { UnsafeRawPointer(rows.bytes + offset).loadUnaligned(as: Head.self) }

  private func text(_ offset: Int, after: Int, count: UInt8) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: rows.bytes + offset + Head.length + after, count: Int(count))
  }

  func account(_ offset: Int) -> UnsafeBufferPointer<UInt8> { text(offset, after: 0, count: head(offset).account) }

  func name(_ offset: Int) -> UnsafeBufferPointer<UInt8> {
    let head = head(offset)
    return text(offset, after: Int(head.account), count: head.name)
  }

  /// The IBAN, or the account number.
  func number(_ offset: Int) -> UnsafeBufferPointer<UInt8> {
    let head = head(offset)
    return text(offset, after: Int(head.account) + Int(head.name), count: head.number)
  }

  /// The BIC, which may be empty, or the routing number.
  func bank(_ offset: Int) -> UnsafeBufferPointer<UInt8> {
    let head = head(offset)
    return text(offset, after: Int(head.account) + Int(head.name) + Int(head.number), count: head.bank)
  }

  /// Negative, zero or positive if a row's account and currency come before, equal, or come after the others.
  private func compare(_ offset: Int, _ other: UnsafeBufferPointer<UInt8>, _ currency: UInt8) -> Int {
    let account = account(offset)
    let order = memcmp(account.baseAddress!, other.baseAddress!, min(account.count, other.count))
    if order != 0 { return Int(order) }
    return account.count == other.count ? Int(head(offset).currency) - Int(currency) : account.count - other.count
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool { compare(left, account(right), head(right).currency) < 0 }

  // MARK: Order

  /// Sorts the rows, once all are added.
  ///
  /// - Parameter isRepeated: called with each line that repeats the account and currency of an earlier line.
  func sort(isRepeated: (Int) -> Void) {
    guard !isSorted else { return }
    order.reserveCapacity(count)
    var (offset, shared) = (0, Int.max)
    let first = account(0)
    while offset < rows.count {
      let account = account(offset)
      shared = min(shared, account.count)
      for place in 0..<min(shared, first.count) where account[place] != first[place] {
        shared = place
        break
      }
      order.append((0, offset))
      offset += head(offset).length
    }
    for place in order.indices { order[place].word = word(of: order[place].offset, after: min(shared, first.count)) }
    order.sort { left, right in
      if left.word != right.word { return left.word < right.word }
      let order = compare(left.offset, account(right.offset), head(right.offset).currency)
      return order == 0 ? left.offset < right.offset : order < 0
    }
    for (left, right) in zip(order, order.dropFirst())
    where left.word == right.word && !precedes(left.offset, right.offset) { isRepeated(Int(head(right.offset).line)) }
  }

  /// Eight bytes of an account after the beginning that all share, as a number that sorts in the same order.
  private func word(of offset: Int, after shared: Int) -> UInt64 {
    let account = account(offset)
    return (shared..<shared + 8).reduce(0) { $0 << 8 | UInt64($1 < account.count ? account[$1] : 0) }
  }

  /// The row of an account and currency, or nil. Call in ascending order.
  func find(_ account: UnsafeBufferPointer<UInt8>, _ currency: Currency) -> Int? {
    while next < count {
      let offset = isSorted ? offset : order[next].offset
      let order = compare(offset, account, currency.index)
      if order > 0 { return nil }
      if order == 0 { return offset }
      next += 1
      self.offset += isSorted ? head(offset).length : 0
    }
    return nil
  }
}
